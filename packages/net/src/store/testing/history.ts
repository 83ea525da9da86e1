import { sameBytes as same } from "../../bytes.ts";
import type { Entry, Recovered } from "../store.ts";

/** Entries that anybody can check: the n-th one is always the same, so a log is known by its length. */

const KINDS = ["reward", "choice", "exchange.applied"] as const;

export function entry(n: number): Entry {
  const body = new Uint8Array(4 + ((n * 37) % 300)).map((_, i) => (n * 131 + i * 7) & 0xff);
  new DataView(body.buffer).setUint32(0, n, true);
  return { kind: KINDS[n % KINDS.length]!, body };
}

export const entries = (from: number, to: number): Entry[] =>
  Array.from({ length: to - from }, (_, i) => entry(from + i));

/** Stands for the first `length` entries; some bytes more, so that there is something to damage. */
export function snapshotOf(length: number): Uint8Array {
  const bytes = new Uint8Array(500).map((_, i) => (length * 17 + i) & 0xff);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}

/** How many entries a recovery gives back. Throws unless they are exactly the first so many, in order. */
export function lengthOf({ snapshot, entries: replayed }: Recovered): number {
  const start = snapshot === null ? 0 : new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(0, true);
  if (snapshot !== null && !same(snapshot, snapshotOf(start))) throw new Error(`snapshot of ${start} has other bytes`);
  replayed.forEach(({ kind, body }, i) => {
    const wanted = entry(start + i);
    if (kind !== wanted.kind || !same(body, wanted.body)) throw new Error(`entry ${start + i} is another one: ${kind}`);
  });
  return start + replayed.length;
}
