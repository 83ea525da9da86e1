import type { Fleet } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { World } from "../worlds/world.ts";
import { RunTally } from "./tally.ts";

/** Two peers and three items worth 0, ½ and 1 to both. */
const means = [0, 0.5, 1];
const world = {
  peers: 2,
  dimension: 1,
  clusters: null,
  knowsMeans: true,
  fixedMenu: true,
  advance: () => {},
  present: () => true,
  newcomer: (peer: number) => peer === 1,
  arms: () => ({ count: 3, values: Float64Array.of(0, 0.5, 1) }),
  pay: () => 1,
  mean: (_peer: number, arm: number) => means[arm]!,
  bestMean: () => 1,
} satisfies World;

const chose = (...choices: number[]): Fleet =>
  ({
    choices: Int32Array.from(choices),
    rewards: Float64Array.from(choices, (arm) => (arm < 0 ? 0 : 1)),
  }) as Partial<Fleet> as Fleet;

describe("what was chosen", () => {
  it("is counted by peer, and whoever chose nothing is left out", () => {
    const tally = new RunTally(world, 3, 20);
    tally.count(chose(2, 0), 1);
    tally.count(chose(1, -1), 2);
    expect(tally).toMatchObject({ reward: 3, regret: 1.5, choices: 3, right: 1, newcomerRegret: 1 });
  });

  it("over the last tenth of the rounds says who is stuck", () => {
    const tally = new RunTally(world, 3, 20);
    for (let round = 1; round <= 18; round++) tally.count(chose(2, 0), round);
    // Only rounds 19 and 20 count, and in both turns.
    tally.count(chose(1, 2), 19);
    tally.count(chose(1, 2), 20);
    tally.count(chose(2, 0), 20);
    expect(tally.stuck).toBe(1);
  });

  it("is not known of newcomers or of menus where there are none", () => {
    const { newcomer: _, ...nobody } = world;
    const tally = new RunTally({ ...nobody, fixedMenu: false }, 3, 20);
    tally.count(chose(0, 0), 20);
    expect([tally.newcomerRegret, tally.stuck]).toEqual([null, null]);
  });
});
