import { parentPort, workerData } from "node:worker_threads";
import { useKernels } from "@coterie/kernels";
import type { Result } from "../results/types.ts";
import { createWorld } from "../worlds/create.ts";
import { cellsOf } from "./cells.ts";
import { secondsUsed } from "./clock.ts";
import { parseExperiment } from "./parse.ts";
import { runCell } from "./runCell.ts";

/** What a worker thread is told when it starts: plain data only, so it reads the experiment again. Cells follow, by index. */
export interface CellTask {
  readonly experiment: unknown;
  /** Rounds played, of all workers together. */
  readonly rounds: SharedArrayBuffer;
}

// The same bits, sooner; where WebAssembly is missing core goes on alone.
useKernels();

const task = workerData as CellTask;
const counter = new BigInt64Array(task.rounds);
const experiment = parseExperiment(task.experiment);
const cells = cellsOf(experiment);

parentPort?.on("message", async (index: number) => {
  const cell = cells[index]!;
  const world = await createWorld(cell.world.config, cell.seed, cell.world.rounds);
  const result: Result = runCell(cell, world, {
    checkpoints: experiment.checkpoints,
    clock: secondsUsed,
    onRound: () => Atomics.add(counter, 0, 1n),
  });
  parentPort?.postMessage(result);
});
