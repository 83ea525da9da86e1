import type { Arms, Peer, Random } from "@coterie/core";
import { chooseArm, scoreArms } from "@coterie/core/internal";

/** Picks, of arms that are still left, the one that the policy would have; its place in the list of those. */
export type Ranking = (left: readonly number[]) => number;

/**
 * A menu is scored once, however many places it fills: of those left, the first of the highest. Where a policy draws, one
 * draw ranks them all. A policy without scores is asked anew for each place.
 */
export function rank(peer: Peer, arms: Arms, random: Random): Ranking {
  const scores = scoreArms(peer, arms, random);
  if (scores === null) return (left) => chooseArm(peer, only(arms, left, peer.config.dimension), random);
  return (left) => {
    let best = 0;
    for (let k = 1; k < left.length; k++) if (scores[left[k]] > scores[left[best]]) best = k;
    return best;
  };
}

/** Some of the arms, in a list of their own. */
export function only({ values }: Arms, left: readonly number[], dimension: number): Arms {
  const kept = new Float64Array(left.length * dimension);
  left.forEach((arm, k) => {
    kept.set(values.subarray(arm * dimension, (arm + 1) * dimension), k * dimension);
  });
  return { count: left.length, values: kept };
}
