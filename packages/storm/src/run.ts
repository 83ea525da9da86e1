import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Size } from "./plan/plan.ts";
import type { Outcome } from "./storm.ts";

export interface StormOptions extends Size {
  readonly seeds: number;
  readonly from: number;
  /** The name of a planted bug. */
  readonly mutant: string | null;
  readonly jobs?: number;
  /** Stops at the first failure. */
  readonly untilFailure?: boolean;
  readonly signal?: AbortSignal;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** What a worker is told when it starts; seeds follow one by one. */
export interface WorkerTask extends Size {
  readonly mutant: string | null;
}

/** Much is made and thrown away between two events; a larger nursery spares half of the collecting. */
const NURSERY_MB = 96;

/** Plays seeds on worker threads. The outcomes are in the order of the seeds, whatever the number of threads. */
export async function runStorm(options: StormOptions): Promise<Outcome[]> {
  const { seeds, from, peers, rounds, mutant, jobs = availableParallelism(), untilFailure = false } = options;
  const outcomes: Outcome[] = [];
  let next = from;
  let stopped = false;
  const task: WorkerTask = { peers, rounds, mutant };
  const play = async (): Promise<void> => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    });
    try {
      while (next < from + seeds && !stopped) {
        const outcome = await ask(worker, next++, options.signal);
        outcomes.push(outcome);
        options.onOutcome?.(outcome);
        if (outcome.failure !== null && untilFailure) stopped = true;
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(jobs, seeds)) }, play));
  return outcomes.sort((a, b) => a.seed - b.seed);
}

function ask(worker: Worker, seed: number, signal: AbortSignal | undefined): Promise<Outcome> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      worker.off("message", heard);
      worker.off("error", failed);
      signal?.removeEventListener("abort", aborted);
      settle();
    };
    const heard = (outcome: Outcome): void => done(() => resolve(outcome));
    const failed = (error: Error): void => done(() => reject(error));
    const aborted = (): void => done(() => reject(signal?.reason));
    worker.on("message", heard);
    worker.on("error", failed);
    signal?.addEventListener("abort", aborted);
    worker.postMessage(seed);
  });
}
