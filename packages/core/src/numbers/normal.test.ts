import { describe, expect, it } from "vitest";
import { normalBelow, normalReach, studentReach } from "./normal.ts";

describe("the normal distribution", () => {
  // Published tables, to the digits that they give.
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1, 0.15865525393145707],
    [1.959963984540054, 0.975],
    [3, 0.9986501019683699],
    [-5, 2.866515719e-7],
  ])("below %s lies %s", (x, below) => {
    expect(Math.abs(normalBelow(x) - below)).toBeLessThan(1e-15);
  });

  it.each([
    [0.95, 1.959963984540054],
    [0.9, 1.6448536269514722],
    [0.99, 2.5758293035489004],
    [0.5, 0.6744897501960817],
  ])("%s of it lies within ± %s", (confidence, reach) => {
    expect(normalReach(confidence)).toBeCloseTo(reach, 12);
  });

  it("ends where a double sees no difference", () => {
    expect([normalBelow(-9), normalBelow(9), normalBelow(0) * 0]).toEqual([0, 1, 0]);
  });
});

// Published tables of Student's t.
it.each([
  [0.95, 6, 2.447, 0.002],
  [0.95, 10, 2.2281, 0.001],
  [0.95, 30, 2.0423, 0.001],
  [0.99, 10, 3.1693, 0.005],
  [0.9, 20, 1.7247, 0.001],
  [0.95, 3, 3.182, 0.03],
  [0.95, 1e9, 1.96, 0.0001],
])("%s of Student's t with %s degrees of freedom lies within ± %s", (confidence, freedom, reach, off) => {
  expect(Math.abs(studentReach(normalReach(confidence), freedom) - reach)).toBeLessThan(off);
});
