import type { Offered } from "@coterie/core";

/** Where peers are offered arms and paid. Made for one seed; draws its rounds in order, whatever the peers do. */
export interface World extends Offered {
  readonly peers: number;
  readonly dimension: number;
  /** The true cluster of each peer; null where nobody knows it. */
  readonly clusters: Int32Array | null;
  /** Are the expected rewards known, so that regret can be? */
  readonly knowsMeans: boolean;
  /** Draws the next round. */
  advance(): void;
  /** Is the peer there in this round? An absent one chooses nothing and meets nobody. */
  present(peer: number): boolean;
  /** Expected reward of an arm, and of the best one offered; 0 where means are not known. */
  mean(peer: number, arm: number): number;
  bestMean(peer: number): number;
}
