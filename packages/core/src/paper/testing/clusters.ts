// DCCB whose clusters are known to the test: found beforehand, or told apart by rewards alone.
import type { OfferedTurn } from "../../fleet/offered.ts";
import type { PeerFleet } from "../../fleet/peers.ts";
import type { Pairing } from "../../gossip/pairing.ts";
import { triangleSize } from "../../numbers/packed.ts";
import { step } from "../../peer/peer.ts";
import { type DccbOptions, dccb } from "../../policies/dccb.ts";
import { activeOf, buffered, fleetOf, tracers, type Weights } from "./weights.ts";

/** A threshold that nobody passes. */
export const NEVER = { kind: "practical", factor: 1e9 } as const;

/** Peers whose neighbourhoods are the clusters i mod `clusters` from the start; nobody parts from anybody later. */
export function foundClusters(options: Partial<DccbOptions>, peers: number, clusters: number, seed: number): PeerFleet {
  const fleet = fleetOf(dccb({ threshold: NEVER, ...options }), peers, peers, seed);
  fleet.members.forEach((peer, i) => {
    for (let other = 0; other < peers; other++) {
      if (i % clusters !== other % clusters) step(peer, { kind: "part", partner: `${other}` });
    }
    step(peer, { kind: "settle" });
  });
  return fleet;
}

/** The weights of one slot at ages 0, 1, …, most, within clusters that are already found: [age][holder][origin]. */
export function agedInClusters(
  peers: number,
  clusters: number,
  pairing: Pairing,
  most: number,
  seed: number,
): Weights[] {
  const fleet = foundClusters({ pairing, delay: { rounds: most + 3 } }, peers, clusters, seed);
  const world = tracers(peers);
  // The first round ends in the reset that follows the parting; the second is an ordinary one.
  fleet.round(world);
  return Array.from({ length: most + 1 }, () => {
    fleet.round(world);
    return buffered(fleet, 2, peers / clusters);
  });
}

/** How far peers are told apart by their own axis: small, so that peers of a cluster are not taken for strangers. */
const TRACE = 0.1;

/**
 * Two clusters, even and odd, that pay +1 and −1 for the arm (√(1−s²), s e_i): the first feature tells clusters apart, the others
 * say whose observation it was. Dimension peers + 1.
 */
export function tracedClusters(peers: number): OfferedTurn {
  const arms = Array.from({ length: peers }, (_, i) => {
    const values = new Float64Array(peers + 1);
    values[0] = Math.sqrt(1 - TRACE ** 2);
    values[i + 1] = TRACE;
    return { count: 1, values };
  });
  return { arms: (peer) => arms[peer]!, pay: (peer) => (peer % 2 === 0 ? 1 : -1) };
}

/** Σ_t' w_{i,t}^{i',t'} in the active pairs of such a world; read off the moments, which hold no I. */
export const tracedWeights = (fleet: PeerFleet): Weights =>
  fleet.members.map((_, i) => {
    const moments = activeOf(fleet, i).subarray(triangleSize(fleet.peers + 1) + 1);
    return Array.from(moments, (moment, origin) => (origin % 2 === 0 ? moment : -moment) / TRACE);
  });

/** Is every neighbourhood the cluster i mod `clusters`? */
export function exact(fleet: PeerFleet, clusters: number): boolean {
  for (let i = 0; i < fleet.peers; i++) {
    for (let j = 0; j < fleet.peers; j++) {
      if (fleet.near(i, j) !== (i % clusters === j % clusters)) return false;
    }
  }
  return true;
}
