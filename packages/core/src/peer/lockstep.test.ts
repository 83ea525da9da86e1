import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { Random } from "../numbers/random.ts";
import { dcb } from "../policies/dcb.ts";
import { type ByHand, roundByHand } from "../testing/by-hand.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { partnersFor } from "../testing/partners.ts";
import { LARGEST_REWARD, smallWorld } from "../testing/small-world.ts";
import { SOCIABLE, VARIANTS } from "../testing/variants.ts";
import { refusal } from "../wire/frame.ts";
import type { Outcome } from "./learner.ts";
import { meetAll } from "./lockstep.ts";
import { initialPeer, type Peer } from "./peer.ts";
import { snapshot } from "./snapshot.ts";

const state = (peer: Peer): string => fingerprint(snapshot(peer));
const PEERS = 7;
const DIMENSION = 3;
const ROUNDS = 60;

/** What the sender of an offer puts on the wire for a meeting that comes to `outcome`. */
function sent(frames: readonly Uint8Array[], outcome: Outcome): number {
  if (outcome === "stranger") return refusal(DIMENSION).length;
  const all = outcome === "mix" ? frames : frames.slice(0, 1);
  return all.reduce((sum, frame) => sum + frame.length, 0);
}

describe("peers that exchange bytes are peers in lockstep", () => {
  it.each(SOCIABLE)("%s: the same choices, outcomes, bytes sent and state, bit for bit", (name) => {
    const policy = VARIANTS[name]!;
    const random = Random.seeded(11);
    const fleet = new PeerFleet({ policy, dimension: DIMENSION, peers: PEERS, random }, policy);
    const host: ByHand = {
      peers: fleet.members.map(({ config }) => initialPeer(config)),
      limits: { dimension: DIMENSION, most: 1000, reward: LARGEST_REWARD },
      choice: random.fork("choice"),
    };
    const world = smallWorld({ seed: 5, peers: PEERS, dimension: DIMENSION, clusters: 2 });
    const partners = partnersFor(policy, PEERS, 3);
    const met: Record<Outcome, number> = { mix: 0, prune: 0, keep: 0, stranger: 0 };
    let bytes = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const map = partners(round);
      fleet.round(world(round), map);
      const { choices, outcomes, frames } = roundByHand(host, round, world(round), map);
      expect(choices).toEqual(Array.from(fleet.choices));
      expect(outcomes).toEqual(fleet.outcomes);
      outcomes.forEach((outcome, i) => {
        if (outcome === null) return;
        met[outcome] += 1;
        bytes += policy.kind === "kindred" && outcome === "keep" ? 0 : sent(frames[i]!, outcome);
      });
      expect(host.peers.map(state)).toEqual(fleet.members.map(state));
      expect(bytes).toBe(fleet.traffic.bytes);
    }
    expect(met.mix).toBe(fleet.traffic.exchanges);
    expect(met.mix).toBeGreaterThan(0);
    // Where a prune can be undone nobody stays a stranger: whoever meets looks again.
    const strangers = "forgive" in policy.options ? 1 : met.stranger;
    if (policy.kind === "dccb") expect(Math.min(met.prune, strangers)).toBeGreaterThan(0);
  });
});

it.each(SOCIABLE)("%s: a copied offer stays as it was, whatever the peer does later", (name) => {
  const policy = VARIANTS[name]!;
  const fleet = new PeerFleet({ policy, dimension: DIMENSION, peers: PEERS, random: Random.seeded(1) }, policy);
  const world = smallWorld({ seed: 6, peers: PEERS, dimension: DIMENSION, clusters: 2 });
  for (let round = 1; round <= 8; round++) fleet.round(world(round));
  const copies = fleet.members.map(({ learner }) => learner.copyOffer());
  const bytes = () => copies.map((offer) => fingerprint(...policy.codec!.encode(offer, copies[0])));
  const before = bytes();
  for (let round = 9; round <= 16; round++) fleet.round(world(round));
  expect(bytes()).toEqual(before);
});

describe("meetAll", () => {
  const three = () =>
    Array.from({ length: 3 }, (_, i) => initialPeer({ id: `${i}`, dimension: 2, policy: dcb(), peers: 3 }));

  it.each([
    ["too short a map", [0, 1], /^partners must name 3 peers/],
    ["a peer that is not there", [0, 1, 3], /^partners\[2\] must lie from 0 to 2, but is 3/],
    ["a peer named twice", [1, 2, 1], /^partners\[2\] must be named once: partners are a permutation, but is 1/],
    ["a negative peer", [-1, 1, 2], /^partners\[0\] must lie from 0 to 2, but is -1/],
  ])("refuses %s", (_, partners, message) => {
    const peers = three();
    const before = peers.map(state);
    const meet = () => meetAll(peers, Int32Array.from(partners), []);
    expect(meet).toThrow(ConfigError);
    expect(meet).toThrow(message);
    expect(peers.map(state)).toEqual(before);
  });
});
