import { describe, expect, it } from "vitest";
import { distance, type Threshold, thresholdAt } from "./threshold.ts";

const close = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(expected)));

describe("the threshold", () => {
  it("in practice is factor · (f(n) + f(m)), f(n) = √((1 + ln(1+n)) / (1+n))", () => {
    const f = (n: number): number => Math.sqrt((1 + Math.log(1 + n)) / (1 + n));
    for (const n of [0, 1, 5, 1000]) {
      for (const m of [0, 2, 77]) {
        close(thresholdAt({ kind: "practical", factor: 0.8 }, n, m, 3, 5), 0.8 * (f(n) + f(m)));
      }
    }
    expect(thresholdAt({ kind: "practical", factor: 2 }, 0, 0, 1, 1)).toBe(4);
  });

  it("in theory is the paper's, above and below the round from which arms were seen enough", () => {
    const threshold: Threshold = { kind: "theory", lambda: 0.3, noise: 0.2, delta: 0.05 };
    const branches = new Set<boolean>();
    for (const t of [1, 10, 1000, 20_000, 1e6]) {
      for (const d of [1, 10]) {
        const logarithm = Math.log(((t + 3) * 4 * d) / 0.05);
        const a = 0.075 * t - 8 * logarithm - 2 * Math.sqrt(t * logarithm);
        branches.add(a > 0);
        const above = 0.2 * Math.sqrt(2 * d * Math.log(t) + 2 * Math.log(40)) + 1;
        close(thresholdAt(threshold, 3, 4, t, d), above / Math.sqrt(1 + Math.max(0, a)));
      }
    }
    expect(branches.size).toBe(2);
  });

  it("is the same from both sides, to the bit", () => {
    for (let n = 0; n < 200; n++) {
      const m = (n * 37) % 101;
      const threshold: Threshold = { kind: "practical", factor: 0.7 };
      expect(thresholdAt(threshold, n, m, 1, 1)).toBe(thresholdAt(threshold, m, n, 1, 1));
    }
  });

  it("is compared with the Euclidean distance", () => {
    expect(distance(Float64Array.of(1, 2, -1), Float64Array.of(1, -1, 3))).toBe(5);
  });
});
