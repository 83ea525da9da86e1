import { Random } from "@coterie/core";
import { normalBelow } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimate, estimateMean, meanOf } from "./interval.ts";
import { studentPoint } from "./student.ts";

/** How often the interval holds the true mean, of `trials` samples of `count`. */
function coverage(count: number, trials: number, draw: (random: Random) => number, truth: number): number {
  const random = Random.seeded(7).fork("coverage").fork(count);
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { low, high } = estimateMean(Array.from({ length: count }, () => draw(random)));
    if (low! <= truth && truth <= high!) held++;
  }
  return held / trials;
}

describe("the interval of a mean", () => {
  it.each([2, 3, 5, 8])("is Student's for %i seeds", (count) => {
    // 2,000 trials: two standard errors are 1 %.
    expect(coverage(count, 2000, (random) => 3 + random.normal(), 3)).toBeGreaterThan(0.935);
    expect(coverage(count, 2000, (random) => 3 + random.normal(), 3)).toBeLessThan(0.965);
  });

  it.each([10, 20, 30])("covers about 95 %% for %i normal seeds", (count) => {
    const share = coverage(count, 1000, (random) => 3 + 2 * random.normal(), 3);
    // 1,000 trials: three standard errors are 2 %.
    expect(share).toBeGreaterThan(0.925);
    expect(share).toBeLessThan(0.975);
  });

  it("covers not much less for skewed values", () => {
    const share = coverage(20, 500, (random) => random.normal() ** 2, 1);
    expect(share).toBeGreaterThan(0.86);
    expect(share).toBeLessThan(0.97);
  });

  it("is the classical one for few seeds", () => {
    // mean 3, standard deviation √2.5, t = 2.7764
    const { value, low, high, count } = estimateMean([1, 2, 3, 4, 5]);
    expect(value).toBe(3);
    expect(count).toBe(5);
    expect(low).toBeCloseTo(3 - 2.7764 * Math.sqrt(2.5 / 5), 10);
    expect(high).toBeCloseTo(3 + 2.7764 * Math.sqrt(2.5 / 5), 10);
  });

  it("is absent for one seed and has no width for equal ones", () => {
    expect(estimateMean([4])).toEqual({ value: 4, low: null, high: null, count: 1 });
    for (const count of [7, 12]) {
      expect(estimateMean(new Array(count).fill(4))).toEqual({ value: 4, low: 4, high: 4, count });
    }
  });

  it("is absent where a resample has no value", () => {
    const values = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const inverse = estimate(10, (picks, from, count) => 1 / meanOf(values, picks, from, count));
    expect(inverse).toEqual({ value: 10, low: null, high: null, count: 10 });
  });

  it("says the same every time, whatever was asked before", () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
    const before = estimateMean(values);
    estimateMean([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4]);
    expect(estimateMean(values)).toEqual(before);
  });

  it("holds the mean, and moves and stretches with the values", () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(values, fc.integer({ min: -50, max: 50 }), fc.constantFrom(0.5, 2, 8), (sample, shift, scale) => {
        const plain = estimateMean(sample);
        const moved = estimateMean(sample.map((value) => value * scale + shift));
        expect(plain.low!).toBeLessThanOrEqual(plain.value);
        expect(plain.high!).toBeGreaterThanOrEqual(plain.value);
        expect(moved.low!).toBeCloseTo(plain.low! * scale + shift, 6);
        expect(moved.high!).toBeCloseTo(plain.high! * scale + shift, 6);
      }),
      { numRuns: 30 },
    );
  });
});

describe("Student's t", () => {
  it.each([
    [1, 12.7062],
    [4, 2.7764],
    [5, 2.5706],
    [9, 2.2622],
    [30, 2.0423],
    [1000, 1.9623],
  ])("has its 97.5th percentile for %i degrees of freedom at %f", (freedom, point) => {
    expect(Math.abs(studentPoint(freedom) - point)).toBeLessThan(0.003);
  });

  it("meets the normal distribution", () => {
    expect(normalBelow(0)).toBeCloseTo(0.5, 6);
    expect(normalBelow(-1.959964)).toBeCloseTo(0.025, 5);
    expect(normalBelow(2.326348)).toBeCloseTo(0.99, 5);
  });
});
