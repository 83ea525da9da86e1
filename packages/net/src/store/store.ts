/**
 * What a peer writes down so that a crash, a restart or a full disk never makes it forget what it has acknowledged.
 *
 * There is one log and one truth: pending choices, exchange records, rewards are all entries of the same log, so no two
 * places can disagree after a crash. A snapshot therefore has to carry every fact that its owner still needs.
 */

/** One thing that happened. The bytes mean nothing to the store. */
export interface Entry {
  /** A short name, for people and for `inspect`: lower-case letters, digits, dots and dashes. */
  readonly kind: string;
  readonly body: Uint8Array;
}

/** What was found damaged, and where the damaged copy is kept; or of which backup the store was made. */
export interface Quarantine {
  readonly reason: string;
  readonly keptAt: string;
  /** Nothing was damaged: the store was restored from a backup. */
  readonly restored?: true;
}

export interface Recovered {
  /** Rises by one whenever something written down may have been lost; others must not mistake us for what we were. */
  readonly incarnation: number;
  /** The last good snapshot. */
  readonly snapshot: Uint8Array | null;
  /** What was appended after the snapshot, in order, bit for bit. */
  readonly entries: readonly Entry[];
  /** Set when this incarnation began with a repair, until something is written again: a crash does not hide it. */
  readonly quarantined: Quarantine | null;
}

/** How much has been appended since the last checkpoint: its owner decides by this when the next one pays. */
export interface LogSize {
  readonly entries: number;
  readonly bytes: number;
}

export interface StoreOptions {
  /** Ends the waiting, never a write that has begun: that one finishes and tells the truth. */
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOptions extends StoreOptions {
  /** The caller will not touch these bytes again, so nobody has to copy them. */
  readonly given?: boolean;
}

export interface AppendOptions extends WriteOptions {
  /** Nobody waits for it: it goes to the disk with the next call that somebody waits for, and saves a synced write of its own. */
  readonly later?: boolean;
}

export interface Store {
  /** Takes the place for this opener alone (`StoreBusy` if somebody has it), checks every record, recovers. */
  open(options?: StoreOptions): Promise<Recovered>;
  /**
   * All of the entries or none, and they are on the disk when the promise resolves. Calls keep their order and may
   * share one synced write. If one fails, all that wait behind it fail too, so that the log never has a hole in what
   * its owner meant. A failed append is gone once a later call succeeds; until then, a restart may still find it.
   * One of no entries waits for all before it.
   */
  append(entries: readonly Entry[], options?: AppendOptions): Promise<void>;
  /**
   * A snapshot that stands for everything given to `append` before this call, acknowledged or not. So do not call it
   * while an append is under way whose effect the snapshot lacks. The snapshot before it is kept with the log since
   * then, so that one damaged snapshot costs nothing; what is older goes away in the same batch.
   */
  checkpoint(snapshot: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Since the last checkpoint. */
  readonly size: LogSize;
  /** Forgets: nothing is left, damaged copies included. The store is closed afterwards. */
  erase(): Promise<void>;
  /** Waits for what is under way. Closing twice is fine. */
  close(): Promise<void>;
}

/** Each call makes a new opener of the same place. */
export type StoreFactory = () => Store;

const MiB = 1024 * 1024;

/** A limit on everything, so that a bug elsewhere fills neither the memory nor the disk. */
export const STORE_LIMITS = {
  kindLength: 64,
  entryBytes: 16 * MiB,
  batchEntries: 4096,
  batchBytes: 64 * MiB,
  snapshotBytes: 256 * MiB,
  /** Of the log since the last checkpoint; beyond it an append fails until the next checkpoint. */
  logEntries: 200_000,
  logBytes: 512 * MiB,
} as const;
