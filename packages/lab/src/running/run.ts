import { availableParallelism } from "node:os";
import { RunDirectory } from "../results/directory.ts";
import type { Manifest, Result } from "../results/types.ts";
import { overThreads } from "../threads.ts";
import { VERSION } from "../version.ts";
import { prepareWorld } from "../worlds/create.ts";
import { type Cell, cellsOf, cellsOfShard, type Shard } from "./cells.ts";
import type { Experiment } from "./parse.ts";
import { TimeLeft } from "./timeLeft.ts";
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
  /** Null until a cell of every world and policy is finished: nobody knows before. */
  readonly secondsLeft: number | null;
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
    const left = cells.filter(({ index }) => !results.has(index)).sort(bySeed(experiment));
    const timeLeft = new TimeLeft(left, results.values());
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    const rounds = new SharedArrayBuffer(8);
    const total = left.reduce((sum, cell) => sum + cell.world.rounds, 0);
    const report = (): void =>
      options.onProgress?.({
        cells: cells.length,
        cellsDone: results.size,
        rounds: total,
        roundsDone: Number(Atomics.load(new BigInt64Array(rounds), 0)),
        secondsLeft: timeLeft.seconds(seconds()),
      });
    const ticker = setInterval(report, 500);
    try {
      await overThreads<number, Result>({
        module: new URL("./worker.js", import.meta.url),
        items: left.map(({ index }) => index),
        threads: Math.min(options.jobs, left.length),
        workerData: {
          experiment: experiment.source,
          directory: experiment.modules?.directory ?? ".",
          rounds,
        } satisfies CellTask,
        signal: options.signal,
        onOutcome: (result) => {
          directory?.append(result);
          results.set(result.cell, result);
          timeLeft.finished(result, seconds());
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

/** One seed of everything before the next seed: what each run costs is known early, and a run cut short compares all policies. */
function bySeed({ seeds }: Experiment): (a: Cell, b: Cell) => number {
  const place = new Map(seeds.map((seed, k) => [seed, k]));
  return (a, b) => place.get(a.seed)! - place.get(b.seed)! || a.index - b.index;
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
    ...(experiment.modules === null ? {} : { modules: experiment.modules.digests }),
  };
}
