import type { OfferedTurn } from "@coterie/core/internal";

/** Where peers are offered arms and paid. Made for one seed; draws its turns in order, whatever the peers do. */
export interface World extends OfferedTurn {
  readonly peers: number;
  readonly dimension: number;
  /** The true cluster of each peer, now (a peer may move); null where nobody knows it. */
  readonly clusters: Int32Array | null;
  /** Are the expected rewards known, so that regret can be? */
  readonly knowsMeans: boolean;
  /** Is every arm the same item in every turn, so that one can be the best for good? Not, unless set. */
  readonly fixedMenu?: boolean;
  /** Rounds after which a reward reaches its peer; 0, at once, unless set. */
  readonly late?: number;
  /** Draws the next turn. */
  advance(): void;
  /** Does the round end with this turn? It does, unless set. */
  readonly lastTurn?: boolean;
  /** Is the peer there in this turn? An absent one chooses nothing and meets nobody. */
  present(peer: number): boolean;
  /** Expected reward of an arm, and of the best one offered; 0 where means are not known. */
  mean(peer: number, arm: number): number;
  bestMean(peer: number): number;
}
