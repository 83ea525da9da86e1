// Section 2, the weights w_{i,t}^{i',t'} of eq. current_weights, and Lemma 4 of Szörényi et al. (2013) on which Step 3a rests.
import { describe, expect, it } from "vitest";
import { dcb } from "../policies/dcb.ts";
import { measured, seeds, sum } from "./testing/measure.ts";
import { agedWeights, fleetOf, inActive, promotedWeights, tracers, type Weights } from "./testing/weights.ts";

/** Measured values may stray from the exact ones by so many standard errors: under 1 in 10⁵ if the claim is true. */
const ERRORS = 4.5;
const RUNS = 600;

const transposed = (weights: Weights): Weights => weights.map((_, k) => weights.map((row) => row[k]!));

/** Mean of (w − 1)² over all holders and origins, and over each peer's own observation alone. */
const spread = (weights: Weights): number => sum(weights.flat().map((w) => (w - 1) ** 2)) / weights.length ** 2;
const ownSpread = (weights: Weights): number => sum(weights.map((row, i) => (row[i]! - 1) ** 2)) / weights.length;

describe("Section 2, weights: Σ_i' w_{i,t}^{i',t'} = |V|", () => {
  it.each(["permutation", "matching", "neighbours", "asynchronous"] as const)(
    "they are nonnegative and sum to |V| over origins and over holders (%s)",
    (pairing) => {
      const promoted = promotedWeights({ pairing, delay: { rounds: 6 } }, 7, 30, 5);
      expect(promoted.length).toBe(24);
      for (const weights of promoted) {
        expect(Math.min(...weights.flat())).toBeGreaterThanOrEqual(0);
        for (const row of weights) expect(sum(row)).toBeCloseTo(7, 12);
        // What one observation counts at all peers together: nothing is lost or made by averaging.
        for (const column of transposed(weights)) expect(sum(column)).toBeCloseTo(7, 12);
      }
    },
  );

  it("under weight mean, the pseudo-code to the letter, they sum to 1", () => {
    const delay = { rounds: 6 };
    const promoted = promotedWeights({ weight: "mean", pairing: "permutation", delay }, 7, 30, 5);
    for (const weights of promoted) for (const row of weights) expect(sum(row)).toBeCloseTo(1, 12);
    // The same partners: each is 1/|V| of what it is under sum.
    const summed = promotedWeights({ weight: "sum", pairing: "permutation", delay }, 7, 30, 5);
    promoted.flat(2).forEach((w, k) => {
      expect(7 * w).toBeCloseTo(summed.flat(2)[k]!, 12);
    });
  });

  it("they stay as they were when the slot was promoted", () => {
    // The pseudo-code never mixes an active pair again, so w_{i,t} for t after the promotion is w at the promotion.
    const fleet = fleetOf(dcb({ delay: { rounds: 3 } }), 5, 5, 2);
    for (let round = 1; round <= 4; round++) fleet.round(tracers(5));
    const early = inActive(fleet);
    const still = { arms: () => ({ count: 1, values: new Float64Array(5) }), pay: () => 0 };
    for (let round = 5; round <= 7; round++) fleet.round(tracers(5));
    for (let round = 8; round <= 60; round++) fleet.round(still);
    const late = inActive(fleet);
    // Rounds 2 to 7 came after round 1 and sum to 5 each; what is left is round 1, unchanged and far from even.
    const promoted = promotedWeights({ delay: { rounds: 3 } }, 5, 10, 2);
    for (let i = 0; i < 5; i++) {
      for (let k = 0; k < 5; k++) {
        const others = sum(promoted.slice(1).map((weights) => weights[i]![k]!));
        expect(late[i]![k]! - others).toBe(early[i]![k]!);
      }
    }
    expect(spread(early)).toBeGreaterThan(0.1);
  });
});

describe("Section 2, weights: 'identically distributed for each fixed pair (t, t')'", () => {
  const peers = 8;
  const runs = seeds(RUNS).map((seed) => agedWeights(peers, "permutation", 6, seed));

  it.each([1, 2, 4, 6])("not as printed: at age %d a peer's own weight has a larger mean than the others'", (age) => {
    // One round's expected matrix is ½ I + ½ 11ᵀ/|V|, so E w = 1 − 2^−age, and for i' = i a further |V| 2^−age.
    const own = measured(runs.map((run) => sum(run[age]!.map((row, i) => row[i]!)) / peers));
    const other = measured(
      runs.map((run) => sum(run[age]!.map((row, i) => sum(row) - row[i]!)) / (peers * (peers - 1))),
    );
    expect(Math.abs(own.mean - (1 - 2 ** -age + peers * 2 ** -age))).toBeLessThan(ERRORS * own.error);
    expect(Math.abs(other.mean - (1 - 2 ** -age))).toBeLessThan(ERRORS * other.error);
  });

  it("the weights of others are alike: every pair i ≠ i' has the same mean and the same spread", () => {
    const pairs = runs[0]![3]!
      .flatMap((row, i) => row.map((_, origin) => [i, origin] as const))
      .filter(([i, origin]) => i !== origin);
    // |V| times the mean square over all is the own one and |V| − 1 others.
    const all = (peers - 1) / 8;
    const square = (peers * all - (all + ((peers - 1) * (peers - 2)) / 64)) / (peers - 1);
    for (const [expected, of] of [
      [1 - 2 ** -3, (w: number) => w],
      [square, (w: number) => (w - 1) ** 2],
    ] as const) {
      const samples = pairs.map(([i, origin]) => runs.map((run) => of(run[3]![i]![origin]!)));
      // Large weights are rare: the error of one pair's mean is taken from all pairs, which have seen enough of them.
      const error = measured(samples.flat()).error * Math.sqrt(pairs.length);
      for (const sample of samples) expect(Math.abs(measured(sample).mean - expected)).toBeLessThan(ERRORS * error);
    }
  });
});

describe("Lemma 4 of Szörényi et al.: E (w_{i,t}^{j,t'} − 1)² ≤ |V| / 2^{t−t'}", () => {
  const ages = [1, 2, 3, 5, 7, 9];
  const runsOf = (peers: number, pairing: "permutation" | "matching" | "asynchronous") =>
    seeds(RUNS).map((seed) => agedWeights(peers, pairing, 9, seed));

  it.each([4, 7, 8])("permutation, %d peers: half a round, exactly (|V| − 1)/2^age on average", (peers) => {
    const runs = runsOf(peers, "permutation");
    for (const age of ages) {
      const found = measured(runs.map((run) => spread(run[age]!)));
      expect(Math.abs(found.mean - (peers - 1) / 2 ** age)).toBeLessThan(ERRORS * found.error);
      expect(found.mean).toBeLessThan(peers / 2 ** age);
    }
  });

  it("but not for a peer's own observation: there a further (|V|−1)(|V|−2)/4^age, above the bound when young", () => {
    const peers = 8;
    const runs = runsOf(peers, "permutation");
    for (const age of ages) {
      const found = measured(runs.map((run) => ownSpread(run[age]!)));
      const exact = (peers - 1) / 2 ** age + ((peers - 1) * (peers - 2)) / 4 ** age;
      expect(Math.abs(found.mean - exact)).toBeLessThan(ERRORS * found.error);
      const aboveBound = found.mean - ERRORS * found.error > peers / 2 ** age;
      // It comes under the bound at 2^age = (|V|−1)(|V|−2) = 42, long before a slot's 4 log2(|V|^{3/2} t) rounds are over.
      if (age <= 3) expect(aboveBound).toBe(true);
      if (age >= 7) expect(exact).toBeLessThan(peers / 2 ** age);
    }
  });

  it("matching, 8 peers: falls faster, by ½ (|V|−2)/(|V|−1) a round", () => {
    const runs = runsOf(8, "matching");
    for (const age of ages) {
      const found = measured(runs.map((run) => spread(run[age]!)));
      expect(Math.abs(found.mean - 7 * (3 / 7) ** age)).toBeLessThan(ERRORS * found.error + 1e-12);
    }
  });

  it("matching, 7 peers: one stays alone, and it is half a round again", () => {
    const runs = runsOf(7, "matching");
    for (const age of ages) {
      const found = measured(runs.map((run) => spread(run[age]!)));
      expect(Math.abs(found.mean - 6 / 2 ** age)).toBeLessThan(ERRORS * found.error + 1e-12);
    }
  });

  it("asynchronous, 8 peers: slower, (1 − 1/(|V|−1))^{|V|/2} a round, so that the bound fails", () => {
    const runs = runsOf(8, "asynchronous");
    for (const age of ages) {
      const found = measured(runs.map((run) => spread(run[age]!)));
      expect(Math.abs(found.mean - 7 * (6 / 7) ** (4 * age))).toBeLessThan(ERRORS * found.error);
      if (age >= 5) expect(found.mean - ERRORS * found.error).toBeGreaterThan(8 / 2 ** age);
    }
  });
});
