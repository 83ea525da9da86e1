import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a Chromium: the one named by COTERIE_CHROMIUM, one that is there, one just installed, or null. */
export function findChromium() {
  const named = process.env.COTERIE_CHROMIUM;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`COTERIE_CHROMIUM must name a program that can be run, but is ${named}`);
  }
  return present() ?? (install() ? present() : null);
}

function present() {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), "/usr/bin"];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find(runs) ?? null;
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's package, where that is possible without asking anybody: as root, with apt-get. */
function install() {
  if (process.getuid?.() !== 0 || !runs("/usr/bin/apt-get")) return false;
  console.error("no Chromium found: installing Debian's");
  const apt = (...args) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", "chromium");
}
