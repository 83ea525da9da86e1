import type { PeerId } from "../gossip/neighbourhood.ts";

/** Sums over observations, with the squares of the rewards: all that a Gaussian model asks for. */
export interface Sums {
  /** Σ x xᵀ (packed) and Σ r x. */
  readonly slot: Float64Array;
  /** Σ r². */
  readonly squares: number;
  readonly count: number;
}

/**
 * What one peer has seen, as it published it: its own sums, nothing borrowed. Only the origin makes versions, and a
 * newer one replaces an older one; so records can be passed on by anybody, twice or late, and nothing counts twice.
 * Never changed once made: views share them. Its numbers are those of 32-bit floats, so that the wire loses nothing.
 */
export interface Record extends Sums {
  readonly origin: PeerId;
  /** Counted from 1. */
  readonly version: number;
  /** `originHash(origin)`. */
  readonly hash: number;
  /** The origin's, over the record's canonical bytes (wire/records.ts); null where nobody signs. */
  readonly signature: Uint8Array | null;
}

export function publish(origin: PeerId, version: number, sums: Sums): Record {
  return {
    origin,
    version,
    hash: originHash(origin),
    slot: sums.slot.map(Math.fround),
    squares: Math.fround(sums.squares),
    count: sums.count,
    signature: null,
  };
}

/** 32 bits of a text (FNV-1a, then stirred). */
export function originHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
