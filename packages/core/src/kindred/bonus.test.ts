import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bonusOf, type Explored, type Others } from "./bonus.ts";
import { clicks, gaussian } from "./rewardLikelihood.ts";

const NOBODY: Others = { records: 0, ridge: 1 };
/** A fixed menu of six items, alone. */
const ALONE: Explored = {
  count: 2000,
  directions: 6,
  noise: 0.04,
  repeated: 1,
  others: NOBODY,
  likelihood: clicks(0, 1),
};
/** So many whose tries tell of mine as my own do. */
const alike = (records: number): Others => ({ records, ridge: 1e12 });

/** The width of the interval: ℓ max(4, ln(nℓ/q)) / (1 + m). */
const widthOf = ({ count, directions, others }: Explored, leverage: number): number =>
  (leverage * Math.max(4, Math.log((count * leverage) / directions))) / (1 + others.records);

describe("the bonus of an arm where rewards are clicks", () => {
  it("is √(width · p(1 − p)) with p the click rate at the bound, whatever the two values are", () => {
    const setting = fc.record({
      p: fc.double({ min: 0, max: 1, noNaN: true }),
      tries: fc.integer({ min: 1, max: 200 }),
      low: fc.double({ min: -5, max: 5, noNaN: true }),
      range: fc.double({ min: 0.01, max: 10, noNaN: true }),
      others: fc.integer({ min: 0, max: 5 }),
    });
    const property = fc.property(setting, ({ p, tries, low, range, others }) => {
      const leverage = 1 / (1 + tries);
      const explored: Explored = { ...ALONE, others: alike(others), likelihood: clicks(low, low + range) };
      const bonus = bonusOf(explored, low + range * p, 0, leverage, 0.5, 6, 1) / range;
      expect(bonus).toBeGreaterThanOrEqual(0);
      expect(p + bonus).toBeLessThanOrEqual(1 + 1e-9);
      expect(bonus * bonus).toBeCloseTo(widthOf(explored, leverage) * (p + bonus) * (1 - p - bonus), 9);
    });
    fc.assert(property, { seed: 4, numRuns: 200 });
  });

  it("is more for an arm that was never clicked than the variance of all rewards would give", () => {
    const of = (explored: Explored): number => bonusOf(explored, 0, 0, 1 / 23, 0.5, 6, 1);
    expect(of(ALONE)).toBeGreaterThan(1.4 * of({ ...ALONE, likelihood: gaussian }));
    // In company it is what is believed that counts.
    expect(of({ ...ALONE, others: alike(100) })).toBeLessThan(0.02 * of(ALONE));
  });

  it("takes an estimate beyond the two values for the nearer one", () => {
    const of = (mean: number): number => bonusOf(ALONE, mean, 0, 0.05, 0.5, 6, 1);
    expect(of(-0.2)).toBe(of(0));
    expect(of(1.2)).toBe(0);
  });

  it("is never less than what is believed of the arm may be off", () => {
    expect(bonusOf(ALONE, 0.5, 3, 0.05, 0.5, 6, 1)).toBeGreaterThanOrEqual(3);
    const rare = bonusOf({ ...ALONE, count: 1 }, 0.5, 3, 0.05, 0.5, 6, 1);
    expect(rare).toBe(3);
  });

  it("counts the tries of others only as far as their θ tell of mine", () => {
    const of = (others: Others, square = 1): number => bonusOf({ ...ALONE, others }, 0.1, 0, 0.05, 0.5, 6, square);
    expect(of({ records: 9, ridge: 1e-12 })).toBeCloseTo(of(NOBODY), 9);
    // A million others tell no more than λ/|x|² = 40 tries of my own, twice as many as I have made.
    expect(of({ records: 1e6, ridge: 40 })).toBeCloseTo(of(alike(2)), 4);
    expect(of({ records: 1e6, ridge: 10 }, 0.25)).toBeCloseTo(of(alike(2)), 4);
    expect(of({ records: 9, ridge: 1 }, 0)).toBe(of(NOBODY));
  });
});
