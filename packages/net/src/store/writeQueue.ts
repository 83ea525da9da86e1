import { onAbort } from "../link/onAbort.ts";
import { bytesOf } from "./book.ts";
import { type Entry, STORE_LIMITS } from "./store.ts";

/** What a call asks to be written: entries, or a snapshot. */
export type Job = { readonly entries: readonly Entry[] } | { readonly snapshot: Uint8Array };

interface Waiting {
  readonly job: Job;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Calls waiting for the disk, served in order. A synced write costs the same for one entry as for many, so appends
 * that wait together are committed together. When a commit fails, so do all that wait behind it: they were made by a
 * caller who took it for granted.
 */
export class WriteQueue {
  readonly #commit: (group: readonly Job[]) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #serving: Promise<void> | null = null;

  constructor(commit: (group: readonly Job[]) => Promise<void>) {
    this.#commit = commit;
  }

  join(job: Job, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      this.#waiting.push(
        signal === undefined ? { job, done: resolve, fail: reject } : this.#leaving(job, signal, resolve, reject),
      );
      this.#serving ??= this.#serve();
    });
  }

  /** Somebody in line who goes away when the signal comes. */
  #leaving(job: Job, signal: AbortSignal, resolve: () => void, reject: (error: unknown) => void): Waiting {
    const leave = (): void => {
      const at = this.#waiting.indexOf(waiting);
      // Not in line any more: the write has begun, and its outcome is the answer.
      if (at >= 0) this.#waiting.splice(at, 1)[0]!.fail(signal.reason);
    };
    const forget = onAbort(signal, leave);
    const unless = (settle: () => void): void => {
      forget();
      settle();
    };
    const waiting: Waiting = { job, done: () => unless(resolve), fail: (error) => unless(() => reject(error)) };
    return waiting;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#serving !== null) await this.#serving;
  }

  /** One turn later, so that calls made together are served together. */
  async #serve(): Promise<void> {
    await null;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, together(this.#waiting));
      try {
        await this.#commit(group.map((it) => it.job));
        for (const it of group) it.done();
      } catch (error) {
        for (const it of [...group, ...this.#waiting.splice(0)]) it.fail(error);
      }
    }
    this.#serving = null;
  }
}

/** How many from the front fit into one batch: one snapshot alone, or appends up to the limits. */
function together(waiting: readonly Waiting[]): number {
  let entries = 0;
  let bytes = 0;
  let count = 0;
  for (const { job } of waiting) {
    if ("snapshot" in job) return Math.max(1, count);
    entries += job.entries.length;
    bytes += bytesOf(job.entries);
    if (count > 0 && (entries > STORE_LIMITS.batchEntries || bytes > STORE_LIMITS.batchBytes)) return count;
    count += 1;
  }
  return count;
}
