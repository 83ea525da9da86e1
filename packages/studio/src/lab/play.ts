import { LabRun, type RunSums } from "./run.ts";
import { checkSetting, type Setting } from "./setting.ts";

export type LabNews =
  | { readonly kind: "progress"; readonly checkpoints: readonly RunSums[]; readonly done: boolean }
  | { readonly kind: "failed"; readonly message: string };

/** Between two messages; a message to stop gets through between them. */
const TURN_MS = 80;
/** Points of a curve. */
const POINTS = 250;

/** Plays a setting in short turns, and tells how far it is after each. Returns a way to end it. */
export function play(setting: Setting, tell: (news: LabNews) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const lab = new LabRun(checkSetting(setting));
    const every = Math.max(1, Math.floor(setting.rounds / POINTS));
    let round = 0;
    const turn = (): void => {
      const end = performance.now() + TURN_MS;
      const checkpoints: RunSums[] = [];
      while (!lab.done && performance.now() < end) {
        lab.step();
        round += 1;
        if (round % every === 0 || lab.done) checkpoints.push(lab.checkpoint());
      }
      if (!lab.done) timer = setTimeout(turn, 0);
      tell({ kind: "progress", checkpoints, done: lab.done });
    };
    timer = setTimeout(turn, 0);
  } catch (error) {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
  return () => clearTimeout(timer);
}
