import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { Slots } from "../gossip/slots.ts";
import type { Offer } from "../peer/learner.ts";
import { initialPeer, step } from "../peer/peer.ts";
import type { DcbOffer } from "../policies/dcb.ts";
import type { DccbOffer } from "../policies/dccb.ts";
import type { KindredOffer } from "../policies/kindredOffer.ts";
import type { RoundRobinOffer } from "../policies/roundRobin.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { honestOffers } from "../testing/honest-offers.ts";
import { LARGEST_REWARD, smallWorld } from "../testing/small-world.ts";
import { SOCIABLE, VARIANTS } from "../testing/variants.ts";
import { HEADER_BYTES, refusal } from "./frame.ts";
import { encodeSlots, slotsBytes } from "./payload.ts";

const PEERS = 6;
const DIMENSION = 4;
const limits = { dimension: DIMENSION, most: 1000, reward: LARGEST_REWARD };
const world = smallWorld({ seed: 8, peers: PEERS, dimension: DIMENSION, clusters: 2 });
const offersOf = (name: string, offered = world): Offer[] =>
  honestOffers({ policy: VARIANTS[name]!, world: offered, peers: PEERS, dimension: DIMENSION, rounds: 40 });

/** Everything an offer says, as plain numbers. */
function contents(offer: Offer, to: Offer): unknown {
  const slotsOf = (slots: Slots) => ({
    newestRound: slots.newestRound,
    slots: Array.from({ length: slots.length }, (_, k) => ({
      count: slots.count(k),
      values: Array.from(slots.values.subarray(slots.offset(k), slots.offset(k) + slots.size)),
    })),
  });
  if (offer.policy === "dcb") return slotsOf((offer as DcbOffer).slots);
  if (offer.policy === "dccb") {
    const { estimate, count, digest, resetting, slots } = offer as DccbOffer;
    return { estimate: Array.from(estimate), count, digest: Array.from(digest), resetting, ...slotsOf(slots) };
  }
  if (offer.policy === "kindred") {
    const { greeting, recordsFor } = offer as KindredOffer;
    const records = recordsFor((to as KindredOffer).greeting);
    return {
      ...greeting,
      wants: [...greeting.wants].sort(([a], [b]) => a - b),
      profile: greeting.profile && { ...greeting.profile, steps: [...greeting.profile.steps] },
      records: records.map((record) => ({ ...record, slot: [...record.slot], body: [...record.body] })),
    };
  }
  const { parcel } = offer as RoundRobinOffer;
  return Array.from({ length: parcel.length }, (_, k) => ({
    hops: parcel.hops(k),
    vector: Array.from(parcel.vectors.subarray(parcel.offset(k), parcel.offset(k) + DIMENSION)),
    reward: parcel.reward(k),
  }));
}

describe.each(SOCIABLE)("%s", (name) => {
  const { codec } = VARIANTS[name]!;

  it("comes back as it was sent", () => {
    const offers = offersOf(name);
    for (const offer of offers) {
      const frames = codec!.encode(offer, offers[0]);
      const back = codec!.decode(frames, limits);
      expect(back.policy).toBe(offer.policy);
      expect(JSON.stringify(contents(back, offers[0]!))).toBe(JSON.stringify(contents(offer, offers[0]!)));
      expect(fingerprint(...codec!.encode(back, offers[0]))).toBe(fingerprint(...frames));
    }
  });

  it("costs what it says it costs", () => {
    const offers = offersOf(name);
    for (const offer of offers) {
      const lengths = codec!.encode(offer, offers[0]).map((frame) => frame.length);
      const all = lengths.reduce((sum, length) => sum + length, 0);
      expect(codec!.bytes(offer, "mix", offers[0])).toBe(all);
      if (offer.policy !== "dccb") continue;
      expect(codec!.bytes(offer, "keep")).toBe(lengths[0]);
      expect(codec!.bytes(offer, "prune")).toBe(lengths[0]);
      expect(codec!.bytes(offer, "stranger")).toBe(refusal(DIMENSION).length);
    }
  });
});

describe("slots", () => {
  it("come back as they were sent from a peer that parted before it saw anything", () => {
    const policy = VARIANTS.dccb!;
    const peer = initialPeer({ id: "a", dimension: DIMENSION, policy, peers: 3 });
    for (const input of [
      { kind: "part", partner: "b" },
      { kind: "settle" },
      { kind: "close" },
      { kind: "close" },
    ] as const) {
      step(peer, input);
    }
    const offer = peer.learner.offer();
    const back = policy.codec!.decode(policy.codec!.encode(offer), limits);
    expect(contents(back, offer)).toEqual(contents(offer, offer));
  });

  it("cost one byte where they are zero", () => {
    const observed = new Statistics(DIMENSION);
    observed.add(Float64Array.of(0.5, 0, 0, 0), 0, 1);
    const slots = new Slots(DIMENSION);
    slots.append(1, observed);
    const one = encodeSlots(slots).length;
    expect(one).toBe(HEADER_BYTES + 8 + 1 + 8 + 8 * slots.size);
    slots.push(2);
    expect(encodeSlots(slots).length).toBe(one + 1);
    expect(slotsBytes(slots)).toBe(one + 1);
  });
});

/** Arms and rewards at the edges of what is allowed, where rounding is most likely to push a slot over a bound. */
const EDGES: Readonly<Record<string, (round: number, peer: number) => { arm: number[]; reward: number }>> = {
  "one unit arm and the largest reward": () => ({ arm: [0.5, -0.5, 0.5, 0.5], reward: LARGEST_REWARD }),
  "arms along the axes": (round) => ({
    arm: [0, 1, 2, 3].map((i) => (i === round % 4 ? 1 : 0)),
    reward: -LARGEST_REWARD,
  }),
  "zero arms": () => ({ arm: [0, 0, 0, 0], reward: LARGEST_REWARD }),
  "arms a little beyond the ball": () => ({ arm: [0.6 * (1 + 9e-10), 0, 0, 0.8 * (1 + 9e-10)], reward: 1 }),
  "two arms almost the same": (round) => ({
    arm: [0.6, 0.8 - (round % 2) * 1e-7, 0, 0],
    reward: round % 2 ? 1.5 : -1.5,
  }),
  "arms of every size": (round) => ({ arm: [10 ** -(round % 40), 0, 0, 10 ** -(round % 25) / 2], reward: 1.5 }),
  "tiny arms": (_, peer) => ({ arm: [1e-22, 1e-23, 3e-24, peer * 1e-24], reward: 1.5 }),
  "arms below the least number": () => ({ arm: [1e-170, 0, 1e-160, 0], reward: 1.5 }),
};

it.each(Object.keys(EDGES))("%s are honest under every policy, and so accepted", (edge) => {
  const offered = (round: number): OfferedTurn => ({
    arms: (peer) => ({ count: 1, values: Float64Array.from(EDGES[edge]!(round, peer).arm) }),
    pay: (peer) => EDGES[edge]!(round, peer).reward,
  });
  for (const name of SOCIABLE) {
    const { codec } = VARIANTS[name]!;
    const offers = offersOf(name, offered);
    for (const offer of offers) codec!.decode(codec!.encode(offer, offers[0]), limits);
  }
});
