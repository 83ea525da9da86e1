import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { slopeOf } from "./slope.ts";

describe("slopeOf", () => {
  it("finds a line exactly", () => {
    const { perUnit, plusMinus } = slopeOf(Array.from({ length: 37 }, (_, k) => [5 * k, 7 - 2.5 * k] as const));
    expect(perUnit).toBeCloseTo(-0.5, 12);
    expect(plusMinus).toBeLessThan(1e-12);
  });

  it("has the truth in its interval nineteen times of twenty", () => {
    const random = Random.seeded(3);
    const tries = 400;
    let within = 0;
    for (let t = 0; t < tries; t++) {
      const { perUnit, plusMinus } = slopeOf(
        Array.from({ length: 60 }, (_, k) => [k, 0.2 * k + 3 * random.normal()] as const),
      );
      if (Math.abs(perUnit - 0.2) <= plusMinus) within += 1;
    }
    expect(within / tries).toBeGreaterThan(0.92);
    expect(within / tries).toBeLessThan(0.98);
  });

  it("wants enough samples", () => {
    expect(() => slopeOf([[1, 1]])).toThrow(/20 samples/);
  });
});
