// Section 2.1, proof of Theorem 1, Step 3a: the bias that comes from the weights' imbalance.
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import { dcb } from "../policies/dcb.ts";
import { burnIn, weightBias } from "./testing/bounds.ts";
import { logDeterminantOf, squareInInverse } from "./testing/ellipsoid.ts";
import { frequency, seeds, sum } from "./testing/measure.ts";
import { activeOf, fleetOf, promotedWeights } from "./testing/weights.ts";
import { play, World } from "./testing/world.ts";

const DIMENSION = 3;

describe("Step 3a, Lemma cov-matrix-det: e^{Σ|w − 1|} bounds what the weights do", () => {
  it.each([2, 5, 9])(
    "‖x‖²_{Ã⁻¹} ≤ e^Σ ‖x‖²_{A_τ⁻¹}, the other way round, and det Ã ≤ e^Σ det A_τ (delay %d)",
    (delay) => {
      const [peers, rounds] = [5, 30];
      for (const seed of seeds(6)) {
        const options = { pairing: "permutation", delay: { rounds: delay } } as const;
        const weights = promotedWeights(options, peers, rounds, seed);
        const fleet = fleetOf(dcb(options), DIMENSION, peers, seed);
        const world = new World({ peers, dimension: DIMENSION, arms: 4, noise: 0.3, seed });
        // A_τ(t), without its I.
        const exact = new Statistics(DIMENSION);
        const bias = new Array<number>(peers).fill(0);
        const chosen: Float64Array[][] = [];
        play(world, fleet, rounds, (round) => {
          chosen.push(fleet.members.map((_, i) => world.chosen(fleet, i)));
          if (round <= delay) return;
          for (const x of chosen[round - delay - 1]!) exact.add(x, 0, 0);
          for (let i = 0; i < peers; i++) {
            bias[i]! += sum(weights[round - delay - 1]![i]!.map((w) => Math.abs(w - 1)));
            const active = activeOf(fleet, i);
            const x = chosen[round - 1]![i]!;
            const ratio = Math.log(squareInInverse(active, x) / squareInInverse(exact.slot, x));
            expect(ratio).toBeLessThanOrEqual(bias[i]! + 1e-9);
            // The proof's (ii) shows this direction; both hold.
            expect(-ratio).toBeLessThanOrEqual(bias[i]! + 1e-9);
            const volume = logDeterminantOf(active, DIMENSION) - logDeterminantOf(exact.slot, DIMENSION);
            expect(volume).toBeLessThanOrEqual(bias[i]! + 1e-9);
            // Weights far from 1 do change the matrix: the lemma is not about nothing.
            if (delay === 2 && round === rounds) expect(Math.abs(ratio) + Math.abs(volume)).toBeGreaterThan(1e-3);
          }
        });
      }
    },
  );
});

describe("Step 3a, Lemma weight-norm-sum-bound", () => {
  const [peers, delay] = [6, 6];
  /** Σ_i' |w − 1| at peer 0, per promoted slot. */
  const biases = (rounds: number, runs: number): number[][] =>
    seeds(runs).map((seed) =>
      promotedWeights({ pairing: "permutation", delay: { rounds: delay } }, peers, rounds, seed).map((weights) =>
        sum(weights[0]!.map((w) => Math.abs(w - 1))),
      ),
    );

  it("one slot: Σ_i' |w − 1| ≤ |V|^{3/2} (2^age δ)^{-1/2} fails in fewer than δ of the runs", () => {
    const runs = biases(delay + 1, 1000).map(([first]) => first!);
    for (const delta of [0.5, 0.2, 0.05]) {
      const bound = peers ** 1.5 * (2 ** delay * delta) ** -0.5;
      expect(frequency(runs, (bias) => bias > bound)).toBeLessThan(delta);
    }
    // Not by orders of magnitude: a third of the bound would fail too often.
    const bound = peers ** 1.5 * (2 ** delay * 0.5) ** -0.5;
    expect(frequency(runs, (bias) => bias > bound / 3)).toBeGreaterThan(0.5);
  });

  it("W ≤ 1 + max |V|^{3/2} (2^age δ)^{-1/2}", () => {
    for (const delta of [0.5, 0.1]) {
      const bound = 1 + peers ** 1.5 * (2 ** delay * delta) ** -0.5;
      const runs = seeds(300).map((seed) =>
        promotedWeights({ pairing: "permutation", delay: { rounds: delay } }, peers, delay + 1, seed),
      );
      expect(frequency(runs, (run) => Math.max(...run[0]![0]!) > bound)).toBeLessThan(delta);
    }
  });

  it("many slots: holds with each slot's age at its promotion, fails with t − t' as printed", () => {
    const [rounds, delta] = [80, 0.9];
    const runs = biases(rounds, 100);
    const total = (bound: (age: number, share: number) => number) =>
      sum(
        Array.from({ length: rounds - delay }, (_, k) => bound(rounds - (k + 1), delta * 2 ** ((k + 1 - rounds) / 2))),
      );
    // As printed: δ_t' = δ 2^{(t'−t)/2}, probability of failure Σ δ_t'.
    const printed = total((age, share) => peers ** 1.5 * (2 ** age * share) ** -0.5);
    const allowed = total((_, share) => share);
    expect(allowed).toBeLessThan(0.4);
    // An active pair is not mixed again, so the sum grows with every slot; the printed bound does not.
    expect(frequency(runs, (run) => sum(run) > printed)).toBe(1);
    const even = 0.1 / (rounds - delay);
    const frozen = (rounds - delay) * peers ** 1.5 * (2 ** delay * even) ** -0.5;
    expect(frequency(runs, (run) => sum(run) > frozen)).toBeLessThan(0.1);
  });
});

describe("Step 3a, eq. A_bound", () => {
  it("with δ_t' = δ 2^{(t'−t)/2} the lemma's sums come to C(t) and to δ/(|V|³t²(1 − 2^{-1/2}))", () => {
    const [peers, delta] = [5, 0.1];
    for (const round of [60, 200, 1000]) {
      const tau = Math.floor(round - 4 * Math.log2(peers ** 1.5 * round));
      let [bias, failure, weight] = [0, 0, 0];
      for (let t = 1; t <= tau; t++) {
        const share = delta * 2 ** ((t - round) / 2);
        const term = peers ** 1.5 * (2 ** (round - t) * share) ** -0.5;
        [bias, failure, weight] = [bias + term, failure + share, Math.max(weight, term)];
      }
      expect(bias).toBeLessThanOrEqual(weightBias(round, delta));
      expect(failure).toBeLessThanOrEqual(delta / (peers ** 3 * round ** 2 * (1 - 2 ** -0.5)));
      // W − 1 comes to 1/(t√δ); the printed |V|^{3/2}/(t√δ) is |V|^{3/2} too large.
      expect(weight).toBeLessThanOrEqual(1 / (round * Math.sqrt(delta)));
      expect(weightBias(round, delta)).toBeCloseTo(burnIn(delta) / round, 12);
    }
  });

  it("at the published delay the weights are even: Σ|w − 1| and W − 1 below 10⁻³", () => {
    const promoted = promotedWeights({ pairing: "permutation" }, 6, 150, 1);
    expect(promoted.length).toBeGreaterThan(50);
    for (let i = 0; i < 6; i++) {
      expect(sum(promoted.map((weights) => sum(weights[i]!.map((w) => Math.abs(w - 1)))))).toBeLessThan(1e-3);
    }
    expect(Math.max(...promoted.flat(2))).toBeLessThan(1.001);
  });
});
