/** Runs a setting beside the page, and tells how far it is some times a second. */
import { useKernels } from "@coterie/lab";
import { type Checkpoint, LabRun } from "./run.ts";
import { checkSetting, type Setting } from "./setting.ts";

export type LabNews =
  | { readonly kind: "progress"; readonly checkpoints: readonly Checkpoint[]; readonly done: boolean }
  | { readonly kind: "failed"; readonly message: string };

/** Between two messages; a message to stop gets through between them. */
const TURN_MS = 80;
/** Points of a curve. */
const POINTS = 250;

// The same bits, sooner; where WebAssembly is missing or forbidden core goes on alone.
useKernels();

const tell = (news: LabNews): void => postMessage(news);

function run(setting: Setting): void {
  const lab = new LabRun(checkSetting(setting));
  const every = Math.max(1, Math.floor(setting.rounds / POINTS));
  let round = 0;
  const turn = (): void => {
    const end = performance.now() + TURN_MS;
    const checkpoints: Checkpoint[] = [];
    while (!lab.done && performance.now() < end) {
      lab.step();
      round += 1;
      if (round % every === 0 || lab.done) checkpoints.push(lab.checkpoint());
    }
    tell({ kind: "progress", checkpoints, done: lab.done });
    if (!lab.done) setTimeout(turn, 0);
  };
  turn();
}

addEventListener("message", ({ data }: MessageEvent<Setting>) => {
  try {
    run(data);
  } catch (error) {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
