import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../../../scripts/chromium.mjs";

/** Debian's Chromium, as root and without a screen. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A page in a browser that has never been used, handed to `use`. */
export async function withPage(options, use) {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("no Chromium: name one in COTERIE_CHROMIUM");
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
