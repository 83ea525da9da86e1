import { describe, expect, it } from "vitest";
import { exp } from "./exp.ts";
import { Random } from "./random.ts";

describe("exp", () => {
  it("is Math.exp within 4 ulp from -700 to 700", () => {
    const random = Random.seeded(3);
    let worst = 0;
    const check = (x: number): void => {
      worst = Math.max(worst, Math.abs(exp(x) / Math.exp(x) - 1));
    };
    for (let k = -7000; k <= 7000; k++) check(k / 10);
    for (let k = 0; k < 50_000; k++) check(1400 * random.uniform() - 700);
    for (let k = 0; k < 50_000; k++) check(2 * random.uniform() - 1);
    expect(worst).toBeLessThanOrEqual(4 * Number.EPSILON);
  });

  it.each([
    [0, 1],
    [-0, 1],
    [-700.001, 0],
    [-1e300, 0],
    [Number.NEGATIVE_INFINITY, 0],
    [700.001, Number.POSITIVE_INFINITY],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NaN, Number.NaN],
  ])("of %d is %d", (x, value) => {
    expect(exp(x)).toBe(value);
  });

  it("rises with x", () => {
    for (let k = -6999; k <= 7000; k++) expect(exp(k / 10)).toBeGreaterThan(exp((k - 1) / 10));
  });
});
