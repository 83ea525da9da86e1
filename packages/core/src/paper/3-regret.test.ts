// Section 3.1, Theorem 2, with the events of Appendix A.4, Step 1, on which it rests.
import { beforeAll, describe, expect, it } from "vitest";
import { distance, thresholdAt } from "../gossip/threshold.ts";
import { dccb } from "../policies/dccb.ts";
import { type Setting, theorem2 } from "./testing/bounds.ts";
import { exact } from "./testing/clusters.ts";
import { seeds } from "./testing/measure.ts";
import { fleetOf } from "./testing/weights.ts";
import { play, World } from "./testing/world.ts";

const setting: Setting = { peers: 6, dimension: 2, rounds: 5400, noise: 0.1, delta: 0.1, norm: 1 };
const { peers, dimension, noise, delta } = setting;
/** E x xᵀ = I/d for arms uniform on the sphere. */
const threshold = { kind: "theory", lambda: 1 / dimension, noise, delta } as const;

interface Run {
  readonly gamma: number;
  /** C(γ, λ, δ) = c⁻¹(γ/2). */
  readonly found: number;
  readonly exactFrom: number;
  readonly wronglyPruned: boolean;
  /** Regret of cluster 0, and the part of it in the last 300 rounds. */
  readonly regret: number;
  readonly late: number;
}

function run(seed: number): Run {
  const radius = { kind: "theory", norm: 1, noise, delta, weight: 1.01 } as const;
  const fleet = fleetOf(dccb({ radius, threshold }), dimension, peers, seed);
  const world = new World({ peers, dimension, arms: 5, noise, clusters: 2, seed });
  const gamma = distance(world.thetas[0]!, world.thetas[1]!);
  let found = 1;
  while (thresholdAt(threshold, 0, 0, found, dimension) > gamma / 2) found += 1;
  let [exactFrom, regret, late, wronglyPruned] = [0, 0, 0, false];
  play(world, fleet, setting.rounds, (round) => {
    if (exactFrom === 0 && exact(fleet, 2)) exactFrom = round;
    for (let i = 0; i < peers; i += 2) {
      const lost = world.regret(i, fleet.choices[i]!);
      regret += lost;
      if (round > setting.rounds - 300) late += lost;
    }
    wronglyPruned ||= !fleet.near(0, 2) || !fleet.near(2, 4) || !fleet.near(4, 0);
  });
  return { gamma, found, exactFrom, wronglyPruned, regret, late };
}

describe("Section 3.1, Theorem DCCB_main", () => {
  let runs: Run[] = [];
  beforeAll(() => {
    runs = seeds(4).map(run);
  });

  it("eq. lem_sharing_bound_1: nobody parts from a peer of its own cluster", () => {
    for (const { wronglyPruned } of runs) expect(wronglyPruned).toBe(false);
  });

  it("eq. lem_sharing_bound_2: 'each agent i finds its true cluster' soon after C(γ, λ, δ) = c⁻¹(γ/2)", () => {
    for (const { found, exactFrom } of runs) {
      // 4,800 rounds at d = 2, whatever γ is: A_λ is negative until then. Six peers need a few more to meet.
      expect(found).toBeGreaterThan(4500);
      expect(exactFrom).toBeGreaterThan(0);
      expect(exactFrom).toBeLessThan(found + 50);
    }
    // Distances above the numerator of c are told apart much sooner; those below wait for A_λ.
    expect(Math.max(...runs.map(({ exactFrom }) => exactFrom))).toBeGreaterThan(4000);
    expect(Math.min(...runs.map(({ exactFrom }) => exactFrom))).toBeLessThan(100);
  });

  it("the regret of a cluster is below the bound, by three orders and more", () => {
    for (const { found, regret } of runs) expect(regret * 1e3).toBeLessThan(theorem2(peers / 2, found, setting));
  });

  it("'within each cluster the algorithm … reduces to the case of' DCB: hardly any regret once clusters are found", () => {
    for (const { late } of runs) expect(late / (3 * 300)).toBeLessThan(1e-3);
    // Until then peers of two clusters share, and lose more than a peer alone would: most of the regret is from there.
    expect(Math.max(...runs.map(({ regret }) => regret))).toBeGreaterThan(1000);
  });
});
