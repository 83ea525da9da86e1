import { describe, expect, it } from "vitest";
import { normalBelow, normalReach } from "./normal.ts";

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
