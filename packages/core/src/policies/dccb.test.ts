import { describe, expect, it } from "vitest";
import type { Offer } from "../peer/learner.ts";
import { meetPair } from "../peer/lockstep.ts";
import { initialPeer, type Peer, step } from "../peer/peer.ts";
import { type DccbOffer, type DccbOptions, dccb } from "./dccb.ts";
import { expectOffer } from "./expect.ts";

// What random traces (oracle.test.ts) do not reach: exact ties, and peers that observe nothing.

const peersOf = (names: string[], options: Partial<DccbOptions>): Peer[] =>
  names.map((id) => initialPeer({ id, dimension: 1, policy: dccb(options), peers: names.length }));

const see = (peer: Peer, reward: number): void => {
  step(peer, { kind: "observe", arm: Float64Array.of(1), reward });
};

const close = (peers: readonly Peer[]): void => {
  for (const peer of peers) step(peer, { kind: "close" });
};

describe("the threshold", () => {
  it("is only for those strictly further apart", () => {
    const peers = peersOf(["a", "b", "c"], { threshold: { kind: "practical", factor: 0 } });
    const [a, b, c] = peers;
    expect(meetPair(a, b)).toBe("mix");
    see(a, 1);
    see(b, 1);
    see(c, 1 + 1e-12);
    close(peers);
    expect(meetPair(a, b)).toBe("mix");
    expect(meetPair(a, c)).toBe("prune");
  });

  it("does not look at what was seen in this round", () => {
    const peers = peersOf(["a", "b"], { threshold: { kind: "practical", factor: 0 } });
    see(peers[0], 5);
    expect(meetPair(peers[0], peers[1])).toBe("mix");
    close(peers);
    expect(meetPair(peers[0], peers[1])).toBe("prune");
  });
});

describe("a peer that has seen nothing", () => {
  it.each(["slots", "epoch"] as const)("hands on nothing after a reset, by wire or in place: %s", (buffer) => {
    const threshold = { kind: "practical", factor: 0.1 } as const;
    const peers = peersOf(["idle", "far", "near"], { threshold, buffer, delay: { rounds: 2 }, sharing: "mutual" });
    const [idle, far, near] = peers;
    see(far, 1);
    see(near, 0);
    close(peers);
    expect(meetPair(idle, far)).toBe("prune");
    close(peers);
    const { codec } = idle.config.policy;
    const sent = codec!.decode(codec!.encode(idle.learner.offer()), { dimension: 1, most: 10, reward: 1 });
    expect(slotsOf(sent)).toEqual(slotsOf(idle.learner.offer()));
    for (const [count, gram] of slotsOf(sent)) expect(count > 0 || gram === 0).toBe(true);
    const before = [slotsOf(near.learner.offer()), slotsOf(idle.learner.offer())];
    expect(meetPair(near, idle)).toBe("mix");
    const mean = before[0].map((slot, k) => slot.map((value, i) => 0.5 * (value + before[1][k][i])));
    expect(slotsOf(near.learner.offer())).toEqual(mean);
  });
});

/** [count, gram, moment] of every slot of an offer. */
function slotsOf(offer: Offer): number[][] {
  const { slots } = expectOffer<DccbOffer>(offer, "dccb");
  return Array.from({ length: slots.length }, (_, k) => [
    slots.count(k),
    ...slots.values.subarray(slots.offset(k), slots.offset(k) + slots.size),
  ]);
}
