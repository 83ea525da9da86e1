import type { Fleet } from "@coterie/core";
import { PeerFleet } from "@coterie/core/internal";

/**
 * √(mean ‖θ̂_i − mean of its cluster‖²): how far peers that should agree do not. Without clusters, over all peers.
 */
export function disagreement(fleet: Fleet, dimension: number, clusters: Int32Array | null): number {
  const count = clusters === null ? 1 : clusters.reduce((most, cluster) => Math.max(most, cluster), 0) + 1;
  const means = new Float64Array(count * dimension);
  const sizes = new Float64Array(count);
  for (let peer = 0; peer < fleet.peers; peer++) {
    const cluster = clusters?.[peer] ?? 0;
    const estimate = fleet.estimate(peer);
    sizes[cluster]! += 1;
    for (let i = 0; i < dimension; i++) means[cluster * dimension + i]! += estimate[i]!;
  }
  let sum = 0;
  for (let peer = 0; peer < fleet.peers; peer++) {
    const cluster = clusters?.[peer] ?? 0;
    const estimate = fleet.estimate(peer);
    for (let i = 0; i < dimension; i++) {
      const difference = estimate[i]! - means[cluster * dimension + i]! / sizes[cluster]!;
      sum += difference * difference;
    }
  }
  return Math.sqrt(sum / fleet.peers);
}

/** Mean over the peers of the share of the evidence behind an estimate that is not the peer's own. */
export function borrowedShare(fleet: Fleet): number {
  let sum = 0;
  for (let peer = 0; peer < fleet.peers; peer++) {
    const evidence = fleet.evidence(peer);
    if (evidence > 0) sum += 1 - Math.min(1, fleet.own(peer) / evidence);
  }
  return sum / fleet.peers;
}

/** A peer has found its own kind when it borrows so much, as a share of what it has seen itself, … */
const LEAST_BORROWED = 0.5;
/** … and so much of that comes from its own cluster. */
const LEAST_RIGHT = 0.95;

/** Share of the peers that have found their own kind; null where there are no clusters or no lenders are known. */
export function foundShare(fleet: Fleet, clusters: Int32Array | null): number | null {
  if (clusters === null || !(fleet instanceof PeerFleet)) return null;
  let found = 0;
  for (let peer = 0; peer < fleet.peers; peer++) {
    const lenders = fleet.members[peer]!.learner.view.lenders?.();
    if (lenders === undefined) return null;
    let borrowed = 0;
    let right = 0;
    for (const [lender, count] of lenders) {
      borrowed += count;
      // Visitors at one place have names that are the same modulo the number of peers.
      if (clusters[Number(lender) % fleet.peers] === clusters[peer]) right += count;
    }
    if (borrowed >= LEAST_BORROWED * fleet.own(peer) && right >= LEAST_RIGHT * borrowed && right > 0) found += 1;
  }
  return found / fleet.peers;
}
