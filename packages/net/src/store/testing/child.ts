import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A program of this folder as one text of JavaScript, since Node 20 runs no TypeScript. */
export async function bundled(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    resolve: {
      alias: [
        { find: "@coterie/core/internal", replacement: here("../../../../core/src/internal.ts") },
        { find: "@coterie/core", replacement: here("../../../../core/src/index.ts") },
      ],
    },
    build: {
      ssr: here(name),
      write: false,
      minify: false,
      target: "node20",
      rolldownOptions: { external: ["classic-level"], output: { codeSplitting: false } },
    },
  });
  const output = Array.isArray(result) ? result[0]! : result;
  if (!("output" in output)) throw new Error("the bundler watches instead of building");
  return output.output[0].code;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  /** Is run before the program in the same process: limits set there hold for it. */
  readonly shell?: string | undefined;
  /** Who runs it; only root may choose. */
  readonly uid?: number | undefined;
  readonly onLine?: (line: string) => void;
}

/** Runs a bundled program in a process of its own, from this package's folder, where its imports are found. */
export function run(
  code: string,
  args: readonly string[],
  { shell = ":", uid, onLine = () => {} }: RunOptions = {},
): Running {
  const node = [process.execPath, "--input-type=module", "-"];
  const child = spawn("/bin/sh", ["-c", `${shell}; exec "$@"`, "sh", ...node, ...args], {
    cwd: here("../../.."),
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (out.slice(out.lastIndexOf("\n") + 1) + text).split("\n").slice(0, -1);
    out += text;
    lines.forEach(onLine);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  // A child that was killed before it read its program.
  child.stdin.on("error", () => {});
  child.stdin.end(code);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, ended };
}
