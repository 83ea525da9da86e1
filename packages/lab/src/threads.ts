import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";

/** Much is made and thrown away within a round; a larger nursery than Node's spares half of the collecting. */
const NURSERY_MB = 96;

/**
 * Half of the machine's memory for all threads together, and not less than Node gives each. Ten thousand peers of kindred take 2 GB and
 * more, and near its limit a heap is collected over and over.
 */
const heapMb = (threads: number): number =>
  Math.floor(Math.max(getHeapStatistics().heap_size_limit, totalmem() / 2 / threads) / 2 ** 20);

/** How items are worked off by threads. */
export interface OverThreads<Item, Outcome> {
  /** The module each thread runs: it answers every message with one. */
  readonly module: URL;
  /** Taken one by one, as threads come free; each thread is given one at once, so none starts in vain. */
  readonly items: Iterable<Item>;
  readonly threads: number;
  /** What a thread is told when it starts. */
  readonly workerData?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Hands items to threads until there are none left. The first thing that goes wrong ends it: no further item is taken, and
 * every thread has ended before the promise is rejected. Unless all is over, a thread is ended only after it answered: with
 * Node 20 one that is ended while it loads what was required of it can take the whole process along.
 */
export async function overThreads<Item, Outcome>(options: OverThreads<Item, Outcome>): Promise<void> {
  const items = options.items[Symbol.iterator]();
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
  const work = async (): Promise<void> => {
    let next = items.next();
    if (next.done) return;
    const { module, workerData } = options;
    const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: heapMb(options.threads) };
    const worker = new Worker(module, { workerData, resourceLimits });
    try {
      for (; !next.done; next = items.next()) options.onOutcome(await ask<Item, Outcome>(worker, next.value, signal));
    } catch (error) {
      stop.abort(error);
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: options.threads }, work));
  stop.signal.throwIfAborted();
}

function ask<Item, Outcome>(worker: Worker, item: Item, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    const settle = (then: () => void): void => {
      listening.abort();
      worker.off("message", heard).off("error", failed).off("exit", left);
      then();
    };
    const heard = (outcome: Outcome): void => settle(() => resolve(outcome));
    const failed = (error: Error): void => settle(() => reject(error));
    const left = (code: number): void => failed(new Error(`a thread ended with ${code} before it answered`));
    const aborted = (): void => settle(() => reject(signal.reason));
    if (signal.aborted) return aborted();
    worker.on("message", heard).on("error", failed).on("exit", left);
    signal.addEventListener("abort", aborted, { signal: listening.signal });
    worker.postMessage(item);
  });
}
