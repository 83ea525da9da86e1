import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../../../scripts/chromium.mjs";
import { CHROMIUM_FLAGS } from "../../../scripts/chromiumFlags.mjs";

/** A page in a browser that has never been used, handed to `use`. */
export async function withPage(options, use) {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("no Chromium: name one in COTERIE_CHROMIUM");
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: CHROMIUM_FLAGS, ...options });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
