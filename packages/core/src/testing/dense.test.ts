import { describe, expect, it } from "vitest";
import { apply, cholesky, identity, inverse, logDeterminant, transpose } from "./dense.ts";

describe("dense", () => {
  const a = [
    [4, 2],
    [2, 5],
  ];

  it("inverts, also where the first pivot is zero", () => {
    expect(inverse(a).flat()).toEqual([5 / 16, -2 / 16, -2 / 16, 4 / 16].map((value) => expect.closeTo(value, 12)));
    const swap = [
      [0, 1],
      [1, 0],
    ];
    expect(inverse(swap)).toEqual(swap);
  });

  it("takes ln det", () => expect(logDeterminant(a)).toBeCloseTo(Math.log(16), 12));

  it("factors into lower triangles", () => {
    expect(cholesky(a)).toEqual([
      [2, 0],
      [1, 2],
    ]);
    expect(apply(inverse(transpose(cholesky(a))), [1, 2])).toEqual([expect.closeTo(0, 12), expect.closeTo(1, 12)]);
  });

  it("refuses what has no answer", () => {
    expect(() => inverse([[0]])).toThrow("singular");
    expect(() => cholesky([[-1]])).toThrow("positive definite");
    expect(identity(2)).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});
