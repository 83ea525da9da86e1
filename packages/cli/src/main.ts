import { call } from "./call.ts";

// A reader that closes early (`coterie … | head`) is no fault of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

await call(process.argv.slice(2));
