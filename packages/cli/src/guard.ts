import { setMaxListeners } from "node:events";
import { ConfigError, OverlapError } from "@coterie/core";

/** A check that the command was asked to make did not hold (exit code 3). */
export class CheckNotMet extends Error {
  override readonly name = "CheckNotMet";
}

/** Runs a command's work and turns what it throws into one sentence on standard error and the right exit code. */
export async function guarded(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, sentence } = explain(error);
    process.stderr.write(`coterie: ${sentence}\n`);
    process.exitCode = code;
  }
}

function explain(error: unknown): { code: number; sentence: string } {
  if (error instanceof ConfigError || error instanceof OverlapError) return { code: 2, sentence: error.message };
  if (error instanceof CheckNotMet) return { code: 3, sentence: error.message };
  if (error instanceof Error && error.name === "AbortError") return { code: 130, sentence: "interrupted" };
  if (!(error instanceof Error)) return { code: 1, sentence: String(error) };
  return { code: 1, sentence: process.env.COTERIE_DEBUG ? (error.stack ?? error.message) : error.message };
}

/** Aborts when the user interrupts; a second time ends the process at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one listener for every run that waits its turn
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      controller.abort();
      process.once(name, () => process.exit(130));
    });
  }
  return controller.signal;
}
