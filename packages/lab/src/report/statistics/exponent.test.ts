import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { powerLaw } from "./exponent.ts";

const XS = [10, 20, 40, 80, 160];

describe("the fit of a power", () => {
  it("finds an exact one", () => {
    const law = powerLaw(
      XS,
      XS.map((x) => [3 * x ** 0.75, 3 * x ** 0.75, 3 * x ** 0.75]),
    )!;
    expect(law.exponent.value).toBeCloseTo(0.75, 12);
    expect(law.exponent.high! - law.exponent.low!).toBeLessThan(1e-12);
    expect(law.scale).toBeCloseTo(3, 10);
    expect(law.from).toBe("seeds");
  });

  it("covers the true power about 95 times in 100", () => {
    const random = Random.seeded(6);
    let held = 0;
    for (let trial = 0; trial < 200; trial++) {
      const ys = XS.map((x) => Array.from({ length: 8 }, () => x ** 0.5 * (1 + 0.1 * random.normal())));
      const { low, high } = powerLaw(XS, ys)!.exponent;
      if (low! <= 0.5 && 0.5 <= high!) held++;
    }
    expect(held / 200).toBeGreaterThan(0.9);
    expect(held / 200).toBeLessThanOrEqual(0.99);
  });

  it("goes by the residuals when there is one seed", () => {
    const wobble = [1.02, 0.98, 1.01, 0.97, 1.03];
    const law = powerLaw(
      XS,
      XS.map((x, k) => [x ** 0.5 * wobble[k]!]),
    )!;
    expect(law.from).toBe("residuals");
    expect(law.exponent.low!).toBeLessThan(0.5);
    expect(law.exponent.high!).toBeGreaterThan(0.5);
    expect(powerLaw([1, 2], [[1], [2]])!.exponent).toMatchObject({ low: null, high: null });
  });

  it("is not there for what has no logarithm, or one x", () => {
    expect(powerLaw([1, 2], [[0], [1]])).toBeNull();
    expect(powerLaw([0, 2], [[1], [1]])).toBeNull();
    expect(powerLaw([2, 2], [[1], [1]])).toBeNull();
    expect(powerLaw([1, 2], [[], []])).toBeNull();
  });
});
