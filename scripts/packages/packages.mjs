import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const run = promisify(execFile);

/**
 * Of what the packages depend on, two ask for a later Node than we name, and run on ours in the version before. npm takes that
 * from the project that installs, never from a package: so every project says it itself (`npm run pack` prints how).
 */
const { libp2p, "@libp2p/circuit-relay-v2": relay } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).overrides;
export const OVERRIDES = { libp2p, "@libp2p/circuit-relay-v2": relay };

/** The same as a command. */
export const setOverrides = `npm pkg set ${Object.entries(OVERRIDES)
  .flatMap(([name, inner]) => Object.entries(inner).map(([of, version]) => `"overrides[${name}].${of}=${version}"`))
  .join(" ")}`;

/** Every package of the repository that is published: its folder and its package.json. */
export function publicPackages() {
  return readdirSync(join(root, "packages"))
    .map((folder) => join(root, "packages", folder))
    .map((path) => ({ path, manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** `npm pack` of each, as built; tarballs by the name of the package. */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const paths = publicPackages().map(({ path }) => path);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...paths], { cwd: root });
  // npm lists what it packed as a list or by name, depending on its version.
  const packed = Object.values(JSON.parse(stdout));
  return new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
}

/**
 * Installs the tarballs together into an empty project, as a stranger would. What they depend on comes from the registry,
 * or from npm's cache where it is there; whatever is not declared as a dependency is not there. Says what npm complained of.
 */
export async function install(folder, tarballs, extra = {}) {
  mkdirSync(folder, { recursive: true });
  const ours = Object.fromEntries(Array.from(tarballs, ([name, path]) => [name, `file:${path}`]));
  // As packages/webrtc/README.md says: a browser needs neither, and they bring hundreds of packages.
  const empty = "npm:empty-npm-package@1.0.0";
  const manifest = {
    name: "stranger",
    private: true,
    type: "module",
    dependencies: { ...ours, ...extra },
    overrides: { ...OVERRIDES, "react-native-webrtc": empty, "node-datachannel": empty },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  return (await run("npm", ["install", ...quiet], { cwd: folder })).stderr;
}
