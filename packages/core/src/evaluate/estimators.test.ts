import { describe, expect, it } from "vitest";
import { normalReach, studentReach } from "../numbers/normal.ts";
import {
  accuracyOf,
  difference,
  doublyRobust,
  effectiveSize,
  gainOf,
  ips,
  meanOf,
  type Sample,
  snips,
} from "./estimators.ts";

/**
 * Worked by hand. Two items; the log chose the first with 0.8, the second with 0.2; the target has each with 0.5, so that
 * w = 0.625 or 2.5. The model guesses 0.5 for the first item, 0.75 for the second: Σ π q = 0.625 throughout.
 */
const hand: Sample = {
  weights: [0.625, 0.625, 2.5, 0.625, 2.5],
  rewards: [1, 0, 1, 1, 0],
  direct: [0.625, 0.625, 0.625, 0.625, 0.625],
  predicted: [0.5, 0.5, 0.75, 0.5, 0.75],
  units: [0, 1, 2, 3, 4],
};

describe("by hand", () => {
  it("inverse propensity scoring is the mean of w r, and its error that of a mean", () => {
    // w r = .625, 0, 2.5, .625, 0: sum 3.75. Squares about .75: .015625, .5625, 3.0625, .015625, .5625 = 4.21875.
    const { value, error, freedom, low, high } = ips(hand, 2);
    expect(value).toBe(0.75);
    expect(error).toBeCloseTo(Math.sqrt(4.21875 / 4 / 5), 14);
    // Fourth powers: .000244, .316406, 9.378906, .000244, .316406 = 10.012207; κ = 5 · 10.012207 / 4.21875² = 2.812757.
    expect(freedom).toBeCloseTo(Math.min(4, 10 / (2.812757 - 2 / 4)), 5);
    expect(high - value).toBeCloseTo(studentReach(2, freedom) * error, 14);
    expect(value - low).toBeCloseTo(high - value, 14);
  });

  it("self-normalised is Σ w r / Σ w, with the error of the ratio", () => {
    // 3.75 / 6.875 = 6/11. w (r − V) / w̄ with w̄ = 1.375: w r and w alone in that.
    const { value, error } = snips(hand, 1);
    expect(value).toBeCloseTo(6 / 11, 14);
    const off = [0.625 * (5 / 11), 0.625 * (-6 / 11), 2.5 * (5 / 11), 0.625 * (5 / 11), 2.5 * (-6 / 11)];
    const squares = off.reduce((sum, one) => sum + (one / 1.375) ** 2, 0);
    expect(error).toBeCloseTo(Math.sqrt(((5 / 4) * squares) / 25), 14);
  });

  it("doubly robust is the model's guess, and what it was off by where that is known", () => {
    // .625 + w (r − q): .625 + .3125, .625 − .3125, .625 + .625, .625 + .3125, .625 − 1.875.
    const psi = [0.9375, 0.3125, 1.25, 0.9375, -1.25];
    const { value, error } = doublyRobust(hand, 1);
    expect(value).toBeCloseTo(2.1875 / 5, 14);
    const squares = psi.reduce((sum, one) => sum + (one - 0.4375) ** 2, 0);
    expect(error).toBeCloseTo(Math.sqrt(squares / 4 / 5), 14);
  });

  it("the gain is over what was earned in the same choices", () => {
    expect(gainOf(hand, 1).value).toBeCloseTo(0.4375 - 0.6, 14);
  });

  it("the effective size is (Σ w)² / Σ w²", () => {
    expect(effectiveSize(hand.weights)).toBeCloseTo(6.875 ** 2 / (3 * 0.625 ** 2 + 2 * 2.5 ** 2), 13);
    expect(effectiveSize([2, 2, 2, 2])).toBe(4);
    expect(effectiveSize([0, 0])).toBe(0);
  });
});

describe("what the published formulas promise", () => {
  it("with a perfect model nothing is left to weigh: doubly robust is the direct guess, without error", () => {
    const perfect = { ...hand, predicted: hand.rewards };
    expect(doublyRobust(perfect, 1)).toMatchObject({ value: 0.625, error: 0, low: 0.625, high: 0.625 });
  });

  it("with a model that says nothing it is inverse propensity scoring", () => {
    const nothing = { ...hand, direct: [0, 0, 0, 0, 0], predicted: [0, 0, 0, 0, 0] };
    expect(doublyRobust(nothing, 2)).toEqual(ips(nothing, 2));
  });

  it("self-normalised does not change when all weights are wrong by one factor, and shifts with the rewards", () => {
    const doubled = { ...hand, weights: Array.from(hand.weights, (w) => 2 * w) };
    expect(snips(doubled, 1).value).toBeCloseTo(snips(hand, 1).value, 14);
    const shifted = { ...hand, rewards: Array.from(hand.rewards, (r) => r + 10) };
    expect(snips(shifted, 1).value).toBeCloseTo(snips(hand, 1).value + 10, 12);
    expect(snips(shifted, 1).error).toBeCloseTo(snips(hand, 1).error, 12);
  });

  it("with weights of 1 all of them are the mean", () => {
    const same = { ...hand, weights: [1, 1, 1, 1, 1], direct: hand.predicted };
    for (const estimate of [ips, snips, doublyRobust]) expect(estimate(same, 1).value).toBeCloseTo(0.6, 14);
  });
});

describe("choices of one unit", () => {
  it("count as one: said four times each, nothing is known better", () => {
    const values = [1, 0, 1, 1, 0, 1];
    const once = meanOf(values, [...values.keys()], 1);
    const repeated = values.flatMap((value) => [value, value, value, value]);
    const units = values.flatMap((_, k) => [k, k, k, k]);
    expect(meanOf(repeated, units, 1)).toEqual({
      ...once,
      error: expect.closeTo(once.error, 14),
      low: expect.anything(),
      high: expect.anything(),
    });
    expect(meanOf(repeated, [...repeated.keys()], 1).error).toBeLessThan(0.6 * once.error);
  });

  it("a single unit says nothing of others", () => {
    expect(accuracyOf([1, -1], [0, 0]).error).toBe(Infinity);
  });
});

describe("how well an error is known", () => {
  const apart = (values: readonly number[]): number[] => [...values.keys()];

  it("as of normal values where the kurtosis is 3, less where single choices weigh much, never better", () => {
    // Four values of −2, 2 and four 0 have the kurtosis 8 · 64 / 16² = 2: more freedom than seven is not given.
    const flat = [-2, 2, -2, 2, 0, 0, 0, 0];
    expect(accuracyOf(flat, apart(flat)).freedom).toBe(7);
    const peaked = [...new Array<number>(98).fill(0), 7, -7];
    expect(accuracyOf(peaked, apart(peaked)).freedom).toBeCloseTo(200 / (50 - 97 / 99), 10);
  });

  it("of a difference: Welch's degrees of freedom", () => {
    const one = { value: 3, error: 0.3, freedom: 8, low: 0, high: 0 };
    const other = { value: 1, error: 0.4, freedom: 12, low: 0, high: 0 };
    const found = difference(one, other, normalReach(0.95));
    expect(found).toMatchObject({ value: 2, error: 0.5 });
    expect(found.freedom).toBeCloseTo(0.0625 / (0.0081 / 8 + 0.0256 / 12), 10);
  });
});
