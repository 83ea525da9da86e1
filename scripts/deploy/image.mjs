/**
 * Lays out what the command needs to run, and nothing else:
 *
 *     node scripts/deploy/image.mjs FOLDER
 *
 * The built packages that the command needs (its own and those they need), without sources, types and source maps, and the
 * packages of others that they need, from node_modules, as package-lock.json pins them. deploy/Containerfile copies this folder.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Nothing reads these when the command runs. */
const IDLE = /\.(?:[cm]?ts|map|tsbuildinfo|md)$|^\.tsbuildinfo$|\.test\.js$/;

const manifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Where `name` lies for a package at `from`, as Node looks for it; null where it is not installed. */
function find(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
    if (folder === dirname(folder)) return null;
  }
}

/** Every folder of a package that the command needs, by where it lies under node_modules or packages. */
export function needed() {
  const found = new Set();
  const visit = (folder) => {
    const real = realpathSync(folder);
    if (found.has(real)) return;
    found.add(real);
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest(real);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = find(name, real);
      if (place !== null) visit(place);
      else if (name in dependencies) throw new Error(`${name} is not installed: npm ci`);
    }
  };
  visit(join(root, "packages", "cli"));
  return [...found].sort();
}

export function layOut(target) {
  mkdirSync(target, { recursive: true });
  for (const folder of needed()) {
    const place = relative(root, folder);
    const own = place.startsWith("packages");
    if (own && !existsSync(join(folder, "dist"))) throw new Error(`${place} is not built: npm run build`);
    // Ours go where others look for them; there is no link to follow then.
    const to = join(target, own ? join("node_modules", manifest(folder).name) : place);
    cpSync(folder, to, { recursive: true, filter: (from) => isRunning(folder, relative(folder, from), own) });
  }
}

function isRunning(folder, path, own) {
  if (path === "" || path === "package.json" || path === "LICENSE") return true;
  if (path.split("/").includes("node_modules") || IDLE.test(path)) return false;
  // Of ours what is built; kernels are WebAssembly in there too.
  return own ? /^(?:dist|bin)(?:\/|$)/.test(path) && !path.includes("/testing") : folder !== root;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) layOut(process.argv[2]);
