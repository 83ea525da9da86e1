// Comparisons that tests share.
import { expect } from "vitest";
import type { Pair } from "./evidence.ts";

/** The largest difference of two lists, over the largest entry of the second (or 1). */
export function relativeGap(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let gap = actual.length === expected.length ? 0 : Number.POSITIVE_INFINITY;
  let largest = 1;
  for (let k = 0; k < expected.length; k++) {
    gap = Math.max(gap, Math.abs(actual[k] - expected[k]));
    largest = Math.max(largest, Math.abs(expected[k]));
  }
  return gap / largest;
}

export function expectPairs(actual: readonly Pair[], expected: readonly Pair[]): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach(({ gram, moment }, i) => {
    expect(relativeGap(gram.flat(), expected[i].gram.flat())).toBeLessThan(1e-9);
    expect(relativeGap(moment, expected[i].moment)).toBeLessThan(1e-9);
  });
}
