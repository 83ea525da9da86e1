import { grown, NO_LOG } from "../store/book.ts";
import { StoreError } from "../store/errors.ts";
import type { Entry, LogSize, Store } from "../store/store.ts";

/** A snapshot pays once the log is this part of it: where much is kept, writing all of it often would cost the most. */
const PART = 1 / 16;
/** So many entries never wait for a snapshot, whatever it costs: a store takes 200,000 after the last one. */
const MOST_ENTRIES = 50_000;

/** Keeps a peer's life on its disk: entry by entry, and from time to time as a snapshot that stands for them all. */
export class Keeper {
  readonly #store: Store;
  readonly #snapshotEvery: number;
  readonly #snapshot: () => Uint8Array;
  /** Handed over since the last snapshot; the store itself counts only what has reached the disk. */
  #log: LogSize;
  #snapshotBytes = 0;
  #saving = 0;
  /** Whether what was handed over last waits for a write that somebody waits for. */
  #waits = false;
  /** Ends when all that was handed over so far has reached the disk, or failed to. */
  #last: Promise<void> = Promise.resolve();
  /** Why the disk can no longer follow. Memory is ahead of it then, and only opening anew brings them together. */
  #broken: Error | null = null;

  constructor(store: Store, snapshotEvery: number, snapshot: () => Uint8Array) {
    this.#store = store;
    this.#snapshotEvery = snapshotEvery;
    this.#snapshot = snapshot;
    this.#log = store.size;
  }

  requireWhole(): void {
    if (this.#broken !== null) throw new StoreError("closed", `open the store again: ${this.#broken.message}`);
  }

  /** Entries whose bytes nobody touches again. When it resolves they survive a crash; `later` with the next that somebody waits for. */
  write(entries: readonly Entry[], later = false): Promise<void> {
    const written = this.#store.append(entries, { given: true, later });
    this.#waits = later;
    this.#log = grown(this.#log, entries);
    // A snapshot would have to wait for what the peer has not done yet.
    if (later || !this.#pays()) return this.#durably(written);
    // Taken in the same breath as the append above, so it stands for it too.
    return this.#durably(both(written, this.#checkpoint()));
  }

  /** The first entries of a life, and a snapshot at once: its name stands in two places from then on. */
  begin(entries: readonly Entry[]): Promise<void> {
    return this.#durably(both(this.#store.append(entries, GIVEN), this.#checkpoint()));
  }

  /** When it resolves, everything written down until now survives a crash. */
  async caughtUp(): Promise<void> {
    await Promise.allSettled([this.#waits ? this.write([]) : null, this.#last]);
    this.requireWhole();
  }

  /** The state is another one now. `mark` says so, and means nothing where it is lived through again. */
  async replace(mark: Entry): Promise<void> {
    const bytes = this.#snapshot();
    this.#log = NO_LOG;
    this.#snapshotBytes = bytes.length;
    // Twice: recovery may fall back on the snapshot before the last one, and must not find the old state there.
    const first = this.#store.checkpoint(bytes, GIVEN);
    // Snapshots are known by their place in the log: without an entry between them the second would replace the first.
    const between = this.#store.append([mark], GIVEN);
    await this.#durably(Promise.all([first, between, this.#store.checkpoint(bytes, GIVEN)]).then(() => {}));
  }

  /** One snapshot at a time, unless very much is written in one turn. */
  #pays(): boolean {
    const { entries, bytes } = this.#log;
    if (entries >= MOST_ENTRIES) return true;
    return this.#saving === 0 && entries >= this.#snapshotEvery && bytes >= PART * this.#snapshotBytes;
  }

  async #checkpoint(): Promise<void> {
    const snapshot = this.#snapshot();
    this.#log = NO_LOG;
    this.#snapshotBytes = snapshot.length;
    this.#saving += 1;
    try {
      await this.#store.checkpoint(snapshot, GIVEN);
    } finally {
      this.#saving -= 1;
    }
  }

  #durably(writing: Promise<void>): Promise<void> {
    this.#last = writing.catch((error: unknown) => {
      this.#broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    });
    return this.#last;
  }
}

const GIVEN = { given: true } as const;

const both = async (one: Promise<void>, other: Promise<void>): Promise<void> => {
  await Promise.all([one, other]);
};
