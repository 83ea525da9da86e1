import { run } from "@stricli/core";
import { application } from "./application.ts";

/** Runs one command line; `process.exitCode` tells how it ended. */
export async function call(args: readonly string[]): Promise<void> {
  const { stdout, stderr, env } = process;
  const outcome: { exitCode: number | string | null } = { exitCode: null };
  await run(application, args, { process: Object.assign(outcome, { stdout, stderr, env }) });

  // The parser counts wrong use below zero; other programs rely on 2 for it. Commands set process.exitCode themselves.
  if (typeof outcome.exitCode === "number" && outcome.exitCode !== 0) process.exitCode = outcome.exitCode < 0 ? 2 : 1;
}
