import { useKernels } from "@coterie/kernels";
import type { Result } from "../results/types.ts";
import { createWorld } from "../worlds/create.ts";
import { cellsOf } from "./cells.ts";
import { secondsUsed } from "./clock.ts";
import { parseExperiment } from "./parse.ts";
import { runCell } from "./runCell.ts";

/** What a worker thread is handed: plain data only, so it reads the experiment again. */
export interface CellTask {
  readonly experiment: unknown;
  readonly cell: number;
  /** Rounds played, of all workers together. */
  readonly rounds: SharedArrayBuffer;
}

// The same bits, sooner; where WebAssembly is missing core goes on alone.
useKernels();

export default async function runTask({ experiment, cell: index, rounds }: CellTask): Promise<Result> {
  const { checkpoints, ...parsed } = parseExperiment(experiment);
  const cell = cellsOf({ checkpoints, ...parsed })[index]!;
  const world = await createWorld(cell.world.config, cell.seed);
  const counter = new BigInt64Array(rounds);
  return runCell(cell, world, {
    checkpoints,
    clock: secondsUsed,
    onRounds: (count) => Atomics.add(counter, 0, BigInt(count)),
  });
}
