import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bonusOf, type Explored } from "./bonus.ts";
import { clicks, gaussian } from "./rewardLikelihood.ts";

/** A fixed menu of six items, alone. */
const ALONE: Explored = { count: 2000, directions: 6, noise: 0.04, repeated: 1, others: 0, likelihood: clicks(0, 1) };

/** The width of the interval: ℓ max(4, ln(nℓ/q)) / (1 + m). */
const widthOf = ({ count, directions, others }: Explored, leverage: number): number =>
  (leverage * Math.max(4, Math.log((count * leverage) / directions))) / (1 + others);

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
      const explored: Explored = { ...ALONE, others, likelihood: clicks(low, low + range) };
      const bonus = bonusOf(explored, low + range * p, 0, leverage, 0.5, 6) / range;
      expect(bonus).toBeGreaterThanOrEqual(0);
      expect(p + bonus).toBeLessThanOrEqual(1 + 1e-9);
      expect(bonus * bonus).toBeCloseTo(widthOf(explored, leverage) * (p + bonus) * (1 - p - bonus), 9);
    });
    fc.assert(property, { seed: 4, numRuns: 200 });
  });

  it("is more for an arm that was never clicked than the variance of all rewards would give", () => {
    const of = (explored: Explored): number => bonusOf(explored, 0, 0, 1 / 23, 0.5, 6);
    expect(of(ALONE)).toBeGreaterThan(1.4 * of({ ...ALONE, likelihood: gaussian }));
    // In company it is what is believed that counts.
    expect(of({ ...ALONE, others: 100 })).toBeLessThan(0.02 * of(ALONE));
  });

  it("takes an estimate beyond the two values for the nearer one", () => {
    const of = (mean: number): number => bonusOf(ALONE, mean, 0, 0.05, 0.5, 6);
    expect(of(-0.2)).toBe(of(0));
    expect(of(1.2)).toBe(0);
  });

  it("is never less than what is believed of the arm may be off", () => {
    expect(bonusOf(ALONE, 0.5, 3, 0.05, 0.5, 6)).toBeGreaterThanOrEqual(3);
    const rare = bonusOf({ ...ALONE, count: 1 }, 0.5, 3, 0.05, 0.5, 6);
    expect(rare).toBe(3);
  });
});
