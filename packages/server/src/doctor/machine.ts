import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { bad, type Finding, good, note } from "./finding.ts";

/** The oldest Node that Coterie is tested with, as `engines` has it. */
const OLDEST = [20, 19] as const;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isNew) return good("node", `Node ${version}.`);
  return bad("node", `Node ${version} is too old.`, `Install Node ${OLDEST.join(".")} or newer.`);
}

/** WebRTC is for tabs alone, so a machine without it lacks nothing. */
export function checkWebrtc(folder: string): Finding {
  try {
    createRequire(join(folder, "here.js")).resolve("@coterie/webrtc");
    return good("webrtc", "@coterie/webrtc is installed: pages built here can go from tab to tab.");
  } catch {
    const remedy =
      "If you build a page whose tabs should talk directly: npm install @coterie/webrtc (its README first).";
    return note("webrtc", "@coterie/webrtc is not installed here; tabs would go through a hub's relay.", remedy);
  }
}

const BROWSERS = ["chromium", "chromium-browser", "google-chrome"];

/** Only the repository's own tests drive a browser. */
export function checkBrowser(environment: Readonly<Record<string, string | undefined>>): Finding {
  const named = environment.COTERIE_CHROMIUM;
  if (named) {
    if (isProgram(named)) return good("browser", `COTERIE_CHROMIUM names ${named}.`);
    const remedy = "Let it name a Chromium, or unset it.";
    return bad("browser", `COTERIE_CHROMIUM names ${named}, which cannot be run.`, remedy);
  }
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.flatMap((folder) => BROWSERS.map((name) => join(folder, name))).find(isProgram);
  if (found !== undefined) return good("browser", `A Chromium is at ${found}.`);
  return note(
    "browser",
    "There is no Chromium; only the repository's tests need one.",
    "Install the package chromium.",
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
