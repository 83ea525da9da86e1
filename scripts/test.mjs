/**
 * `npm test`: builds, finds a browser, runs every test, and says at the end, on a line of its own, what came of it.
 *
 *   COTERIE_CHROMIUM  the browser to use; else one that is there, else Debian's package where that can be installed
 *   COTERIE_DATA      the folder of the datasets, for tests on real data
 *   CI=true           a skipped test fails the run
 *
 * Arguments go on to vitest: `npm test -- packages/core/src/wire`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.mjs";
import { ensureNetworkTools } from "./network.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const strict = process.env.CI === "true";

/** Tests read the sources, but those that start the command start the build: a stale one must not pass. */
function build() {
  const stdio = ["ignore", "ignore", "inherit"];
  const { status } = spawnSync("npm", ["run", "build"], { cwd: root, stdio, shell: process.platform === "win32" });
  if (status !== 0) throw new Error("the build failed (npm run build), so no test was run");
}

function runTests(chromium) {
  const folder = mkdtempSync(join(tmpdir(), "coterie-test-"));
  const file = join(folder, "summary.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", `--reporter=${join(root, "scripts", "summary-reporter.mjs")}`];
  const env = { ...process.env, COTERIE_TEST_SUMMARY: file, COTERIE_CHROMIUM: chromium ?? "" };
  try {
    const { status } = spawnSync(process.execPath, [vitest, "run", ...reporters, ...process.argv.slice(2)], {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const summary = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
    return { status, summary: summary ?? { passed: 0, failed: ["vitest did not finish"], skipped: [] } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report({ status, summary: { passed, failed, skipped } }) {
  if (failed.length > 0) console.log(`failed:\n${failed.map((name) => `  ${name}`).join("\n")}`);
  if (skipped.length > 0) {
    console.log(`skipped${strict ? ", which CI does not allow" : ""}:`);
    for (const { name, why } of skipped) console.log(`  ${name}: ${why}`);
  }
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  const done = status === 0 && failed.length === 0 && !(strict && skipped.length > 0);
  process.exitCode = done ? 0 : 1;
}

try {
  build();
  ensureNetworkTools();
  report(runTests(findChromium()));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
