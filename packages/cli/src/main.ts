import { run } from "@stricli/core";
import { application } from "./application.ts";

// A reader that closes early (`coterie … | head`) is no fault of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

const { stdout, stderr, env } = process;
const outcome: { exitCode: number | string | null } = { exitCode: null };
await run(application, process.argv.slice(2), { process: Object.assign(outcome, { stdout, stderr, env }) });

// The parser counts wrong use below zero; other programs rely on 2 for it. Commands set process.exitCode themselves.
if (typeof outcome.exitCode === "number" && outcome.exitCode !== 0) process.exitCode = outcome.exitCode < 0 ? 2 : 1;
