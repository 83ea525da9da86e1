import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { lnGamma } from "./gamma.ts";

describe("lnGamma", () => {
  it("has the known values: factorials and the half", () => {
    let factorial = 1;
    for (const n of range(20)) {
      if (n > 0) factorial *= n;
      expect(Math.abs(lnGamma(n + 1) - Math.log(factorial))).toBeLessThan(1e-12 * Math.max(1, Math.log(factorial)));
    }
    expect(lnGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    expect(lnGamma(2.5)).toBeCloseTo(Math.log((3 / 4) * Math.sqrt(Math.PI)), 12);
    // ln 999!, from tables.
    expect(Math.abs(lnGamma(1000) - 5905.220423209181)).toBeLessThan(1e-9);
  });

  it("follows Γ(x + 1) = x Γ(x), on both sides of where the series begins", () => {
    const property = fc.property(fc.double({ min: 0.01, max: 5000, noNaN: true }), (x) => {
      const gap = lnGamma(x + 1) - lnGamma(x) - Math.log(x);
      expect(Math.abs(gap)).toBeLessThan(1e-12 * Math.max(1, lnGamma(x + 1)));
    });
    fc.assert(property, { seed: 1, numRuns: 500 });
  });

  it("follows Γ(x) Γ(x + ½) = 2^(1−2x) √π Γ(2x)", () => {
    for (const x of [0.1, 0.7, 1.3, 3.9, 4.1, 7.6, 12, 80]) {
      const right = (1 - 2 * x) * Math.LN2 + 0.5 * Math.log(Math.PI) + lnGamma(2 * x);
      expect(Math.abs(lnGamma(x) + lnGamma(x + 0.5) - right)).toBeLessThan(1e-12 * Math.max(1, Math.abs(right)));
    }
  });
});
