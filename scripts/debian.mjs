import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Can this file be run? */
export function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs that is there, or null. */
export function present(names) {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/bin", "/usr/sbin"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs) ?? null;
}

/** Debian's packages, where that is possible without asking anybody: as root, with apt-get. */
export function install(...names) {
  if (process.getuid?.() !== 0 || !runs("/usr/bin/apt-get")) return false;
  console.error(`installing Debian's ${names.join(" and ")}`);
  const apt = (...args) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", ...names);
}
