import type { Fleet } from "@coterie/core";

/**
 * √(mean ‖θ̂_i − mean of its cluster‖²): how far peers that should agree do not. Without clusters, over all peers.
 */
export function disagreement(fleet: Fleet, dimension: number, clusters: Int32Array | null): number {
  const count = clusters === null ? 1 : Math.max(...clusters) + 1;
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
