import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { paired, ratioOf, signFlip } from "./paired.ts";

describe("the sign-flip test", () => {
  it("counts all flips of few seeds", () => {
    expect(signFlip([1, 1, 1])).toBe(2 / 8);
    expect(signFlip([1, -1])).toBe(1);
    // |Σ| is 4 as observed, or 6 with the signs all alike: both ways 4 of 8.
    expect(signFlip([1, 2, 3])).toBe(2 / 8);
    expect(signFlip([-1, 2, 3])).toBe(4 / 8);
    expect(signFlip([0, 0, 0, 0])).toBe(1);
  });

  it("draws flips for many seeds, and is never 0", () => {
    const alike = Array.from({ length: 20 }, () => 1);
    expect(signFlip(alike)).toBe(1 / 10000);
    expect(signFlip(alike.map((value, k) => (k % 2 ? value : -value)))).toBe(1);
  });

  it("rejects one in twenty where there is no difference", () => {
    const random = Random.seeded(3);
    let rejected = 0;
    for (let trial = 0; trial < 2000; trial++) {
      if (signFlip(Array.from({ length: 8 }, () => random.normal())) <= 0.05) rejected++;
    }
    // With 8 seeds the largest p up to 0.05 is 12/256.
    expect(rejected / 2000).toBeGreaterThan(0.033);
    expect(rejected / 2000).toBeLessThan(0.06);
  });
});

describe("a paired comparison", () => {
  it("takes out what the seeds share", () => {
    const random = Random.seeded(4);
    const b = Array.from({ length: 10 }, () => 100 + 30 * random.normal());
    const a = b.map((value) => value * 1.1 + 0.1 * random.normal());
    const { difference, ratio, p, count } = paired(a, b);
    expect(count).toBe(10);
    expect(ratio!.value).toBeCloseTo(1.1, 2);
    expect(ratio!.high! - ratio!.low!).toBeLessThan(0.01);
    expect(difference.low!).toBeGreaterThan(0);
    expect(p).toBe(2 / 1024);
  });

  it("covers the true ratio about 95 times in 100", () => {
    const random = Random.seeded(5);
    let held = 0;
    for (let trial = 0; trial < 500; trial++) {
      const b = Array.from({ length: 10 }, () => 10 + random.normal());
      const a = b.map((value) => 1.2 * value + 0.5 * random.normal());
      const ratio = ratioOf(a, b)!;
      if (ratio.low! <= 1.2 && 1.2 <= ratio.high!) held++;
    }
    expect(held / 500).toBeGreaterThan(0.92);
    expect(held / 500).toBeLessThan(0.98);
  });

  it("has no ratio to what may be nothing, and no p of one seed", () => {
    expect(ratioOf([1, 2], [0, 3])).toBeNull();
    expect(ratioOf([1, 2], [-1, 3])).toBeNull();
    expect(ratioOf([], [])).toBeNull();
    const one = paired([3], [2]);
    expect(one.p).toBeNull();
    expect(one.ratio).toEqual({ value: 1.5, low: null, high: null, count: 1 });
    expect(one.difference.value).toBe(1);
  });
});
