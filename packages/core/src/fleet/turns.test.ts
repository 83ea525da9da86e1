import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { initialPeer, step } from "../peer/peer.ts";
import { snapshot } from "../peer/snapshot.ts";
import { parsePolicy, policyKinds } from "../policies/parse.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { range } from "../testing/play.ts";
import { smallWorld } from "../testing/small-world.ts";
import { createFleet } from "./fleet.ts";
import type { OfferedTurn } from "./offered.ts";
import type { PeerFleet } from "./peers.ts";

const PEERS = 5;
const D = 3;
const clusters = Int32Array.from(range(PEERS), (i) => i % 2);
const world = smallWorld({ seed: 4, peers: PEERS, dimension: D, clusters: 2 });
const learners = policyKinds.filter((kind) => kind !== "random");

const made = (kind: string, late = 0) =>
  createFleet({
    policy: parsePolicy("policy", { kind }),
    dimension: D,
    peers: PEERS,
    random: Random.seeded(2),
    clusters,
    late,
  });
const peersOf = (kind: string, late = 0): PeerFleet => made(kind, late) as PeerFleet;

describe("a turn", () => {
  it.each(learners)("is observed by whoever chose, and ends no round: %s", (kind) => {
    const fleet = made(kind);
    fleet.turn(world(1));
    fleet.turn({ ...world(2), acts: (peer) => peer > 0 });
    expect([fleet.rounds, fleet.choices[0], fleet.rewards[0]]).toEqual([0, -1, 0]);
    fleet.round(world(3));
    expect([fleet.rounds, ...range(PEERS).map((i) => fleet.own(i))]).toEqual([1, 2, 3, 3, 3, 3]);
  });

  it("is what a peer by itself would live through", () => {
    const fleet = peersOf("solo");
    const peer = initialPeer(fleet.members[0]!.config);
    for (let round = 1; round <= 6; round++) {
      for (const turn of [1, 2, 3]) {
        const offered = world(3 * round + turn);
        if (turn < 3) fleet.turn(offered);
        else fleet.round(offered);
        const effect = step(peer, { kind: "choose", arms: offered.arms(0) })[0]!;
        expect(effect).toEqual({ kind: "chosen", arm: fleet.choices[0] });
        step(peer, { kind: "reward", reward: fleet.rewards[0]! });
      }
      step(peer, { kind: "close" });
    }
    expect(fingerprint(snapshot(peer))).toBe(fingerprint(snapshot(fleet.members[0]!)));
  });

  it("draws anew: a policy that picks at random does not repeat itself", () => {
    const fleet = made("random");
    const picks = range(12).map((k) => {
      if (k % 4 === 3) fleet.round(world(1));
      else fleet.turn(world(1));
      return fleet.choices.join();
    });
    expect(new Set(picks).size).toBeGreaterThan(8);
  });
});

describe("an idle peer", () => {
  it("still meets others, and learns from them", () => {
    const fleet = peersOf("kindred");
    for (let round = 1; round <= 30; round++) fleet.round({ ...world(round), acts: (peer) => peer !== 3 });
    expect([fleet.own(3), fleet.own(0)]).toEqual([0, 30]);
    expect(Math.hypot(...fleet.estimate(3))).toBeGreaterThan(0);
  });
});

describe("a newcomer", () => {
  const after = 10;
  const offered = (round: number): OfferedTurn => ({ ...world(round), present: (peer) => peer > 0 || round > after });

  it.each(["solo", "kindred"])("begins in its own first round, as it was made: %s", (kind) => {
    const fleet = peersOf(kind);
    for (let round = 1; round <= after; round++) fleet.round(offered(round));
    expect(fingerprint(snapshot(fleet.members[0]!))).toBe(fingerprint(snapshot(initialPeer(fleet.members[0]!.config))));
    for (let round = after + 1; round <= after + 3; round++) fleet.round(offered(round));
    // Where it calls somebody when it comes, that call is a round of its own.
    const called = kind === "kindred" ? 1 : 0;
    expect([fleet.members[0]!.round, fleet.members[1]!.round]).toEqual([4 + called, after + 4]);
  });

  it("is not who was there before the first round, and only was away", () => {
    const fleet = peersOf("kindred");
    for (let round = 1; round <= after; round++) fleet.round({ ...offered(round), newcomer: () => false });
    expect(fleet.members[0]!.round).toBe(after + 1);
  });

  it.each(["dcb", "dccb"])("counts the rounds of the others, where slots must match: %s", (kind) => {
    const fleet = peersOf(kind);
    for (let round = 1; round <= after + 20; round++) fleet.round(offered(round));
    expect(fleet.members.map(({ round }) => round)).toEqual(range(PEERS).map(() => after + 21));
    expect(fleet.own(0)).toBe(20);
  });
});

describe("late rewards", () => {
  it.each(learners)("are observed so many rounds later, before the choices: %s", (kind) => {
    const fleet = made(kind, 3);
    const owned = range(6).map((k) => {
      fleet.round(world(k + 1));
      return fleet.own(0);
    });
    expect(owned).toEqual([0, 0, 0, 1, 2, 3]);
    expect(fleet.rewards.some((reward) => reward !== 0)).toBe(true);
  });

  it("wait for whoever is away", () => {
    const fleet = peersOf("solo", 2);
    const there = [true, true, false, false, true];
    const owned = there.map((present, k) => {
      fleet.round({ ...world(k + 1), present: (peer) => peer > 0 || present });
      return fleet.own(0);
    });
    expect(owned).toEqual([0, 0, 0, 0, 2]);
  });
});

describe("a visitor", () => {
  it("takes a place as a new peer with a name of its own, of which others know nothing", () => {
    const fleet = peersOf("kindred");
    for (let round = 1; round <= 20; round++) {
      fleet.round({ ...world(round), visitor: (peer) => (peer === 2 && round > 10 ? 1 : 0) });
    }
    expect(fleet.members.map(({ config }) => config.id)).toEqual(["0", "1", "7", "3", "4"]);
    expect(range(PEERS).map((i) => fleet.own(i))).toEqual([20, 20, 10, 20, 20]);
  });

  it.each(["dcb", "dccb"])("counts the rounds of the others, where slots must match: %s", (kind) => {
    const fleet = peersOf(kind);
    for (let round = 1; round <= 20; round++) {
      fleet.round({ ...world(round), visitor: (peer) => (peer === 2 ? Math.floor(round / 5) : 0) });
    }
    expect(fleet.members.map(({ round }) => round)).toEqual(range(PEERS).map(() => 21));
    expect(fleet.own(2)).toBe(1);
  });

  it("is nothing to a centre that keeps no account of single peers, and refused by others", () => {
    const offered = (round: number): OfferedTurn => ({ ...world(round), visitor: () => (round > 2 ? 1 : 0) });
    const pooled = made("pooled");
    for (let round = 1; round <= 5; round++) pooled.round(offered(round));
    expect([pooled.own(0), pooled.evidence(0)]).toEqual([3, 25]);
    const club = made("club");
    for (let round = 1; round <= 2; round++) club.round(offered(round));
    expect(() => club.round(offered(3))).toThrow(/visitor must stay 0/);
  });
});

it("the oracle's observations count for the cluster in which their peer is at that time", () => {
  const own = clusters.slice();
  const policy = parsePolicy("policy", { kind: "oracle" });
  const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(2), clusters: own });
  fleet.round(world(1));
  own[0] = 1;
  fleet.round(world(2));
  // Of clusters {0, 2, 4} and {1, 3}; peer 0 then moved to the second.
  expect([fleet.evidence(0), fleet.evidence(1), fleet.evidence(2)]).toEqual([2 + 3, 2 + 3, 3 + 2]);
});
