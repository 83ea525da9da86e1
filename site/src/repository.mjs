import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository that the site is built from. Paths in it have forward slashes and no leading one. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What is made, installed or kept by tools, and so is nothing to read. */
const NOT_SOURCE = new Set(["node_modules", "dist", "coverage", "runs"]);

export const absolute = (path) => join(ROOT, path);

export const read = (path) => readFileSync(absolute(path), "utf8");

/** "file", "folder", or null where there is nothing. */
export function kindOf(path) {
  const stats = statSync(absolute(path), { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isDirectory() ? "folder" : "file";
}

/** What a folder holds, folders first. */
export function list(path) {
  return readdirSync(absolute(path), { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCE.has(name) && !name.startsWith("."))
    .map((entry) => ({ name: entry.name, folder: entry.isDirectory(), path: posix.join(path, entry.name) }))
    .sort((a, b) => Number(b.folder) - Number(a.folder) || (a.name < b.name ? -1 : 1));
}

/** Every file below a folder whose name ends so. */
export function files(ending, path = ".") {
  return list(path).flatMap((entry) =>
    entry.folder ? files(ending, entry.path) : entry.name.endsWith(ending) ? [entry.path] : [],
  );
}
