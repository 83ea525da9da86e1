import { expect, it } from "vitest";
import { mixingBound, permutationSpread } from "./mixing.ts";

it("the lemma halves with every round, and a permutation stays just below it", () => {
  expect([0, 1, 2, 6].map((age) => mixingBound(8, age))).toEqual([8, 4, 2, 0.125]);
  expect([0, 1, 2].map((age) => permutationSpread(8, age))).toEqual([7, 3.5, 1.75]);
});
