import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf, isRun, scriptOf } from "../../site/src/blocks.mjs";
import { clone, environment, root } from "./clone.mjs";

/** The texts whose every command must work as written. */
export function pages() {
  const guides = readdirSync(join(root, "docs", "guides")).filter((file) => file.endsWith(".md"));
  const names = ["README.md", "docs/get-started.md", ...guides.sort().map((file) => `docs/guides/${file}`)];
  return names.map((name) => ({ name, blocks: blocksOf(readFileSync(join(root, name), "utf8"), name) }));
}

/**
 * Pages that start the whole demo again or install from the registry: `npm run docs:follow` follows them with all others, from
 * nothing; tests leave them out to stay short.
 */
export const LONG = ["docs/get-started.md", "docs/guides/dashboard.md"];

/** Does all that a page says, in a clone of its own; says how that ended, with all that was printed. */
export async function follow({ blocks }, { installed, mostMs }) {
  const folder = mkdtempSync(join(tmpdir(), "coterie-docs-"));
  const started = performance.now();
  try {
    const place = join(folder, "coterie");
    clone(place, { installed });
    const { code, out } = await shell(
      scriptOf(blocks),
      place,
      environment(join(folder, "home"), { installed }),
      mostMs,
    );
    return {
      code,
      out,
      seconds: Math.round((performance.now() - started) / 1000),
      commands: blocks.filter(isRun).length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A shell in a group of its own, so that nothing it started outlives it. */
function shell(script, cwd, env, mostMs) {
  const child = spawn("bash", ["-c", script], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (out += text));
  const late = setTimeout(() => {
    out += `\n(stopped after ${mostMs / 1000} s)\n`;
    process.kill(-child.pid, "SIGTERM");
  }, mostMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(late);
      resolve({ code: code ?? 1, out });
    });
  });
}
