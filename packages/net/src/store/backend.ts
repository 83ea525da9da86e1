import { digitsOf } from "../hex.ts";

/**
 * What a medium must be able to do to carry a store: an ordered map of keys to bytes with one atomic, synced batch.
 * All that is clever (chain, recovery, limits) stands above it and is shared; LevelDB, IndexedDB and memory are backends.
 */

export interface KeyChange {
  readonly key: string;
  /** null takes the key away. */
  readonly value: Uint8Array | null;
}

/** What a backend holds, read in full when it is opened. */
export interface Contents {
  readonly pairs: ReadonlyMap<string, Uint8Array>;
  /** The last witness given to `write`, or an older one: it is written behind the batch and not synced. */
  readonly witness: Uint8Array | null;
  /** What the medium itself found wrong. `pairs` is then what could still be read. */
  readonly fault: string | null;
  /** Whether a store was ever finished here; if not, an empty backend is a new one, else an emptied one. */
  readonly known: boolean;
  /** The incarnation that the medium gives this place, apart from its records. 1 for a new one. */
  readonly incarnation: number;
}

export interface Backend {
  /** For messages. */
  readonly place: string;
  /** Takes the backend for this opener alone, or throws `StoreBusy`. */
  open(): Promise<Contents>;
  /** The contents are good: go on with them. Comes after `open`, and after the first write of a new store. */
  settle(): Promise<void>;
  /** Keeps the damaged contents as they were before `open`, never to be changed again, and says where. */
  quarantine(): Promise<string>;
  /** Starts anew with these pairs. A crash on the way leaves the old contents or the new ones. */
  replace(pairs: ReadonlyMap<string, Uint8Array>, incarnation: number, witness: Uint8Array): Promise<void>;
  /** All changes or none, on the disk when it resolves; the witness follows behind them. null leaves the old one. */
  write(changes: readonly KeyChange[], witness: Uint8Array | null): Promise<void>;
  /** Leaves nothing, and closes. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

/** Keys sort as their sequences do: 14 hex digits hold every whole number up to 2^53. */
const digits = (sequence: number): string =>
  sequence <= 0xffffffff ? `000000${digitsOf(sequence)}` : sequence.toString(16).padStart(14, "0");
export const logKey = (sequence: number): string => `log/${digits(sequence)}`;
export const snapshotKey = (sequence: number): string => `snapshot/${digits(sequence)}`;

export function parseKey(key: string): { readonly kind: "log" | "snapshot"; readonly sequence: number } | null {
  const kind = key.startsWith("log/") ? "log" : "snapshot";
  const sequence = Number.parseInt(key.slice(kind.length + 1), 16);
  // Only what `logKey` and `snapshotKey` would spell so is one of ours.
  return `${kind}/${digits(sequence)}` === key ? { kind, sequence } : null;
}
