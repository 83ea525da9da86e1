import type { Arms } from "../bandit/arms.ts";

/** What a world offers in one turn: arms for every peer, and what each arm would pay. */
export interface OfferedTurn {
  arms(peer: number): Arms;
  pay(peer: number, arm: number): number;
  /** Is the peer there in this turn? Without it all are. An absent peer chooses nothing, learns nothing, meets nobody. */
  present?(peer: number): boolean;
  /**
   * Does the peer join later than others? Its own rounds begin when it first is there; those of all others with the
   * first round, present or not. Without it whoever is absent at first is a newcomer. Where peers call one another, a
   * newcomer calls somebody before its first choice.
   */
  newcomer?(peer: number): boolean;
  /** Does the peer choose in this turn? Without it all who are there do. An idle peer still meets others. */
  acts?(peer: number): boolean;
  /**
   * The number of the visitor at this place: 0, then 1, 2, … Without it everybody stays. When the number changes, a new
   * peer that has seen nothing takes the place, from the next round on.
   */
  visitor?(peer: number): number;
}

export const isPresent = (offered: OfferedTurn, peer: number): boolean =>
  offered.present === undefined || offered.present(peer);

/** Is the peer there, and not idle in this turn? */
export const chooses = (offered: OfferedTurn, peer: number): boolean =>
  isPresent(offered, peer) && (offered.acts === undefined || offered.acts(peer));
