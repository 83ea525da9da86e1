import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a clone of this tree would hold, uncommitted changes included. */
function files() {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  return listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
}

/**
 * A folder like a fresh clone. With `installed` it is like one after `npm ci`: it borrows the installation of this checkout
 * and has a copy of its build; else nothing is installed, and a page's own `npm ci` has everything to do.
 */
export function clone(folder, { installed }) {
  for (const file of files()) cpSync(join(root, file), join(folder, file), { recursive: true });
  if (!installed) return;
  const packages = execFileSync("npm", ["query", ".workspace"], { cwd: root, encoding: "utf8" });
  for (const { location } of [{ location: "." }, ...JSON.parse(packages)]) {
    const modules = join(root, location, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(folder, location, "node_modules"));
    const built = join(root, location, "dist");
    if (location !== "." && existsSync(built)) cpSync(built, join(folder, location, "dist"), { recursive: true });
  }
}

/**
 * What a stranger's shell has: Node and the system's own programs, a home of its own, none of our variables. How npm reaches
 * its registry belongs to the machine, so that stays.
 */
export function environment(home, { installed }) {
  const scratch = join(home, "tmp");
  mkdirSync(scratch, { recursive: true });
  const { HOME = home, TERM = "dumb", LANG = "C.UTF-8" } = process.env;
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)/i.test(name),
  );
  const folders = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];
  return {
    npm_config_userconfig: join(HOME, ".npmrc"),
    npm_config_cache: join(HOME, ".npm"),
    npm_config_prefer_offline: "true",
    ...Object.fromEntries(npm),
    HOME: home,
    TMPDIR: scratch,
    TERM,
    LANG,
    NO_COLOR: "1",
    PATH: [...(installed ? [fileURLToPath(new URL("./bin", import.meta.url))] : []), ...folders].join(":"),
  };
}
