// Recovers the weights w_{i,t}^{i',t'}: where peer i' has only the arm e_i', entry (i', i') of a gram counts, with their
// weights, the observations of i'. Weights are sums of powers of ½, so doubles hold them exactly at the ages used here.
import type { Arms } from "../../bandit/arms.ts";
import type { OfferedTurn } from "../../fleet/offered.ts";
import { PeerFleet } from "../../fleet/peers.ts";
import type { Pairing } from "../../gossip/pairing.ts";
import { Random } from "../../numbers/random.ts";
import type { Policy } from "../../peer/learner.ts";
import { type DcbOffer, type DcbOptions, dcb } from "../../policies/dcb.ts";

/** [holder i][origin i']. */
export type Weights = number[][];

export const oneHot = (dimension: number, at: number): Arms => {
  const values = new Float64Array(dimension);
  values[at] = 1;
  return { count: 1, values };
};

/** Every peer is offered its own axis alone. */
export function tracers(peers: number): OfferedTurn {
  const arms = Array.from({ length: peers }, (_, i) => oneHot(peers, i));
  return { arms: (peer) => arms[peer]!, pay: () => 1 };
}

export const fleetOf = (policy: Policy, dimension: number, peers: number, seed: number): PeerFleet =>
  new PeerFleet({ policy, dimension, peers, random: Random.seeded(seed).fork("fleet") }, policy);

/** Entry (k, k) of a packed gram that begins at `offset`. */
export const diagonal = (values: Float64Array, offset: number, k: number): number =>
  values[offset + (k * (k + 1)) / 2 + k]!;

export const activeOf = (fleet: PeerFleet, peer: number): Float64Array => fleet.members[peer]!.learner.view.active;

export const slotsOf = (fleet: PeerFleet, peer: number): DcbOffer["slots"] =>
  (fleet.members[peer]!.learner.offer() as DcbOffer).slots;

/** Weights of the slot of `round` while it is still in the buffers: `peers` times the share, as `sum` will count it. */
export function buffered(fleet: PeerFleet, round: number, peers = fleet.peers): Weights {
  const everyone = Array.from({ length: fleet.peers }, (_, i) => i);
  return everyone.map((i) => {
    const slots = slotsOf(fleet, i);
    const offset = slots.offset(slots.length - 1 - (slots.newestRound - round));
    return everyone.map((origin) => peers * diagonal(slots.values, offset, origin));
  });
}

/** Weights in the active grams: Σ_t' w, per origin. */
export const inActive = (fleet: PeerFleet): Weights =>
  fleet.members.map((_, i) => fleet.members.map((_, origin) => diagonal(activeOf(fleet, i), 0, origin)));

/**
 * The weights with which each round's slot was promoted, [t'−1][i][i'], of a run of DCB over `rounds` rounds. Another
 * run with the same peers, seed, delay and pairing has the same partners, and so the same weights.
 */
export function promotedWeights(
  options: Partial<DcbOptions>,
  peers: number,
  rounds: number,
  seed: number,
  world: OfferedTurn = tracers(peers),
): Weights[] {
  const fleet = fleetOf(dcb(options), peers, peers, seed);
  const promoted: Weights[] = [];
  let before = inActive(fleet);
  for (let round = 1; round <= rounds; round++) {
    fleet.round(world);
    const now = inActive(fleet);
    const gained = now.map((row, i) => row.map((value, origin) => value - before[i]![origin]!));
    if (gained[0]!.some((value) => value !== 0)) promoted.push(gained);
    before = now;
  }
  return promoted;
}

/** The weights of the first round's slot at ages 0, 1, …, most, in one run. */
export function agedWeights(peers: number, pairing: Pairing, most: number, seed: number): Weights[] {
  const fleet = fleetOf(dcb({ pairing, delay: { rounds: most + 2 } }), peers, peers, seed);
  const world = tracers(peers);
  return Array.from({ length: most + 1 }, () => {
    fleet.round(world);
    return buffered(fleet, 1);
  });
}
