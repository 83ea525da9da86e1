import type { Claim, SignedEntry } from "./entry.ts";

/** Entries that are remembered: several times what a peer has in view. All go at once when there are more. */
const MOST = 512;

const seen = new Map<number, SignedEntry>();

/**
 * An entry in memory of its own; the same one as before where its bytes came before. Peers mostly tell each other what is known, and
 * what one process heard once it need not read again. It says nothing of whether an entry is genuine.
 */
export function seenEntry(bytes: Uint8Array, signature: Uint8Array, read: (bytes: Uint8Array) => Claim): SignedEntry {
  const key = beginningOf(signature);
  const before = seen.get(key);
  if (before !== undefined && same(before.signature, signature) && same(before.bytes, bytes)) return before;
  const memory = new Uint8Array(bytes.length + signature.length);
  memory.set(bytes);
  memory.set(signature, bytes.length);
  const kept = memory.subarray(0, bytes.length);
  const entry = { claim: read(kept), bytes: kept, signature: memory.subarray(bytes.length) };
  if (seen.size >= MOST) seen.clear();
  seen.set(key, entry);
  return entry;
}

/** The first bytes of a signature are as good as random; who makes up two that are alike has each read anew. */
function beginningOf(signature: Uint8Array): number {
  let key = 0;
  for (let k = 0; k < 6; k++) key = 256 * key + signature[k]!;
  return key;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
