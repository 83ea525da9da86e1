import type { PeerId } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";

/** What a violation weighs, unless it is one that nobody commits by an accident of versions or disks. */
const WEIGHT = 1;
const FORGERY = 4;
/** Whoever has this much against it is not met. */
export const MOST_SCORE = 3;
/** Ticks after which half of it is forgotten: ten minutes at the usual pace. */
const HALF_LIFE = 60;
const MOST_SCORED = 1024;
const FORGOTTEN = 0.05;

/** What speaks against partners. It fades: addresses and programs change, and nobody is shut out for ever. */
export class Scores {
  readonly #scores = new Map<PeerId, number>();

  add(partner: PeerId, reason: ViolationReason): void {
    const score = this.of(partner) + (reason === "forged" ? FORGERY : WEIGHT);
    // Set anew, so that the first of the map is the one that has behaved longest.
    this.#scores.delete(partner);
    this.#scores.set(partner, score);
    if (this.#scores.size > MOST_SCORED) this.#scores.delete(this.#scores.keys().next().value!);
  }

  of(partner: PeerId): number {
    return this.#scores.get(partner) ?? 0;
  }

  trusts(partner: PeerId): boolean {
    return this.of(partner) < MOST_SCORE;
  }

  /** One tick of the peer's clock has passed. */
  fade(): void {
    for (const [partner, score] of this.#scores) {
      const less = score * 0.5 ** (1 / HALF_LIFE);
      if (less < FORGOTTEN) this.#scores.delete(partner);
      else this.#scores.set(partner, less);
    }
  }
}
