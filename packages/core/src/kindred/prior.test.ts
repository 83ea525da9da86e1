import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { identity, inverse, type Matrix, plus } from "../testing/dense.ts";
import { gauss } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Prior } from "./prior.ts";

const packed = (matrix: Matrix): number[] => matrix.flatMap((row, i) => row.slice(0, i + 1));

describe("Prior", () => {
  it("is σ² over a variance in every direction where all are alike", () => {
    const prior = new Prior(new Float64Array(3)).setEven(0.25);
    expect([...prior.ridge]).toEqual([0.25, 0, 0.25, 0, 0, 0.25]);
    expect([...prior.pivots]).toEqual([0.25, 0.25, 0.25]);
  });

  it("is σ²(C + bI)⁻¹, and its pivots multiply to its determinant", () => {
    const random = Random.seeded(5);
    for (const d of [1, 2, 5]) {
      const rows = range(d).map(() => gauss(random, Array<number>(d).fill(0), 1));
      const covariance = rows.map((a) => rows.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
      const prior = new Prior(new Float64Array(d));
      prior.setWide(Float64Array.from(packed(covariance)), 0.3, 2);
      const expected = inverse(plus(covariance, identity(d), 0.3)).map((row) => row.map((value) => 2 * value));
      expect(relativeGap(prior.ridge, packed(expected))).toBeLessThan(1e-9);
      // Leading minors of R are the products of its first pivots.
      const first = prior.pivots[0];
      expect(first).toBeCloseTo(expected[0][0], 9);
      if (d > 1) {
        const minor = expected[0][0] * expected[1][1] - expected[0][1] ** 2;
        expect(first * prior.pivots[1]).toBeCloseTo(minor, 9);
      }
    }
  });

  it("stays as it is where it is given no covariance", () => {
    const prior = new Prior(new Float64Array(2)).setEven(3);
    prior.setWide(Float64Array.of(-5, 0, -5), 1, 1);
    prior.setRidge(Float64Array.of(1, 2, 1));
    prior.setRidge(Float64Array.of(Number.NaN, 0, 1));
    expect([...prior.ridge, ...prior.pivots]).toEqual([3, 0, 3, 3, 3]);
  });
});
