import type { PeerId } from "@coterie/core";

/** Whoever wants nothing to do with this peer is left alone for so many ticks: five minutes at the usual pace. */
export const ALOOF_TICKS = 30;

/**
 * Ticks without any sign of a peer after which nothing of it is kept: a day at the usual pace. Who goes is not forgotten
 * for that: what it has seen is as true as before.
 */
export const FORGET_TICKS = 8640;

/** How many ticks in a row a room must seem smaller before it is: whoever misses a call is mostly back soon. */
export const SHRINK_TICKS = 30;

/** Up to here a size is taken as it is. Beyond, it is an estimate, and is rounded so that it seldom changes. */
const EXACT = 33;
/** Steps of an octave. */
const STEPS = 4;

/** Of whom something is kept and since when there was no sign of them; who keeps away; and how many there are. */
export class Members {
  readonly #seen = new Map<PeerId, number>();
  /** Those for whom this peer is a stranger, and since which tick: they parted from it while it was away. */
  readonly #aloof = new Map<PeerId, number>();
  #ticks = 0;
  #size = 1;
  /** For how many ticks the room has seemed smaller, and the most it seemed to be meanwhile. */
  #low = 0;
  #most = 1;

  /** `peer` said that this one is a stranger to it: it is left alone for a while. */
  rejected(peer: PeerId): void {
    this.#aloof.set(peer, this.#ticks);
  }

  isAloof(peer: PeerId): boolean {
    return this.#aloof.has(peer);
  }

  /** There was a sign of them. */
  seen(peers: Iterable<PeerId>): void {
    for (const peer of peers) if (this.#seen.has(peer)) this.#seen.set(peer, this.#ticks);
  }

  /** A tick has passed. Those `kept` of whom there was no sign for too long are to be forgotten. */
  tick(kept: Iterable<PeerId>): PeerId[] {
    this.#ticks += 1;
    for (const [peer, since] of this.#aloof) if (this.#ticks - since >= ALOOF_TICKS) this.#aloof.delete(peer);
    const old: PeerId[] = [];
    const still = new Set(kept);
    for (const peer of still) {
      const since = this.#seen.get(peer);
      if (since === undefined) this.#seen.set(peer, this.#ticks);
      else if (this.#ticks - since >= FORGET_TICKS) old.push(peer);
    }
    for (const peer of this.#seen.keys()) if (!still.has(peer)) this.#seen.delete(peer);
    return old;
  }

  /** The room's size to learn by, from how many seem to be there. */
  size(count: number): number {
    const rounded = count <= EXACT ? count : Math.round(2 ** (Math.round(STEPS * Math.log2(count)) / STEPS));
    if (rounded >= this.#size) return this.#become(rounded);
    this.#low += 1;
    this.#most = Math.max(this.#most, rounded);
    return this.#low < SHRINK_TICKS ? this.#size : this.#become(this.#most);
  }

  #become(size: number): number {
    this.#size = size;
    this.#low = 0;
    this.#most = 1;
    return size;
  }
}
