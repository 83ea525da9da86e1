import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { expect, it } from "vitest";
import { CHROMIUM_FLAGS } from "../../../scripts/chromiumFlags.mjs";
import { type Everywhere, everywhere } from "./testing/everywhere.ts";

const traces = ["dccb-permutation-resets", "dcb-sum-theory"].map((name): unknown =>
  JSON.parse(readFileSync(new URL(`./testing/fixtures/traces/${name}.json`, import.meta.url), "utf8")),
);

/** Core and the runs as one script that defines `core`. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      lib: {
        entry: fileURLToPath(new URL("./testing/everywhere.ts", import.meta.url)),
        formats: ["iife"],
        name: "core",
      },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error("vite gave no bundle");
  return output.output[0].code;
}

/** What a page makes of the script, in a browser that has never been used. */
async function inBrowser(executablePath: string, script: string): Promise<Everywhere> {
  const profile = mkdtempSync(join(tmpdir(), "coterie-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: CHROMIUM_FLAGS,
  });
  try {
    const page = await context.newPage();
    await page.addScriptTag({ content: script });
    return await page.evaluate(
      (given) => (globalThis as unknown as { core: { everywhere: typeof everywhere } }).core.everywhere(given),
      traces,
    );
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

it("core gives the same bits in Chromium as in Node", async ({ skip }) => {
  const executable = process.env.COTERIE_CHROMIUM;
  if (!executable) return skip("no Chromium: COTERIE_CHROMIUM does not name one");
  const here = everywhere(traces);
  const there = await inBrowser(executable, await bundle());
  expect(there).toEqual(here);
  expect(Object.keys(there.runs)).toEqual(["solo", "dcb, thompson", "dccb"]);
  expect(there.answers.length).toBe(2);
});
