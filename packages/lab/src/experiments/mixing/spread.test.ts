import { describe, expect, it } from "vitest";
import { permutationSpread } from "../../theory/mixing.ts";
import { spreadsByAge } from "./spread.ts";

describe("the spread of a slot's weights", () => {
  it("is |V| − 1 before anything is mixed: each peer holds its own observation |V| times and no other", () => {
    // Over origins: (|V| − 1)² for its own and 1 for each of |V| − 1 others, by |V|.
    const { all, own } = spreadsByAge(6, "matching", 0, 1);
    expect(all[0]).toBeCloseTo(5, 12);
    expect(own[0]).toBeCloseTo(25, 12);
  });

  it("falls by half in every round of permutations, on average over seeds", () => {
    const runs = Array.from({ length: 200 }, (_, seed) => spreadsByAge(6, "permutation", 4, seed).all);
    for (const age of [1, 2, 4]) {
      const mean = runs.reduce((sum, run) => sum + run[age]!, 0) / runs.length;
      expect(mean / permutationSpread(6, age)).toBeGreaterThan(0.85);
      expect(mean / permutationSpread(6, age)).toBeLessThan(1.15);
    }
  });

  it("never rises, and with two peers is gone after one meeting", () => {
    const { all } = spreadsByAge(9, "asynchronous", 12, 3);
    for (let age = 1; age < all.length; age++) expect(all[age]!).toBeLessThanOrEqual(all[age - 1]! + 1e-12);
    expect(spreadsByAge(2, "matching", 1, 1).all).toEqual([1, 0]);
  });

  it("depends on the seed alone", () => {
    expect(spreadsByAge(8, "permutation", 5, 7)).toEqual(spreadsByAge(8, "permutation", 5, 7));
    expect(spreadsByAge(8, "permutation", 5, 7)).not.toEqual(spreadsByAge(8, "permutation", 5, 8));
  });
});
