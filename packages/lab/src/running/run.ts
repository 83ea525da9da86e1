import { availableParallelism } from "node:os";
import { RunDirectory } from "../results/directory.ts";
import type { Manifest, Result } from "../results/types.ts";
import { overThreads } from "../threads.ts";
import { VERSION } from "../version.ts";
import { prepareWorld } from "../worlds/create.ts";
import { cellsOf, cellsOfShard, type Shard } from "./cells.ts";
import type { Experiment } from "./parse.ts";
import type { CellTask } from "./worker.ts";

/** How an experiment is run. */
export interface RunExperimentOptions {
  readonly shard: Shard;
  readonly jobs: number;
  /** Where results stream to; null to keep them in memory only. */
  readonly out: string | null;
  readonly resume: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How far a run is. */
export interface Progress {
  readonly cells: number;
  readonly cellsDone: number;
  readonly rounds: number;
  readonly roundsDone: number;
}

/** Runs at once unless told otherwise: one for each core. */
export const defaultJobs = (): number => availableParallelism();

/** Runs the cells of a shard in parallel; results in the order of the cells, whatever the number of jobs. */
export async function runExperiment(experiment: Experiment, options: RunExperimentOptions): Promise<Result[]> {
  const cells = cellsOfShard(cellsOf(experiment), options.shard);
  // Here, once, before any worker starts: bad files are found and features are cached for all of them.
  for (const world of experiment.worlds) await prepareWorld(world.config, world.rounds);
  const manifest = manifestOf(experiment, options.shard);
  const directory = options.out === null ? null : await RunDirectory.open(options.out, manifest, options.resume);
  try {
    const results = new Map(directory?.done ?? []);
    const left = cells.filter(({ index }) => !results.has(index));
    const rounds = new SharedArrayBuffer(8);
    const total = left.reduce((sum, cell) => sum + cell.world.rounds, 0);
    const report = (): void =>
      options.onProgress?.({
        cells: cells.length,
        cellsDone: results.size,
        rounds: total,
        roundsDone: Number(Atomics.load(new BigInt64Array(rounds), 0)),
      });
    const ticker = setInterval(report, 500);
    try {
      await overThreads<number, Result>({
        module: new URL("./worker.js", import.meta.url),
        items: left.map(({ index }) => index),
        threads: Math.min(options.jobs, left.length),
        workerData: { experiment: experiment.source, rounds } satisfies CellTask,
        signal: options.signal,
        onOutcome: (result) => {
          directory?.append(result);
          results.set(result.cell, result);
        },
      });
      report();
    } finally {
      clearInterval(ticker);
    }
    return cells.map(({ index }) => results.get(index)!);
  } finally {
    directory?.close();
  }
}

function manifestOf(experiment: Experiment, shard: Shard): Manifest {
  return {
    format: 1,
    version: VERSION,
    engine: { node: process.version, platform: process.platform, arch: process.arch },
    created: new Date().toISOString(),
    experiment: experiment.source,
    name: experiment.name,
    cells: cellsOf(experiment).length,
    shard,
  };
}
