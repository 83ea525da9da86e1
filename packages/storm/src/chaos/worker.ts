/** The process on the ground: is told what to do, does it, and says what came of it. */
import { setMaxListeners } from "node:events";
import { chaos } from "./chaos.ts";
import type { ChaosReport, ChaosTask } from "./task.ts";

/** What it has to say. */
export type Word =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "report"; readonly report: ChaosReport }
  | { readonly kind: "error"; readonly message: string };

const controller = new AbortController();
setMaxListeners(0, controller.signal); // many wait at once
const say = (word: Word): Promise<void> =>
  new Promise((resolve) => {
    if (process.send?.(word, undefined, undefined, () => resolve()) === undefined) resolve();
  });

// A terminal interrupts everybody at once; whoever started this one decides.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => controller.abort());
process.on("disconnect", () => controller.abort());
process.once("message", (task: ChaosTask) => {
  chaos(task, (line) => void say({ kind: "line", line }), controller.signal)
    .then((report) => say({ kind: "report", report }))
    .catch((error: Error) => say({ kind: "error", message: error.stack ?? error.message }))
    .finally(() => process.exit(0));
});
