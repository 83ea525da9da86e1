// Section 2.1, proof of Theorem 1, Steps 1 and 2: the ellipsoid and the regret of a round.
import { describe, expect, it } from "vitest";
import type { Weight } from "../gossip/weight.ts";
import { dcb } from "../policies/dcb.ts";
import { solo } from "../policies/solo.ts";
import { excess, logDeterminantOf, squareIn, squareInInverse } from "./testing/ellipsoid.ts";
import { frequency, seeds } from "./testing/measure.ts";
import { fleetOf, promotedWeights } from "./testing/weights.ts";
import { play, World } from "./testing/world.ts";

const DELTA = 0.1;
const DIMENSION = 3;

/** The largest `excess` of peer 0 over a run, and the largest weight W of that run. */
function widest(seed: number, peers: number, rounds: number, delay: number, weight: Weight, norm: number) {
  const radius = { kind: "theory", norm, noise: 1, delta: DELTA, weight: 1 } as const;
  const options = { radius, pairing: "permutation", delay: { rounds: delay }, weight } as const;
  const fleet = fleetOf(peers === 1 ? solo({ radius }) : dcb(options), DIMENSION, peers, seed);
  const world = new World({ peers, dimension: DIMENSION, arms: 5, noise: 1, norm, seed });
  const { view } = fleet.members[0]!.learner;
  let most = -Infinity;
  play(world, fleet, rounds, () => {
    most = Math.max(most, excess(view.active, view.estimate, world.theta(0), DELTA));
  });
  const largest = peers === 1 ? 1 : Math.max(...promotedWeights(options, peers, rounds, seed).flat(2));
  return { most, largest };
}

describe("Step 1, Proposition concentration: θ ∈ C_t^i with probability 1 − δ", () => {
  // θ = 0 leaves nothing to the term ‖θ‖, so the noise term has to hold alone: the hardest case. All rounds at once.
  it("CB: missed in fewer than δ of the runs, and not by far", () => {
    const runs = seeds(400).map((seed) => widest(seed, 1, 100, 0, "sum", 0));
    expect(frequency(runs, ({ most }) => most > 1)).toBeLessThan(DELTA);
    // Two tenths narrower would be too narrow.
    expect(frequency(runs, ({ most }) => most > 0.8)).toBeGreaterThan(2 * DELTA);
  });

  it("CB with ‖θ‖ = 1: hardly ever missed, the term ‖θ‖ is room enough", () => {
    const runs = seeds(400).map((seed) => widest(seed, 1, 60, 0, "sum", 1));
    expect(frequency(runs, ({ most }) => most > 1)).toBeLessThan(DELTA / 10);
  });

  it("DCB: with the measured W(τ(t)) missed in fewer than δ of the runs; W = 1 would not do; √W would", () => {
    const runs = seeds(200).map((seed) => widest(seed, 6, 50, 1, "sum", 0));
    expect(frequency(runs, ({ most, largest }) => most > largest)).toBeLessThan(DELTA);
    expect(frequency(runs, ({ most }) => most > 1)).toBeGreaterThan(0.5);
    // The proof's noise is √w η, which is √W R-subgaussian.
    expect(frequency(runs, ({ most, largest }) => most > Math.sqrt(largest))).toBeLessThan(DELTA);
  });

  it("under weight mean W is below 1 and the ball as printed too narrow; √W holds there too", () => {
    const runs = seeds(200).map((seed) => widest(seed, 6, 50, 8, "mean", 0));
    for (const { largest } of runs) expect(largest).toBeLessThan(0.7);
    expect(frequency(runs, ({ most, largest }) => most > largest)).toBeGreaterThan(3 * DELTA);
    expect(frequency(runs, ({ most, largest }) => most > Math.sqrt(largest))).toBeLessThan(DELTA);
  });
});

describe("Step 2, eq. inst regret decomp", () => {
  it("ρ ≤ ‖x‖_{Ã⁻¹} (‖θ_t − θ̂‖_Ã + ‖θ̂ − θ‖_Ã) wherever θ ∈ C", () => {
    const [peers, noise] = [4, 0.3];
    const radius = { kind: "theory", norm: 1, noise, delta: DELTA, weight: 1.5 } as const;
    const fleet = fleetOf(dcb({ radius, delay: { rounds: 6 } }), DIMENSION, peers, 1);
    const world = new World({ peers, dimension: DIMENSION, arms: 5, noise, seed: 1 });
    const before = () =>
      fleet.members.map(({ learner }) => [learner.view.active.slice(), learner.view.estimate.slice()]);
    let state = before();
    let tight = 0;
    play(world, fleet, 80, () => {
      for (let i = 0; i < peers; i++) {
        const [active, estimate] = state[i]! as [Float64Array, Float64Array];
        const theta = world.theta(i);
        const rho = 1 + 1.5 * noise * Math.sqrt(2 * (0.5 * logDeterminantOf(active, DIMENSION) - Math.log(DELTA)));
        const off = Math.sqrt(
          squareIn(
            active,
            theta.map((value, k) => estimate[k]! - value),
          ),
        );
        expect(off).toBeLessThanOrEqual(rho);
        const width = Math.sqrt(squareInInverse(active, world.chosen(fleet, i)));
        const regret = world.regret(i, fleet.choices[i]!);
        expect(regret).toBeLessThanOrEqual(width * (rho + off) + 1e-12);
        tight = Math.max(tight, regret / (width * (rho + off)));
      }
      state = before();
    });
    expect(tight).toBeGreaterThan(0.2);
  });
});
