import type { Contents } from "./backend.ts";
import type { Hash } from "./record.ts";
import { entriesOf, recover } from "./recover.ts";

/** What a store holds, for people. */
export interface Summary {
  readonly incarnation: number;
  /** First and last place of the log on the disk; null if it is empty. */
  readonly sequence: { readonly first: number; readonly last: number } | null;
  /** Of the snapshot that would be restored. */
  readonly snapshot: { readonly sequence: number; readonly bytes: number } | null;
  /** What would be replayed after it, by kind. */
  readonly entries: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
  readonly intact: boolean;
  /** What is wrong, if it is not intact. */
  readonly fault: string | null;
}

/** Judges by the same eyes as opening does, and changes nothing. */
export function summarise(contents: Contents, hash: Hash): Summary {
  const { snapshot, log, fault, book } = recover(contents, hash);
  const entries: Record<string, { count: number; bytes: number }> = {};
  for (const { kind, body } of entriesOf(log)) {
    entries[kind] ??= { count: 0, bytes: 0 };
    entries[kind].count += 1;
    entries[kind].bytes += body.length;
  }
  return {
    incarnation: book.incarnation,
    sequence: book.first > book.head.sequence ? null : { first: book.first, last: book.head.sequence },
    snapshot: snapshot && { sequence: snapshot.sequence, bytes: snapshot.body.length },
    entries,
    intact: fault === null,
    fault,
  };
}
