import { describe, expect, it } from "vitest";
import type { Pairing } from "../gossip/pairing.ts";
import { Random } from "../numbers/random.ts";
import { dccb } from "../policies/dccb.ts";
import { parsePolicy, policyKinds } from "../policies/parse.ts";
import { range } from "../testing/play.ts";
import { smallWorld } from "../testing/small-world.ts";
import { createFleet } from "./fleet.ts";
import type { OfferedTurn } from "./offered.ts";
import { PeerFleet } from "./peers.ts";

const PEERS = 7;
const D = 3;
const ROUNDS = 40;
const world = smallWorld({ seed: 6, peers: PEERS, dimension: D, clusters: 2 });
const clusters = Int32Array.from(range(PEERS), (i) => i % 2);
const there = Random.seeded(8);

/** Peer 0 never is there, peer 1 always, the others every other time. */
const present = (peer: number, round: number): boolean =>
  peer === 1 || (peer > 1 && there.fork(round).fork(peer).below(2) === 0);

const offered = (round: number): OfferedTurn => ({ ...world(round), present: (peer) => present(peer, round) });

describe("an absent peer", () => {
  it("breaks a ring, which says so before anything is played", () => {
    const policy = parsePolicy("policy", { kind: "round-robin" });
    const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(1) });
    expect(() => fleet.round(offered(1))).toThrow(/present must be everybody/);
    expect([fleet.rounds, fleet.own(1)]).toEqual([0, 0]);
  });

  it.each(policyKinds.filter((kind) => kind !== "round-robin"))(
    "chooses nothing, is paid nothing and sees nothing: %s",
    (kind) => {
      const policy = parsePolicy("policy", { kind });
      const fleet = createFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(1), clusters });
      const served = range(PEERS).map(() => 0);
      for (let round = 1; round <= ROUNDS; round++) {
        fleet.round(offered(round));
        for (const i of range(PEERS)) {
          served[i] += present(i, round) ? 1 : 0;
          expect(fleet.choices[i] >= 0).toBe(present(i, round));
          if (!present(i, round)) expect(fleet.rewards[i]).toBe(0);
        }
      }
      if (kind !== "random") expect(range(PEERS).map((i) => fleet.own(i))).toEqual(served);
    },
  );

  it.each<Pairing>(["permutation", "matching", "neighbours", "asynchronous"])("meets nobody: %s", (pairing) => {
    const policy = dccb({ pairing, threshold: { kind: "practical", factor: 0.4 }, delay: { rounds: 2 } });
    const fleet = new PeerFleet({ policy, dimension: D, peers: PEERS, random: Random.seeded(2) }, policy);
    let met = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const before = fleet.traffic.bytes!;
      fleet.round(offered(round));
      if (pairing === "asynchronous") continue;
      for (const i of range(PEERS)) if (!present(i, round)) expect(fleet.outcomes[i]).toBe(null);
      const outcomes = fleet.outcomes.filter((outcome) => outcome !== null).length;
      expect(outcomes === 0).toBe(fleet.traffic.bytes === before);
      met += outcomes;
    }
    // Nothing ever reached the one that was never there, and nobody parted from it.
    expect([fleet.evidence(0), fleet.members[0].learner.view.pruned.size]).toEqual([0, 0]);
    for (const i of range(PEERS)) expect(fleet.near(i, 0)).toBe(true);
    if (pairing !== "asynchronous") expect(met).toBeGreaterThan(50);
  });

  it("is passed over: who was to meet it meets its partner instead", () => {
    const policy = dccb({ sharing: "mutual", threshold: { kind: "practical", factor: 9 } });
    const fleet = new PeerFleet({ policy, dimension: D, peers: 5, random: Random.seeded(2) }, policy);
    const twin = new PeerFleet({ policy, dimension: D, peers: 5, random: Random.seeded(2) }, policy);
    const small = smallWorld({ seed: 6, peers: 5, dimension: D });
    for (let round = 1; round <= 6; round++) {
      const gone = (peer: number): boolean => peer === 1 || peer === 2;
      const here: OfferedTurn = { ...small(round), present: (peer) => !gone(peer) };
      // 0 → 1 → 2 → 3 → 4 → 0 without 1 and 2 is 0 → 3 → 4 → 0.
      fleet.round(here, Int32Array.of(1, 2, 3, 4, 0));
      twin.round(here, Int32Array.of(3, 1, 2, 4, 0));
      expect(range(5).map((i) => Array.from(fleet.estimate(i)))).toEqual(
        range(5).map((i) => Array.from(twin.estimate(i))),
      );
      expect(fleet.outcomes).toEqual(["mix", null, null, "mix", "mix"]);
    }
    expect(fleet.traffic).toEqual(twin.traffic);
  });
});
