import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, cholesky, dot, identity, inverse, logDeterminant, type Matrix, outer, plus } from "../testing/dense.ts";
import { relativeGap } from "../testing/same.ts";
import { Factor } from "./factor.ts";
import { toDense, triangleSize } from "./packed.ts";
import { Random } from "./random.ts";

/** What a factor is of, in both forms: gram + ridge·I as rows, and the gram packed behind `offset` other numbers. */
interface Case {
  factor: Factor;
  gram: Float64Array;
  offset: number;
  ridge: number;
  matrix: Matrix;
  /** A vector, behind `offset` other numbers. */
  b: Float64Array;
  vector: number[];
}

const pack = (matrix: Matrix, offset: number): Float64Array => {
  const packed = new Float64Array(offset + triangleSize(matrix.length)).fill(Number.NaN);
  const triangle = matrix.flatMap((row, i) => row.slice(0, i + 1));
  packed.set(triangle, offset);
  return packed;
};

const cases: fc.Arbitrary<Case> = fc
  .record({
    seed: fc.nat(),
    d: fc.integer({ min: 1, max: 8 }),
    vectors: fc.integer({ min: 0, max: 12 }),
    offset: fc.integer({ min: 0, max: 3 }),
    ridge: fc.constantFrom(1, 0.25),
  })
  .map(({ seed, d, vectors, offset, ridge }) => {
    const random = Random.seeded(seed);
    let sum = plus(identity(d), identity(d), -1);
    for (let k = 0; k < vectors; k++) {
      // Some much longer than others: condition numbers up to about 1e5.
      const x = Array.from(random.normals(new Float64Array(d)), (value) => value * 10 ** (random.below(4) - 2));
      sum = plus(sum, outer(x, x));
    }
    const b = random.normals(new Float64Array(offset + d));
    const vector = Array.from(b.subarray(offset));
    const matrix = plus(sum, identity(d), ridge);
    return { factor: new Factor(d), gram: pack(sum, offset), offset, ridge, matrix, b, vector };
  });

function check(property: (given: Case) => void): void {
  const holds = fc.property(cases, (given) => {
    expect(given.factor.refactor(given.gram, given.offset, given.ridge)).toBe(true);
    property(given);
  });
  fc.assert(holds, { seed: 5, numRuns: 300 });
}

const lowerOf = ({ lower, dimension }: Factor): Matrix =>
  toDense(lower, dimension).map((row, i) => row.map((value, j) => (j > i ? 0 : value)));

describe("a factor", () => {
  it("is the lower L with L Lᵀ = gram + ridge · I, and keeps 1 / L[i][i]", () => {
    check(({ factor, matrix }) => {
      const lower = lowerOf(factor);
      expect(relativeGap(lower.flat(), cholesky(matrix).flat())).toBeLessThan(1e-9);
      expect(
        relativeGap(
          factor.reciprocal,
          lower.map((row, i) => 1 / row[i]),
        ),
      ).toBeLessThan(1e-15);
    });
  });

  it("solves, and so do its halves, in place too", () => {
    check(({ factor, matrix, b, offset, vector }) => {
      const lower = cholesky(matrix);
      const upper = lower.map((_, i) => lower.map((row) => row[i]));
      const out = () => new Float64Array(vector.length);
      expect(relativeGap(factor.solve(out(), b, offset), apply(inverse(matrix), vector))).toBeLessThan(1e-9);
      expect(relativeGap(factor.forward(out(), b, offset), apply(inverse(lower), vector))).toBeLessThan(1e-9);
      const back = factor.backward(out(), Float64Array.from(vector));
      expect(relativeGap(back, apply(inverse(upper), vector))).toBeLessThan(1e-9);
      const inPlace = Float64Array.from(vector);
      expect(factor.backward(inPlace, inPlace)).toEqual(back);
      inPlace.set(vector);
      expect(factor.forward(inPlace, inPlace)).toEqual(factor.forward(out(), b, offset));
    });
  });

  it("tells ln det A and xᵀ A⁻¹ x", () => {
    check(({ factor, matrix, b, offset, vector }) => {
      expect(Math.abs(factor.logDeterminant() - logDeterminant(matrix))).toBeLessThan(1e-9);
      const quadratic = dot(vector, apply(inverse(matrix), vector));
      const found = factor.quadratic(b, offset, new Float64Array(vector.length));
      expect(Math.abs(found - quadratic)).toBeLessThan(1e-9 * (1 + quadratic));
      // Several at once, in fours and what is left of them: the same bits as one by one.
      const d = vector.length;
      const several = Float64Array.from({ length: 3 + 7 * d }, (_, k) => b[offset + (k % d)]! * (1 + (k % 5)) - k);
      const out = new Float64Array(7);
      factor.quadratics(out, several, 3, 7, new Float64Array(4 * d));
      const alone = Array.from(out, (_, k) => factor.quadratic(several, 3 + k * d, new Float64Array(d)));
      expect(Array.from(out)).toEqual(alone);
    });
  });

  it("updated by x is the factor of the sum with x xᵀ", () => {
    check(({ factor, matrix, vector }) => {
      const larger = plus(matrix, outer(vector, vector));
      const anew = new Factor(vector.length);
      anew.refactor(pack(larger, 0), 0, 0);
      factor.update(Float64Array.from(vector));
      expect(relativeGap(factor.lower, anew.lower)).toBeLessThan(1e-12);
      expect(relativeGap(factor.reciprocal, anew.reciprocal)).toBeLessThan(1e-12);
    });
  });

  it("inverts A", () => {
    check(({ factor, matrix, vector }) => {
      const d = vector.length;
      const found = factor.invert(new Float64Array(triangleSize(d)).fill(Number.NaN));
      const expected = inverse(matrix);
      expect(relativeGap(toDense(found, d).flat(), expected.flat())).toBeLessThan(1e-9);
    });
  });

  it("updated by zero stays as it is, and begins as that of I", () => {
    const factor = new Factor(3);
    factor.update(new Float64Array(3));
    expect(lowerOf(factor)).toEqual(identity(3));
    factor.update(Float64Array.of(0.5, -0.5, 0.25));
    factor.setIdentity();
    expect([lowerOf(factor), Array.from(factor.reciprocal)]).toEqual([identity(3), [1, 1, 1]]);
  });

  it.each<[string, Matrix, number]>([
    ["zero", [[0]], 0],
    ["negative", [[-2]], 1],
    [
      "indefinite",
      [
        [1, 2],
        [2, 1],
      ],
      0,
    ],
    [
      "of rank one",
      [
        [1, 1],
        [1, 1],
      ],
      0,
    ],
    ["infinite", [[Number.POSITIVE_INFINITY]], 1],
    [
      "not a number",
      [
        [1, 0],
        [0, Number.NaN],
      ],
      1,
    ],
  ])("of a matrix that is %s is refused", (_, matrix, ridge) => {
    expect(new Factor(matrix.length).refactor(pack(matrix, 0), 0, ridge)).toBe(false);
  });
});
