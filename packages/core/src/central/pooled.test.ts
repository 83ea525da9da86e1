import { describe, expect, it } from "vitest";
import type { ChoiceRule } from "../bandit/choice.ts";
import { ConfigError } from "../errors.ts";
import { createFleet, type Fleet } from "../fleet/fleet.ts";
import { Random } from "../numbers/random.ts";
import { initialPeer, step } from "../peer/peer.ts";
import { solo } from "../policies/solo.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { smallWorld } from "../testing/small-world.ts";
import type { CentralPolicy } from "./centre.ts";
import { oracle, pooled } from "./pooled.ts";

const PEERS = 5;
const D = 4;
const ROUNDS = 60;
const random = Random.seeded(2);
const world = smallWorld({ seed: 1, peers: PEERS, dimension: D, clusters: 2 });

const fleetOf = (policy: CentralPolicy | ReturnType<typeof solo>, clusters: number[] | null = null): Fleet =>
  createFleet({ policy, dimension: D, peers: PEERS, random, clusters: clusters && Int32Array.from(clusters) });

/** The choices of every round, and the estimates of all peers at the end. */
function run(fleet: Fleet): { choices: number[][]; estimates: number[][] } {
  const choices = range(ROUNDS).map((k) => {
    fleet.round(world(k + 1));
    return Array.from(fleet.choices);
  });
  return { choices, estimates: range(PEERS).map((i) => Array.from(fleet.estimate(i))) };
}

describe("pooled", () => {
  it.each<ChoiceRule>(["optimistic", "thompson"])(
    "is one %s solo peer that is told everything at the end of each round",
    (choice) => {
      const fleet = fleetOf(pooled({ choice }));
      const one = initialPeer({ id: "one", dimension: D, policy: solo({ choice }), peers: 1 });
      for (let round = 1; round <= ROUNDS; round++) {
        const offered = world(round);
        fleet.round(offered);
        const draws = random.fork("choice").fork(round);
        const choices = range(PEERS).map((i) => one.learner.choose(offered.arms(i), one.round, draws.fork(i)));
        expect(choices).toEqual(Array.from(fleet.choices));
        choices.forEach((arm, i) => {
          const x = offered.arms(i).values.slice(arm * D, (arm + 1) * D);
          step(one, { kind: "observe", arm: x, reward: offered.pay(i, arm) });
        });
        step(one, { kind: "close" });
        for (const i of range(PEERS)) {
          expect(relativeGap(fleet.estimate(i), one.learner.view.estimate)).toBeLessThan(1e-12);
          expect([fleet.evidence(i), fleet.own(i)]).toEqual([PEERS * round, round]);
        }
      }
    },
  );

  it("would have each tell every other what it saw", () => {
    const fleet = fleetOf(pooled());
    run(fleet);
    expect(fleet.traffic).toEqual({ exchanges: ROUNDS * 20, bytes: ROUNDS * 20 * 8 * (D + 1) });
    expect(fleet.near(0, 4)).toBe(true);
  });
});

describe("oracle", () => {
  it("with one cluster is pooled", () => {
    expect(run(fleetOf(oracle(), [0, 0, 0, 0, 0]))).toEqual(run(fleetOf(pooled())));
  });

  it("with a cluster for each is solo", () => {
    const { choices, estimates } = run(fleetOf(oracle(), [4, 3, 2, 1, 0]));
    const alone = run(fleetOf(solo()));
    expect(choices).toEqual(alone.choices);
    expect(relativeGap(estimates.flat(), alone.estimates.flat())).toBeLessThan(1e-12);
  });

  it("pools within the true clusters and tells nobody else", () => {
    const fleet = fleetOf(oracle(), [0, 1, 0, 1, 0]);
    const { estimates } = run(fleet);
    expect(range(PEERS).map((i) => fleet.evidence(i))).toEqual([3, 2, 3, 2, 3].map((size) => size * ROUNDS));
    expect([estimates[0], estimates[1]]).toEqual([estimates[4], estimates[3]]);
    expect(estimates[0]).not.toEqual(estimates[1]);
    expect([fleet.near(0, 2), fleet.near(0, 1)]).toEqual([true, false]);
    expect(fleet.traffic).toEqual({ bytes: null, exchanges: 0 });
  });

  it("cannot run where clusters are not known", () => {
    expect(() => fleetOf(oracle())).toThrow(ConfigError);
  });
});
