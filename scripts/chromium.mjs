import { install, present, runs } from "./debian.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a Chromium: the one named by COTERIE_CHROMIUM, one that is there, one just installed, or null. */
export function findChromium() {
  const named = process.env.COTERIE_CHROMIUM;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`COTERIE_CHROMIUM must name a program that can be run, but is ${named}`);
  }
  return present(NAMES) ?? (install("chromium") ? present(NAMES) : null);
}
