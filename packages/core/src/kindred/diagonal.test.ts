import { describe, expect, it } from "vitest";
import { slotSize, toDense, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { apply, identity, inverse, plus, product } from "../testing/dense.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Diagonal } from "./diagonal.ts";

const D = 4;
const SHARES = [2, 1, 0.25, 0.75];

function some(): Diagonal {
  const diagonal = new Diagonal(D);
  diagonal.shareOut(Float64Array.from(SHARES, (share) => 3 * share));
  return diagonal;
}

const shape = range(D).map((i) => range(D).map((j) => (i === j ? SHARES[i] : 0)));
const dense = (packed: Float64Array): number[] => toDense(packed, D).flat();

describe("Diagonal", () => {
  it("holds variances as shares of their mean, which it tells", () => {
    const diagonal = new Diagonal(D);
    expect(diagonal.shareOut(Float64Array.from(SHARES, (share) => 3 * share))).toBe(3);
    expect([...diagonal.shares]).toEqual(SHARES);
    expect([...diagonal.excesses]).toEqual([1, 0, -0.75, -0.25]);
    expect(diagonal.spread).toBe(1);
  });

  it("adds what it is more than I, and its inverse", () => {
    const matrix = new Float64Array(triangleSize(D));
    some().addTo(matrix, 3);
    expect(
      relativeGap(dense(matrix), plus(plus(identity(D), identity(D), -1), plus(shape, identity(D), -1), 3).flat()),
    ).toBe(0);
    matrix.fill(1);
    some().addInverseTo(matrix, 3);
    const expected = inverse(shape)
      .flat()
      .map((x) => 1 + 3 * x);
    expect(relativeGap(dense(matrix), expected)).toBeLessThan(1e-12);
  });

  it("narrows a slot (G, g) to (K G K, K g), K its inverse", () => {
    const slot = Random.seeded(6).normals(new Float64Array(slotSize(D)));
    const [gram, moment] = [toDense(slot, D), Array.from(slot.subarray(triangleSize(D)))];
    some().narrow(slot);
    const cut = inverse(shape);
    expect(relativeGap(dense(slot), product(product(cut, gram), cut).flat())).toBeLessThan(1e-12);
    expect(relativeGap(slot.subarray(triangleSize(D)), apply(cut, moment))).toBeLessThan(1e-12);
  });

  it("is for six θ and more: the variances of fewer differ by chance", () => {
    expect([5, 6].map((thetas) => some().suits(thetas))).toEqual([false, true]);
  });
});
