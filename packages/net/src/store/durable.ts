import type { Backend } from "./backend.ts";
import { appended, type Book, begun, blank, checkpointed, type Draft, witness } from "./book.ts";
import { checkEntries, checkSnapshot } from "./check.ts";
import { StoreBusy, StoreError } from "./errors.ts";
import { type Hash, RECORD_VERSION } from "./record.ts";
import { type RecoveryPlan, recover } from "./recover.ts";
import { cutBack, rebuilt, recovered } from "./repair.ts";
import {
  type AppendOptions,
  type Entry,
  type LogSize,
  type Recovered,
  STORE_LIMITS,
  type Store,
  type StoreOptions,
} from "./store.ts";
import { type Job, WriteQueue } from "./writeQueue.ts";

/** A store on any backend. */
export function durable(backend: Backend, hash: Hash): Store {
  return new Durable(backend, hash);
}

/** What stands there is not damaged, and must not be treated so. */
const ofVersion = (place: string, version: number): StoreError =>
  new StoreError(
    "version",
    `the store ${place} has records of version ${version}, and this program reads version ${RECORD_VERSION}: run the program that wrote it, or restore a backup that this one made`,
  );

const DONE = Promise.resolve();

class Durable implements Store {
  readonly #backend: Backend;
  readonly #hash: Hash;
  readonly #line = new WriteQueue((group) => this.#commit(group));
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
      const recovery = recover(await this.#backend.open(), this.#hash);
      signal?.throwIfAborted();
      if (recovery.otherVersion !== null) throw ofVersion(this.#backend.place, recovery.otherVersion);
      const told = await this.#begin(recovery);
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

  async #begin(recovery: RecoveryPlan): Promise<Recovered> {
    if (recovery.fresh) {
      const { book, changes } = begun(blank(recovery.book.incarnation), null, this.#hash);
      await this.#backend.write(changes, witness(book, this.#hash));
      this.#book = book;
    } else if (recovery.fault === null) {
      this.#book = recovery.book;
    } else {
      const why = { reason: recovery.fault, keptAt: await this.#backend.quarantine() };
      const { book, pairs } = rebuilt(recovery, why, this.#hash);
      await this.#backend.replace(pairs, book.incarnation, witness(book, this.#hash));
      this.#book = book;
      return { ...recovered({ ...recovery, book }), quarantined: why };
    }
    await this.#backend.settle();
    return recovered({ ...recovery, book: this.#book });
  }

  append(entries: readonly Entry[], { signal, given }: AppendOptions = {}): Promise<void> {
    try {
      this.#mustBeOpen();
      const copies = checkEntries(entries, given);
      return copies.length > 0 ? this.#line.join({ entries: copies }, signal) : DONE;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async checkpoint(snapshot: Uint8Array, { signal }: StoreOptions = {}): Promise<void> {
    this.#mustBeOpen();
    await this.#line.join({ snapshot: checkSnapshot(snapshot) }, signal);
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
    await this.#line.idle();
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

  /** One batch for a group of calls. The book changes only when the batch is on the disk. */
  #commit(group: readonly Job[]): Promise<void> {
    return this.#inDoubt ? this.#resolveDoubt().then(() => this.#put(group)) : this.#put(group);
  }

  #put(group: readonly Job[]): Promise<void> {
    const { book, changes } = this.#draft(group);
    return this.#backend.write(changes, witness(book, this.#hash)).then(
      () => {
        this.#book = book;
      },
      (error: unknown) => {
        this.#inDoubt = true;
        throw error;
      },
    );
  }

  #draft(group: readonly Job[]): Draft {
    const [first] = group;
    if (first !== undefined && "snapshot" in first) return checkpointed(this.#book, first.snapshot, this.#hash);
    const appends: (readonly Entry[])[] = [];
    for (const job of group) if ("entries" in job) appends.push(job.entries);
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

  /**
   * A database goes on after a failed write as if nothing had been, and may lose what comes next. So the backend is
   * opened anew, and cut back to what was acknowledged, before anything more is written.
   */
  async #resolveDoubt(): Promise<void> {
    await this.#backend.close();
    const recovery = recover(await this.#backend.open(), this.#hash);
    const cut = cutBack(recovery, this.#book);
    if (cut === null) {
      const what = recovery.fault ?? "acknowledged records are missing";
      throw new StoreError(
        "damaged",
        `the store ${this.#backend.place} is damaged (${what}): open it again to recover`,
      );
    }
    if (cut.changes.length > 0) await this.#backend.write(cut.changes, witness(cut.book, this.#hash));
    await this.#backend.settle();
    this.#book = cut.book;
    this.#inDoubt = false;
  }

  #mustBeOpen(): void {
    if (this.#state !== "open") throw new StoreError("closed", `the store ${this.#backend.place} is not open`);
  }
}
