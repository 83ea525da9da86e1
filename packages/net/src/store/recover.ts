import { sameBytes } from "../bytes.ts";
import { type Contents, parseKey } from "./backend.ts";
import { type Book, grown, type Head, NO_LOG, START } from "./book.ts";
import { type Hash, otherVersion, read, type WrittenRecord } from "./record.ts";

/** What the contents of a backend are worth. Pure: every medium is judged by the same eyes. */
export interface RecoveryPlan {
  /** Nothing was ever written here. */
  readonly fresh: boolean;
  /** The first thing found wrong, or null. Whatever it is, `snapshot` and `log` are good. */
  readonly fault: string | null;
  /** Of records that another version of the program wrote, whole and well; null where there are none. */
  readonly otherVersion: number | null;
  /** The last good snapshot, or null for the beginning of the log. */
  readonly snapshot: WrittenRecord | null;
  /** The longest unbroken run of records behind the snapshot. */
  readonly log: readonly WrittenRecord[];
  /** How to write on, if there is no fault. Its incarnation is the highest that anything here speaks of. */
  readonly book: Book;
}

/** All records that can be read, in order. */
interface Sorted {
  readonly log: ReadonlyMap<number, WrittenRecord>;
  readonly snapshots: readonly WrittenRecord[];
  readonly faults: string[];
  readonly otherVersion: number | null;
}

export function recover(contents: Contents, hash: Hash): RecoveryPlan {
  const sorted = sort(contents, hash);
  const witness = contents.witness === null ? null : read(contents.witness, hash);
  const fresh = !contents.known && contents.witness === null && contents.fault === null && contents.pairs.size === 0;
  const { snapshot, log } = furthest(sorted);
  const head = log.length > 0 ? headOf(log[log.length - 1]!) : snapshot === null ? START : basis(snapshot);
  const faults = [...sorted.faults, ...broken(sorted)];
  if (!fresh && head.sequence === 0) faults.push("there are no records");
  const written = highest(sorted, (record) => record.incarnation);
  // A witness that cannot be read proves nothing, and the chain can stand without it.
  if (witness !== null && typeof witness !== "string") faults.push(...unheard(witness, written, head, sorted));
  if (!fresh && contents.incarnation > written) {
    faults.push(`the records are of incarnation ${written}, but incarnation ${contents.incarnation} had begun`);
  }
  const known = witness === null || typeof witness === "string" ? 0 : witness.incarnation;
  const book: Book = {
    incarnation: Math.max(written, known, contents.incarnation),
    head,
    first: firstOf(sorted),
    snapshots: sorted.snapshots.map((it) => it.sequence),
    size: grown(NO_LOG, entriesOf(log)),
  };
  const fault = told(contents.fault === null ? faults : [contents.fault, ...faults]);
  return { fresh, fault, otherVersion: sorted.otherVersion, snapshot, log, book };
}

/** The first record of the log; behind the oldest snapshot where there is none. */
function firstOf({ log, snapshots }: Sorted): number {
  let first = (snapshots[0]?.sequence ?? 0) + 1;
  for (const sequence of log.keys()) first = Math.min(first, sequence);
  return first;
}

/** What the store's owner appended; the rest of a log is the store's own. */
export const entriesOf = (log: readonly WrittenRecord[]): WrittenRecord[] =>
  log.filter((record) => record.role === "entry");

const told = (faults: readonly string[]): string | null =>
  faults.length > 1 ? `${faults[0]} (and ${faults.length - 1} more)` : (faults[0] ?? null);

function sort(contents: Contents, hash: Hash): Sorted {
  const log = new Map<number, WrittenRecord>();
  const snapshots: WrittenRecord[] = [];
  const faults: string[] = [];
  let other: number | null = null;
  for (const [key, bytes] of contents.pairs) {
    const place = parseKey(key);
    const record = read(bytes, hash);
    if (typeof record === "string") other ??= otherVersion(bytes, hash);
    if (place === null) faults.push(`the key ${JSON.stringify(key.slice(0, 40))} is none of ours`);
    else if (typeof record === "string") faults.push(`${place.kind} record ${place.sequence} ${record}`);
    else if (record.sequence !== place.sequence || (record.role === "snapshot") !== (place.kind === "snapshot")) {
      faults.push(`${place.kind} record ${place.sequence} belongs elsewhere`);
    } else if (place.kind === "snapshot") snapshots.push(record);
    else log.set(place.sequence, record);
  }
  snapshots.sort((a, b) => a.sequence - b.sequence);
  return { log, snapshots, faults, otherVersion: other };
}

const headOf = (record: WrittenRecord): Head => ({ sequence: record.sequence, link: record.link });
/** Where the log goes on behind a snapshot: at the record that the snapshot speaks up to. */
const basis = (snapshot: WrittenRecord): Head => ({ sequence: snapshot.sequence, link: snapshot.previous });

/** The records that follow from `head`, as far as they do. */
function follow(log: ReadonlyMap<number, WrittenRecord>, head: Head): WrittenRecord[] {
  const run: WrittenRecord[] = [];
  for (let at = head; ; at = headOf(run[run.length - 1]!)) {
    const next = log.get(at.sequence + 1);
    if (next === undefined || !sameBytes(next.previous, at.link)) return run;
    run.push(next);
  }
}

/** Without an append of which the end is missing: it is all or nothing. */
function whole(run: readonly WrittenRecord[]): readonly WrittenRecord[] {
  let end = run.length;
  while (end > 0 && run[end - 1]!.more) end -= 1;
  return run.slice(0, end);
}

/** The snapshot from which the log reaches furthest; of equals the newest, which leaves least to replay. */
function furthest({ log, snapshots }: Sorted): { snapshot: WrittenRecord | null; log: readonly WrittenRecord[] } {
  let best: { snapshot: WrittenRecord | null; log: readonly WrittenRecord[] } = {
    snapshot: null,
    log: whole(follow(log, START)),
  };
  let end = best.log.length;
  for (const snapshot of snapshots) {
    const run = whole(follow(log, basis(snapshot)));
    if (snapshot.sequence + run.length < end) continue;
    best = { snapshot, log: run };
    end = snapshot.sequence + run.length;
  }
  return best;
}

/** The first break of the chain from the oldest snapshot, or from the start, to the last record. */
function broken(sorted: Sorted): string[] {
  const { log, snapshots } = sorted;
  const oldest = log.has(1) || snapshots.length === 0 ? START : basis(snapshots[0]!);
  const run = follow(log, oldest);
  const end = run.length === 0 ? oldest : headOf(run[run.length - 1]!);
  if (end.sequence < highest(sorted, (record) => record.sequence)) {
    const next = end.sequence + 1;
    return [log.has(next) ? `log record ${next} does not follow from the one before` : `log record ${next} is missing`];
  }
  if (whole(run).length < run.length) return [`the append of log record ${end.sequence} has no end`];
  // Whoever takes a snapshot away leaves two: with one alone nobody did, and the log before it shows that there was another.
  if (snapshots.length < 2 && log.size > run.length) return ["a snapshot is missing"];
  const astray = snapshots.find((it) => {
    const link = it.sequence === oldest.sequence ? oldest.link : log.get(it.sequence)?.link;
    return link === undefined || !sameBytes(it.previous, link);
  });
  return astray === undefined ? [] : [`snapshot record ${astray.sequence} is of another log`];
}

/** Not `Math.max(...all)`: a log may be longer than an argument list. */
function highest({ log, snapshots }: Sorted, figure: (record: WrittenRecord) => number): number {
  let most = 0;
  for (const record of log.values()) most = Math.max(most, figure(record));
  for (const record of snapshots) most = Math.max(most, figure(record));
  return most;
}

/** What the witness saw and the log does not show. A witness of an earlier incarnation was overtaken by a repair. */
function unheard(witness: WrittenRecord, incarnation: number, head: Head, { log }: Sorted): string[] {
  if (witness.incarnation < incarnation) return [];
  if (witness.incarnation > incarnation || witness.sequence > head.sequence) {
    return [`the log ends at record ${head.sequence}, but record ${witness.sequence} had been acknowledged`];
  }
  const link = log.get(witness.sequence)?.link;
  const rewritten = link !== undefined && !sameBytes(link, witness.previous);
  return rewritten ? [`log record ${witness.sequence} is not the one that was acknowledged`] : [];
}
