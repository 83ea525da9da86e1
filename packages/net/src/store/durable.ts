import { appended, type Book, begun, blank, checkpointed, type Draft, witness } from "./book.ts";
import { checkEntries, checkSnapshot } from "./check.ts";
import { StoreBusy, StoreError } from "./errors.ts";
import { type Job, Line } from "./line.ts";
import { type Hash, RECORD_VERSION } from "./record.ts";
import { recover, type Verdict } from "./recover.ts";
import { cutBack, rebuilt, recovered } from "./repair.ts";
import type { Shelf } from "./shelf.ts";
import {
  type AppendOptions,
  type Entry,
  type LogSize,
  type Recovered,
  STORE_LIMITS,
  type Store,
  type StoreOptions,
} from "./store.ts";

/** A store on any shelf. */
export function durable(shelf: Shelf, hash: Hash): Store {
  return new Durable(shelf, hash);
}

/** What stands there is not damaged, and must not be treated so. */
const ofVersion = (place: string, version: number): StoreError =>
  new StoreError(
    "version",
    `the store ${place} has records of version ${version}, and this program reads version ${RECORD_VERSION}: run the program that wrote it, or restore a backup that this one made`,
  );

const DONE = Promise.resolve();

class Durable implements Store {
  readonly #shelf: Shelf;
  readonly #hash: Hash;
  readonly #line = new Line((group) => this.#commit(group));
  #state: "closed" | "opening" | "open" | "closing" = "closed";
  #leaving: Promise<void> | null = null;
  #book: Book = blank(1);
  /** The last write failed: nobody knows how much of it arrived. */
  #inDoubt = false;

  constructor(shelf: Shelf, hash: Hash) {
    this.#shelf = shelf;
    this.#hash = hash;
  }

  get size(): LogSize {
    return this.#book.size;
  }

  async open({ signal }: StoreOptions = {}): Promise<Recovered> {
    if (this.#state !== "closed") throw new StoreBusy(this.#shelf.place);
    signal?.throwIfAborted();
    this.#state = "opening";
    try {
      const verdict = recover(await this.#shelf.open(), this.#hash);
      signal?.throwIfAborted();
      if (verdict.otherVersion !== null) throw ofVersion(this.#shelf.place, verdict.otherVersion);
      const told = await this.#begin(verdict);
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

  async #begin(verdict: Verdict): Promise<Recovered> {
    if (verdict.fresh) {
      const { book, changes } = begun(blank(verdict.book.incarnation), null, this.#hash);
      await this.#shelf.write(changes, witness(book, this.#hash));
      this.#book = book;
    } else if (verdict.fault === null) {
      this.#book = verdict.book;
    } else {
      const why = { reason: verdict.fault, keptAt: await this.#shelf.quarantine() };
      const { book, pairs } = rebuilt(verdict, why, this.#hash);
      await this.#shelf.replace(pairs, book.incarnation, witness(book, this.#hash));
      this.#book = book;
      return { ...recovered({ ...verdict, book }), quarantined: why };
    }
    await this.#shelf.settle();
    return recovered({ ...verdict, book: this.#book });
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
        await this.#shelf.close();
        await this.#shelf.open();
      }
      await this.#shelf.erase();
    });
    await this.#leaving;
  }

  async close(): Promise<void> {
    if (this.#state === "open") this.#leaving = this.#leave(() => this.#shelf.close());
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
    await this.#shelf.close().catch(() => {});
  }

  /** One batch for a group of calls. The book changes only when the batch is on the disk. */
  #commit(group: readonly Job[]): Promise<void> {
    return this.#inDoubt ? this.#resolveDoubt().then(() => this.#put(group)) : this.#put(group);
  }

  #put(group: readonly Job[]): Promise<void> {
    const { book, changes } = this.#draft(group);
    return this.#shelf.write(changes, witness(book, this.#hash)).then(
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
        `the store ${this.#shelf.place} has ${this.#book.size.entries} entries since its last checkpoint and takes no more before the next`,
      );
    }
    return draft;
  }

  /**
   * A database goes on after a failed write as if nothing had been, and may lose what comes next. So the shelf is
   * opened anew, and cut back to what was acknowledged, before anything more is written.
   */
  async #resolveDoubt(): Promise<void> {
    await this.#shelf.close();
    const verdict = recover(await this.#shelf.open(), this.#hash);
    const cut = cutBack(verdict, this.#book);
    if (cut === null) {
      const what = verdict.fault ?? "acknowledged records are missing";
      throw new StoreError("damaged", `the store ${this.#shelf.place} is damaged (${what}): open it again to recover`);
    }
    if (cut.changes.length > 0) await this.#shelf.write(cut.changes, witness(cut.book, this.#hash));
    await this.#shelf.settle();
    this.#book = cut.book;
    this.#inDoubt = false;
  }

  #mustBeOpen(): void {
    if (this.#state !== "open") throw new StoreError("closed", `the store ${this.#shelf.place} is not open`);
  }
}
