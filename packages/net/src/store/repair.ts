import { type KeyChange, logKey, snapshotKey } from "./backend.ts";
import { type Book, begun, blank, grown, NO_LOG } from "./book.ts";
import type { Hash } from "./record.ts";
import { entriesOf, type RecoveryPlan } from "./recover.ts";
import type { Quarantine, Recovered } from "./store.ts";

/** A damaged store's good part, byte for byte, and behind it the beginning of a new incarnation that says why. */
export function rebuilt(
  verdict: RecoveryPlan,
  why: Quarantine,
  hash: Hash,
): { readonly book: Book; readonly pairs: ReadonlyMap<string, Uint8Array> } {
  const { snapshot, log } = verdict;
  const { book, changes } = begun(
    {
      ...blank(verdict.book.incarnation + 1),
      head: verdict.book.head,
      first: (snapshot?.sequence ?? 0) + 1,
      snapshots: snapshot === null ? [] : [snapshot.sequence],
      size: grown(NO_LOG, entriesOf(log)),
    },
    why,
    hash,
  );
  const pairs = new Map<string, Uint8Array>();
  if (snapshot !== null) pairs.set(snapshotKey(snapshot.sequence), snapshot.bytes);
  for (const record of log) pairs.set(logKey(record.sequence), record.bytes);
  for (const { key, value } of changes) if (value !== null) pairs.set(key, value);
  return { book, pairs };
}

/**
 * After a write of unknown outcome: what lies on the backend, cut back to what was acknowledged. A failed append that
 * arrived after all is taken away; a failed checkpoint that arrived stays, since it stands for acknowledged entries.
 * Null if what was acknowledged is not all there.
 */
export function cutBack(
  verdict: RecoveryPlan,
  acknowledged: Book,
): { readonly book: Book; readonly changes: KeyChange[] } | null {
  const { head } = acknowledged;
  const { snapshot, log } = verdict;
  const link =
    snapshot?.sequence === head.sequence
      ? snapshot.previous
      : log.find((record) => record.sequence === head.sequence)?.link;
  if (verdict.fault !== null || link === undefined || link.some((byte, i) => byte !== head.link[i])) return null;
  const kept = log.filter((record) => record.sequence <= head.sequence);
  const changes = log.slice(kept.length).map((record): KeyChange => ({ key: logKey(record.sequence), value: null }));
  return { book: { ...verdict.book, head, size: grown(NO_LOG, entriesOf(kept)) }, changes };
}

/** What the owner of a store is told when it opens. */
export function recovered({ snapshot, log, book }: Pick<RecoveryPlan, "snapshot" | "log" | "book">): Recovered {
  return {
    incarnation: book.incarnation,
    snapshot: snapshot?.body ?? null,
    entries: entriesOf(log).map(({ kind, body }) => ({ kind, body })),
    quarantined: reported(log),
  };
}

/** Why this incarnation began, as long as nothing was written since. */
function reported(log: RecoveryPlan["log"]): Quarantine | null {
  const last = log[log.length - 1];
  if (last?.role !== "beginning" || last.body.length === 0) return null;
  return JSON.parse(new TextDecoder().decode(last.body)) as Quarantine;
}
