import { availableParallelism } from "node:os";
import { overThreads } from "@coterie/lab";
import type { StormSize } from "./plan/plan.ts";
import type { StormOutcome } from "./storm.ts";

/** Rooms of one size where that is given; else each seed draws its own. */
export interface StormOptions extends Partial<StormSize> {
  readonly seeds: number;
  readonly from: number;
  /** The name of a planted bug. */
  readonly mutant: string | null;
  readonly jobs?: number;
  /** Stops at the first failure. */
  readonly untilFailure?: boolean;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: StormOutcome) => void;
}

/** What a worker is told when it starts; seeds follow one by one. */
export interface WorkerTask {
  readonly size: Partial<StormSize>;
  readonly mutant: string | null;
}

/** Plays seeds on worker threads. The outcomes are in the order of the seeds, whatever the number of threads. */
export async function runStorm(options: StormOptions): Promise<StormOutcome[]> {
  const { seeds, from, mutant, jobs = availableParallelism(), untilFailure = false } = options;
  const { peers, rounds } = options;
  const size = { ...(peers !== undefined && { peers }), ...(rounds !== undefined && { rounds }) };
  const outcomes: StormOutcome[] = [];
  let stopped = false;
  function* left(): Generator<number> {
    for (let seed = from; seed < from + seeds && !stopped; seed++) yield seed;
  }
  await overThreads<number, StormOutcome>({
    module: new URL("./worker.js", import.meta.url),
    items: left(),
    threads: Math.min(jobs, seeds),
    workerData: { size, mutant } satisfies WorkerTask,
    signal: options.signal,
    onOutcome: (outcome) => {
      outcomes.push(outcome);
      options.onOutcome?.(outcome);
      if (outcome.failure !== null && untilFailure) stopped = true;
    },
  });
  return outcomes.sort((a, b) => a.seed - b.seed);
}
