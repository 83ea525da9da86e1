import { type KeyChange, logKey, snapshotKey } from "./backend.ts";
import { bodyBytes, piecesOf } from "./longEntry.ts";
import { type Hash, LINK_BYTES, RECORD_OVERHEAD, type Role, type StoreRecord, write, writeBeside } from "./record.ts";
import type { Entry, LogSize, Quarantine } from "./store.ts";

/** A place in the chain: the next record follows from here. */
export interface Head {
  readonly sequence: number;
  readonly link: Uint8Array;
}

/** Before the first record. */
export const START: Head = { sequence: 0, link: new Uint8Array(LINK_BYTES) };

/** What an open store must know to write on. Never changed in place: a failed write leaves the book as it was. */
export interface Book {
  readonly incarnation: number;
  readonly head: Head;
  /** The first record of the log on the disk (`head.sequence + 1` when there is none). */
  readonly first: number;
  /** Sequences of the snapshots on the disk, ascending: at most two. */
  readonly snapshots: readonly number[];
  /** Since the newest snapshot. */
  readonly size: LogSize;
}

/** A book to be, and what must be written for it. */
export interface Draft {
  readonly book: Book;
  readonly changes: readonly KeyChange[];
}

export const NO_LOG: LogSize = { entries: 0, bytes: 0 };
const NOTHING = new Uint8Array(0);

/** The book of a store in which nothing stands yet. */
export const blank = (incarnation: number): Book => ({
  incarnation,
  head: START,
  first: 1,
  snapshots: [],
  size: NO_LOG,
});

/** Entries chained behind the head, append by append. */
export function appended(book: Book, appends: readonly (readonly Entry[])[], hash: Hash): Draft {
  const changes: KeyChange[] = [];
  let { head, size } = book;
  for (const entries of appends) {
    head = chain(changes, { ...book, head }, "entry", entries, hash);
    size = grown(size, entries);
  }
  return { book: { ...book, head, size }, changes };
}

/** The first record of an incarnation, which says why there is a new one. */
export function begun(book: Book, why: Quarantine | null, hash: Hash): Draft {
  const body = why === null ? NOTHING : new TextEncoder().encode(JSON.stringify(why));
  const changes: KeyChange[] = [];
  const head = chain(changes, book, "beginning", [{ kind: "", body }], hash);
  return { book: { ...book, head }, changes };
}

/** Adds the records of one append to `changes`, and returns where they end. */
function chain(changes: KeyChange[], book: Book, role: Role, entries: readonly Entry[], hash: Hash): Head {
  const { incarnation } = book;
  let { head } = book;
  for (let i = 0; i < entries.length; i++) {
    const { kind } = entries[i]!;
    const [body, tail] = piecesOf(entries[i]!);
    const sequence = head.sequence + 1;
    const more = i < entries.length - 1;
    const written = write({ role, more, incarnation, sequence, previous: head.link, kind, body }, hash, tail);
    head = { sequence, link: written.link };
    changes.push({ key: logKey(sequence), value: written.bytes });
  }
  return head;
}

/**
 * A new snapshot; of the old ones the newest stays, with the log since then: if the new one is ever found damaged, the
 * old one and that log give the same state.
 */
export async function checkpointed(book: Book, snapshot: Uint8Array, hash: Hash): Promise<Draft> {
  const { sequence } = book.head;
  const earlier = book.snapshots.filter((it) => it < sequence);
  const kept = earlier.slice(-1);
  const first = kept.length === 0 ? book.first : kept[0]! + 1;
  const { bytes } = await writeBeside({ ...beside(book, "snapshot"), body: snapshot }, hash);
  const changes: KeyChange[] = [{ key: snapshotKey(sequence), value: bytes }];
  for (const it of earlier.slice(0, -1)) changes.push({ key: snapshotKey(it), value: null });
  for (let it = book.first; it < first; it++) changes.push({ key: logKey(it), value: null });
  return { book: { ...book, first, snapshots: [...kept, sequence], size: NO_LOG }, changes };
}

/** Says how far the log had come. It lies apart from the log, so it still knows when the log's end is lost. */
export const witness = (book: Book, hash: Hash): Uint8Array => write(beside(book, "witness"), hash).bytes;

function beside(book: Book, role: Role): StoreRecord {
  const { incarnation, head } = book;
  return { role, more: false, incarnation, sequence: head.sequence, previous: head.link, kind: "", body: NOTHING };
}

/** What entries take on the disk. */
export function bytesOf(entries: readonly Entry[]): number {
  let sum = 0;
  for (const entry of entries) sum += RECORD_OVERHEAD + entry.kind.length + bodyBytes(entry);
  return sum;
}

export const grown = (size: LogSize, entries: readonly Entry[]): LogSize => ({
  entries: size.entries + entries.length,
  bytes: size.bytes + bytesOf(entries),
});
