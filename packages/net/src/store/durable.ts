import { onAbort } from "../link/onAbort.ts";
import type { Backend } from "./backend.ts";
import { appended, type Book, blank, bytesOf, checkpointed, type Draft, witness } from "./book.ts";
import { checkEntries, checkSnapshot } from "./check.ts";
import { StoreBusy, StoreError } from "./errors.ts";
import { openBook, reopenBook } from "./opening.ts";
import type { Hash } from "./record.ts";
import {
  type AppendOptions,
  type Entry,
  type LogSize,
  type Recovered,
  STORE_LIMITS,
  type Store,
  type StoreOptions,
  type WriteOptions,
} from "./store.ts";

/** A store on any backend. */
export function durable(backend: Backend, hash: Hash): Store {
  return new Durable(backend, hash);
}

/** What a call asks to be written: entries, or a snapshot. */
type Job = { readonly entries: readonly Entry[] } | { readonly snapshot: Uint8Array };

interface WaitingCall {
  readonly job: Job;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

const DONE = Promise.resolve();

/**
 * Calls that wait for the disk are served in order. A synced write costs the same for one entry as for many, so appends that
 * wait together are written together. When a write fails, so do all that wait behind it: they were made by a caller who took
 * it for granted.
 */
class Durable implements Store {
  readonly #backend: Backend;
  readonly #hash: Hash;
  readonly #waiting: WaitingCall[] = [];
  #serving: Promise<void> | null = null;
  #state: "closed" | "opening" | "open" | "closing" = "closed";
  #leaving: Promise<void> | null = null;
  #book: Book = blank(1);
  /** The last write failed: nobody knows how much of it arrived. */
  #inDoubt = false;

  constructor(backend: Backend, hash: Hash) {
    this.#backend = backend;
    this.#hash = hash;
  }

  get size(): LogSize {
    return this.#book.size;
  }

  async open({ signal }: StoreOptions = {}): Promise<Recovered> {
    if (this.#state !== "closed") throw new StoreBusy(this.#backend.place);
    signal?.throwIfAborted();
    this.#state = "opening";
    try {
      const { book, told } = await openBook(this.#backend, this.#hash, signal);
      this.#book = book;
      signal?.throwIfAborted();
      this.#inDoubt = false;
      this.#state = "open";
      return told;
    } catch (error) {
      await this.#letGo();
      this.#state = "closed";
      throw error;
    }
  }

  append(entries: readonly Entry[], { signal, given, later }: AppendOptions = {}): Promise<void> {
    try {
      this.#mustBeOpen();
      const copies = checkEntries(entries, given);
      return copies.length + this.#waiting.length > 0 ? this.#join({ entries: copies }, signal, later) : DONE;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async checkpoint(snapshot: Uint8Array, { signal, given }: WriteOptions = {}): Promise<void> {
    this.#mustBeOpen();
    await this.#join({ snapshot: checkSnapshot(snapshot, given) }, signal);
  }

  async erase(): Promise<void> {
    this.#mustBeOpen();
    this.#leaving = this.#leave(async () => {
      if (this.#inDoubt) {
        await this.#backend.close();
        await this.#backend.open();
      }
      await this.#backend.erase();
    });
    await this.#leaving;
  }

  async close(): Promise<void> {
    if (this.#state === "open") this.#leaving = this.#leave(() => this.#backend.close());
    if (this.#state === "closing") await this.#leaving;
  }

  async #leave(way: () => Promise<void>): Promise<void> {
    this.#state = "closing";
    if (this.#waiting.length > 0) this.#serving ??= this.#serve();
    while (this.#serving !== null) await this.#serving;
    try {
      await way();
    } catch (error) {
      await this.#letGo();
      throw error;
    } finally {
      this.#state = "closed";
      this.#book = blank(1);
    }
  }

  /** After an error that is worth more than a second one. */
  async #letGo(): Promise<void> {
    await this.#backend.close().catch(() => {});
  }

  #join(job: Job, signal: AbortSignal | undefined, later = false): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      this.#waiting.push(
        signal === undefined ? { job, done: resolve, fail: reject } : this.#whileWanted(job, signal, resolve, reject),
      );
      if (!later) this.#serving ??= this.#serve();
    });
  }

  /** A call that goes away when the signal comes. */
  #whileWanted(job: Job, signal: AbortSignal, resolve: () => void, reject: (error: unknown) => void): WaitingCall {
    const forget = onAbort(signal, () => {
      const at = this.#waiting.indexOf(call);
      // It waits no more: the write has begun, and its outcome is the answer.
      if (at >= 0) this.#waiting.splice(at, 1)[0]!.fail(signal.reason);
    });
    const unless = (settle: () => void): void => {
      forget();
      settle();
    };
    const call: WaitingCall = { job, done: () => unless(resolve), fail: (error) => unless(() => reject(error)) };
    return call;
  }

  /** One turn later, so that calls made together are served together. */
  async #serve(): Promise<void> {
    await null;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, together(this.#waiting));
      try {
        await this.#commit(group.map(({ job }) => job));
        for (const { done } of group) done();
      } catch (error) {
        for (const { fail } of [...group, ...this.#waiting.splice(0)]) fail(error);
      }
    }
    this.#serving = null;
  }

  /** One batch for a group of calls. The book changes only when the batch is on the disk. */
  async #commit(group: readonly Job[]): Promise<void> {
    if (this.#inDoubt) {
      this.#book = await reopenBook(this.#backend, this.#hash, this.#book);
      this.#inDoubt = false;
    }
    const [first] = group;
    const draft =
      first !== undefined && "snapshot" in first
        ? await checkpointed(this.#book, first.snapshot, this.#hash)
        : this.#appended(group);
    const { book, changes } = draft;
    try {
      await this.#backend.write(changes, witness(book, this.#hash));
    } catch (error) {
      this.#inDoubt = true;
      throw error;
    }
    this.#book = book;
  }

  #appended(group: readonly Job[]): Draft {
    const appends = group.flatMap((job) => ("entries" in job ? [job.entries] : []));
    const draft = appended(this.#book, appends, this.#hash);
    const { size } = draft.book;
    if (size.entries > STORE_LIMITS.logEntries || size.bytes > STORE_LIMITS.logBytes) {
      throw new StoreError(
        "log-full",
        `the store ${this.#backend.place} has ${this.#book.size.entries} entries since its last checkpoint and takes no more before the next`,
      );
    }
    return draft;
  }

  #mustBeOpen(): void {
    if (this.#state !== "open") throw new StoreError("closed", `the store ${this.#backend.place} is not open`);
  }
}

/** How many from the front fit into one batch: one snapshot alone, or appends up to the limits. */
function together(waiting: readonly WaitingCall[]): number {
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
