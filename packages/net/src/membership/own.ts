import type { PeerId } from "@coterie/core";
import { type Claim, compareAge, type News, type SignedEntry, sameBut } from "./entry.ts";
import { REFRESH_MS } from "./limits.ts";

/** What may change in what we say of ourselves. */
export type OwnState = Pick<Claim, "addresses" | "serves" | "leaving" | "ticket">;

/** What we say of ourselves: claims that are each newer than the last, and the entry that stands now. */
export class Own {
  #entry: SignedEntry | null = null;
  #signed = Number.NEGATIVE_INFINITY;
  #heartbeat = 0;
  #incarnation: number;

  /** `incarnation`: larger than at the last start, if that can be known; a forgotten one is overtaken on contact. */
  constructor(
    readonly self: PeerId,
    incarnation: number,
  ) {
    this.#incarnation = incarnation;
  }

  news(now: number): News[] {
    return this.#entry === null ? [] : [{ entry: this.#entry, ageMs: Math.max(0, now - this.#signed) }];
  }

  /** Our entry, where it says just that and is not old. */
  current(state: OwnState, now: number): SignedEntry | null {
    const entry = this.#entry;
    if (entry === null || now - this.#signed >= REFRESH_MS) return null;
    return sameBut({ ...entry.claim, incarnation: this.#incarnation, ...state }, entry.claim) ? entry : null;
  }

  beat(state: OwnState): Claim {
    this.#heartbeat += 1;
    return { id: this.self, incarnation: this.#incarnation, heartbeat: this.#heartbeat, ...state };
  }

  publish(entry: SignedEntry, now: number): void {
    if (this.#entry !== null && compareAge(entry.claim, this.#entry.claim) <= 0) return;
    this.#entry = entry;
    this.#signed = now;
  }

  /** What we said before no longer stands: we sign anew before we say anything. */
  withdraw(): void {
    this.#signed = Number.NEGATIVE_INFINITY;
  }

  /** Whether a claim about us is newer than what we say: it is from an earlier life of ours, and a clock went back. */
  isBehind(claim: Claim): boolean {
    return compareAge(claim, { incarnation: this.#incarnation, heartbeat: this.#heartbeat }) > 0;
  }

  /** Be newer still. */
  outlive({ incarnation }: Claim): void {
    this.#incarnation = incarnation + 1;
    this.#heartbeat = 0;
  }
}
