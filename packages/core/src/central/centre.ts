import type { Arms } from "../bandit/arms.ts";
import type { Random } from "../numbers/random.ts";

/**
 * A policy that needs a centre: one place that sees every peer's observations at once. Baselines only; no peer runs it.
 */
export interface Centre {
  /** May a peer's observation of this turn reach the next peer's choice of the same turn? */
  readonly serving: "together" | "in-turn";
  choose(peer: number, arms: Arms, round: number, random: Random | undefined): number;
  observe(peer: number, vectors: Float64Array, from: number, reward: number): void;
  /** A turn is over, or rewards that were late have come: what was observed counts from now on. */
  close(): void;
  /** A new peer takes the place of `peer`. Absent where the centre cannot tell one peer at a place from the next. */
  renew?(peer: number): void;
  /** The estimate from which `peer` chooses. Lent. */
  estimate(peer: number): Float64Array;
  /** How many observations that rests on. */
  evidence(peer: number): number;
  /** Whom the centre pools `peer` with now, as a label: equal labels, one pool. */
  pool(peer: number): number;
}

/** A policy that needs a centre: what a config holds, and what makes the centre. No peer can run it. */
export interface CentralPolicy {
  readonly kind: string;
  readonly options: object;
  /** `clusters[i]` is the true cluster of peer i; only the oracle looks. */
  createCentre(dimension: number, peers: number, clusters: Int32Array | null): Centre;
}
