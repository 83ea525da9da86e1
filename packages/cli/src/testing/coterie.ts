import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../bin/coterie.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the real command, as built. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Whatever becomes of a test, nothing outlives it.
  const kill = (): unknown => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, ended };
}

export const coterie = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, env).ended;

/** A folder for one test file, and a way to put JSON into it. */
export function scratch(): {
  path: (name: string) => string;
  json: (name: string, value: unknown) => string;
  remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), "coterie-test-"));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    json: (name, value) => {
      writeFileSync(path(name), JSON.stringify(value));
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
