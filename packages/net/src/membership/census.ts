import type { PeerId } from "@coterie/core";
import { CENSUS_MS } from "./limits.ts";

/**
 * How many there are, from who turns up in swaps, as animals are counted that are caught twice. With n₁ names in one
 * window, n₂ in the next and m in both,
 *
 *     N ≈ (n₁ + 1)(n₂ + 1)/(m + 1) − 1        (Chapman's estimate)
 *
 * and the estimate is the geometric mean of the last few, so that it moves slowly.
 */
export class Census {
  #before: ReadonlySet<PeerId> | null = null;
  #seen = new Set<PeerId>();
  #since = Number.NEGATIVE_INFINITY;
  /** Null until two windows have passed. */
  size: number | null = null;

  note(peer: PeerId, now: number): void {
    if (now - this.#since >= CENSUS_MS) this.#turn(now);
    this.#seen.add(peer);
  }

  #turn(now: number): void {
    const [before, seen] = [this.#before, this.#seen];
    // After a long silence the two windows are not of the same room.
    const usual = now - this.#since < 2 * CENSUS_MS;
    if (before !== null && usual) {
      let both = 0;
      for (const peer of seen) if (before.has(peer)) both += 1;
      const size = ((before.size + 1) * (seen.size + 1)) / (both + 1) - 1;
      this.size = this.size === null ? size : Math.sqrt(Math.sqrt(this.size ** 3 * size));
    }
    this.#before = usual ? seen : null;
    this.#seen = new Set();
    this.#since = now;
  }
}
