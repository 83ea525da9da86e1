import { parentPort, workerData } from "node:worker_threads";
import { useKernels } from "@coterie/kernels";
import type { Result } from "../results/types.ts";
import { createWorld } from "../worlds/create.ts";
import type { World } from "../worlds/world.ts";
import { type Cell, cellsOf } from "./cells.ts";
import { secondsUsed } from "./clock.ts";
import { loadExperiment } from "./load.ts";
import { runCell } from "./runCell.ts";

/** What a worker thread is told when it starts: plain data only, so it reads the experiment again. Cells follow, by index. */
export interface CellTask {
  readonly experiment: unknown;
  /** Where its policy modules are; they are loaded here again. */
  readonly directory: string;
  /** Rounds played, of all workers together. */
  readonly rounds: SharedArrayBuffer;
}

// The same bits, sooner; where WebAssembly is missing core goes on alone.
useKernels();

const task = workerData as CellTask;
const counter = new BigInt64Array(task.rounds);
const experiment = await loadExperiment(task.experiment, task.directory);
const cells = cellsOf(experiment);

parentPort?.on("message", async (index: number) => {
  const cell = cells[index]!;
  // One seed of all policies comes before the next seed.
  const again = experiment.policies.length > 1;
  const world = await createWorld(cell.world.config, cell.seed, cell.world.rounds, again);
  parentPort?.postMessage(played(cell, world));
});

function played(cell: Cell, world: World): Result {
  try {
    return runCell(cell, world, {
      checkpoints: experiment.checkpoints,
      clock: secondsUsed,
      onRound: () => Atomics.add(counter, 0, 1n),
    });
  } catch (error) {
    const { name, module } = cell.policy;
    if (module === undefined) throw error;
    throw new Error(`${module} failed as the policy ${name} in ${cell.world.name}: ${error}`, { cause: error });
  }
}
