import { ConfigError } from "@coterie/core";
import { bytesOf } from "./book.ts";
import { bodyBytes, LongEntry } from "./longEntry.ts";
import { type Entry, STORE_LIMITS } from "./store.ts";

const KIND = /^[a-z][a-z0-9.-]*$/;

/**
 * Copies of the entries, since they may wait in line while the caller goes on; or the caller's mistake. Those that their
 * caller has given away need no copy.
 */
export function checkEntries(entries: readonly Entry[], given = false): readonly Entry[] {
  const { batchEntries, batchBytes } = STORE_LIMITS;
  if (!Array.isArray(entries)) throw new ConfigError("entries", entries, "be a list");
  if (entries.length > batchEntries) throw new ConfigError("entries", entries, `be at most ${batchEntries} at once`);
  entries.forEach(checkEntry);
  const bytes = bytesOf(entries);
  if (bytes > batchBytes) throw new ConfigError("entries", bytes, `have at most ${batchBytes} bytes together`);
  return given ? entries : entries.map(({ kind, body }) => ({ kind, body: new Uint8Array(body) }));
}

function checkEntry(entry: Entry, i: number): void {
  const { kind } = entry;
  const { kindLength, entryBytes } = STORE_LIMITS;
  if (typeof kind !== "string" || kind.length > kindLength || !KIND.test(kind)) {
    const bound = `be lower-case letters, digits, dots and dashes, at most ${kindLength}, a letter first`;
    throw new ConfigError(`entries[${i}].kind`, kind, bound);
  }
  // One that ends elsewhere is put together only to say that it is too long.
  const body = entry instanceof LongEntry && bodyBytes(entry) <= entryBytes ? entry.head : entry.body;
  bytes(`entries[${i}].body`, body, entryBytes);
}

/** The same of a snapshot. */
export function checkSnapshot(snapshot: Uint8Array, given = false): Uint8Array {
  bytes("snapshot", snapshot, STORE_LIMITS.snapshotBytes);
  return given ? snapshot : new Uint8Array(snapshot);
}

function bytes(field: string, value: unknown, most: number): void {
  if (!(value instanceof Uint8Array)) throw new ConfigError(field, value, "be bytes (a Uint8Array)");
  if (value.length > most) throw new ConfigError(field, value, `have at most ${most} bytes`);
}
