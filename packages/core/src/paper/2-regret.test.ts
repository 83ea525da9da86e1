// Section 2.1, "Results for DCB": Theorem 1, eq. regret_CB, the corollary. How loose they are stands in docs/paper.md.
import { describe, expect, it } from "vitest";
import type { CentralPolicy } from "../central/centre.ts";
import { pooled } from "../central/pooled.ts";
import { createFleet, type Fleet } from "../fleet/fleet.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { dcb } from "../policies/dcb.ts";
import { random } from "../policies/random.ts";
import { solo } from "../policies/solo.ts";
import { corollary, delayLoss, learning, noSharing, type Setting, theorem1 } from "./testing/bounds.ts";
import { measured, seeds } from "./testing/measure.ts";
import { play, World } from "./testing/world.ts";

const fleetOf = (policy: Policy | CentralPolicy, { peers, dimension }: Setting, seed: number): Fleet =>
  createFleet({ policy, dimension, peers, random: Random.seeded(seed) });

const worldOf = ({ peers, dimension, noise }: Setting, seed: number): World =>
  new World({ peers, dimension, arms: 5, noise, seed });

const regretOf = (policy: Policy | CentralPolicy, setting: Setting, seed: number): number =>
  play(worldOf(setting, seed), fleetOf(policy, setting, seed), setting.rounds);

/** The ball of Proposition 1. W is 1 up to 10⁻⁴ at the published delay (2-confidence.test). */
const theory = (setting: Setting) =>
  ({ kind: "theory", norm: setting.norm, noise: setting.noise, delta: setting.delta, weight: 1.001 }) as const;

const small: Setting[] = [
  { peers: 4, dimension: 2, rounds: 1500, noise: 0.1, delta: 0.1, norm: 1 },
  { peers: 8, dimension: 3, rounds: 700, noise: 0.5, delta: 0.05, norm: 1 },
];

describe("Section 2.1, Theorem 1: the regret of DCB", () => {
  it.each(small)("is below the bound, by five orders ($peers peers, d = $dimension)", (setting) => {
    for (const seed of seeds(3)) {
      const regret = regretOf(dcb({ radius: theory(setting) }), setting, seed);
      expect(regret).toBeLessThan(learning(setting));
      expect(regret * 1e5).toBeLessThan(theorem1(setting));
    }
    // The bound says nothing yet: no policy can lose more than 2‖θ‖ a peer and round.
    expect(2 * setting.norm * setting.peers * setting.rounds * 100).toBeLessThan(delayLoss(setting.peers, setting));
  });

  it("is below the last term alone where a policy that does not learn is above it", () => {
    const setting: Setting = { ...small[0]!, rounds: 40_000 };
    expect(regretOf(dcb({ radius: theory(setting) }), setting, 1)).toBeLessThan(learning(setting) / 100);
    expect(regretOf(random(), setting, 1)).toBeGreaterThan(learning(setting));
  });

  it("a round can cost 2‖θ‖, where the bound's first term counts ‖θ‖", () => {
    // "N(δ)|V|‖θ‖" for the first N(δ) rounds: arms θ and −θ, and the first is taken while nothing is known.
    const setting: Setting = { peers: 3, dimension: 2, rounds: 10, noise: 0, delta: 0.1, norm: 1 };
    const fleet = fleetOf(dcb({ radius: theory(setting) }), setting, 1);
    const arms = { count: 2, values: Float64Array.of(-1, 0, 1, 0) };
    let regret = 0;
    for (let round = 1; round <= setting.rounds; round++) {
      fleet.round({ arms: () => arms, pay: (_peer, arm) => (arm === 0 ? -1 : 1) });
      for (const arm of fleet.choices) regret += arm === 0 ? 2 : 0;
    }
    // Published delay: nothing is known for more than ten rounds.
    expect(regret).toBe(2 * setting.peers * setting.rounds);
  });
});

describe("Section 2.1, eq. regret_CB: CB-NoSharing", () => {
  it.each(small)("stays below |V| β(t) √(t ln(1 + t/d)^d), which random passes ($peers peers)", (setting) => {
    for (const seed of seeds(3)) {
      expect(regretOf(solo({ radius: theory(setting) }), setting, seed)).toBeLessThan(noSharing(setting));
    }
    expect(regretOf(random(), { ...setting, rounds: 1500 }, 1)).toBeGreaterThan(
      noSharing({ ...setting, rounds: 1500 }),
    );
  });

  it("after a burn-in DCB gains more than √|V| over it; before, it loses", () => {
    // "after an initial 'burn in' period, the gain … is of order almost √|V|"
    const setting: Setting = { peers: 9, dimension: 5, rounds: 1500, noise: 1, delta: 0.1, norm: 1 };
    const parts = (policy: Policy): [early: number, late: number] => {
      const [world, fleet] = [worldOf(setting, 1), fleetOf(policy, setting, 1)];
      const early = play(world, fleet, 60);
      play(world, fleet, 140);
      return [early, play(world, fleet, 1300)];
    };
    const [alone, shared] = [parts(solo()), parts(dcb())];
    expect(shared[0]).toBeGreaterThan(alone[0]);
    expect(shared[1] * Math.sqrt(setting.peers)).toBeLessThan(alone[1]);
  });
});

describe("Section 2.1, corollary: δ = 1/√(|V|t)", () => {
  it("the mean regret is below the bound without its O(t^{1/4})", () => {
    const setting: Setting = { ...small[1]!, delta: 1 / Math.sqrt(8 * 700) };
    const regrets = seeds(10).map((seed) => regretOf(dcb({ radius: theory(setting) }), setting, seed));
    const { mean, error } = measured(regrets);
    expect(mean + 5 * error).toBeLessThan(corollary(setting) / 20);
  });

  it("the O(t^{1/4}) hides the larger part: ν grows as ln³ t and is above everything else at any t of use", () => {
    for (const rounds of [1e3, 1e6, 1e9]) {
      const setting: Setting = { ...small[1]!, rounds };
      expect(delayLoss(setting.peers, setting)).toBeGreaterThan(10 * setting.peers ** 1.25 * rounds ** 0.25);
    }
    const long: Setting = { ...small[1]!, rounds: 1e6 };
    expect(delayLoss(8, long)).toBeGreaterThan(corollary(long));
  });

  it("'in comparison with any algorithm that can share its information perfectly': from the delay on, as fast", () => {
    const setting: Setting = { peers: 8, dimension: 5, rounds: 800, noise: 1, delta: 0.1, norm: 1 };
    const late = (policy: Policy | CentralPolicy): number => {
      const totals = seeds(4).map((seed) => {
        const [world, fleet] = [worldOf(setting, seed), fleetOf(policy, setting, seed)];
        play(world, fleet, 200);
        return play(world, fleet, 600);
      });
      return measured(totals).mean;
    };
    expect(late(dcb())).toBeLessThan(2 * late(pooled()));
  });
});
