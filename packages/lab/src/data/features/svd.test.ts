import { ConfigError, Random } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dense, slowSvd, toSparse } from "../testing/dense.ts";
import { truncatedSvd } from "./svd.ts";

function sparseRows(seed: number, rowCount: number, columnCount: number, density: number): Dense {
  const random = Random.seeded(seed);
  const entry = () => (random.uniform() < density ? Math.abs(random.normal()) : 0);
  return Array.from({ length: rowCount }, () => Array.from({ length: columnCount }, entry));
}

/** Against the slow decomposition; vectors as far as their distance to the neighbours determines them. */
function expectSame(rows: Dense, dimension: number): void {
  const { values, vectors, residual } = truncatedSvd(toSparse(rows), dimension);
  const slow = slowSvd(rows);
  expect(residual).toBeLessThan(1e-11);
  for (let j = 0; j < dimension; j++) {
    expect(Math.abs(values[j]! - slow.values[j]!)).toBeLessThan(1e-10 * slow.values[0]!);
    const gap = Math.min(distance(slow.values, j - 1, j), distance(slow.values, j, j + 1));
    if (gap < 1e-5) continue;
    const expected = slow.vectors[j]!;
    const peak = expected.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    expected.forEach((value, i) => {
      expect(Math.abs(vectors[i * dimension + j]! - Math.sign(peak) * value)).toBeLessThan(Math.min(1e-6, 1e-11 / gap));
    });
  }
}

const distance = (values: number[], i: number, j: number): number =>
  i < 0 || j >= values.length ? Infinity : (values[i]! ** 2 - values[j]! ** 2) / values[0]! ** 2;

describe("truncated singular value decomposition", () => {
  it("equals a slow one where the block is narrower than the matrix", () => {
    const shape = fc.record({
      seed: fc.nat(),
      rowCount: fc.integer({ min: 70, max: 120 }),
      columnCount: fc.integer({ min: 60, max: 90 }),
      density: fc.constantFrom(0.05, 0.3, 1),
      dimension: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(shape, ({ seed, rowCount, columnCount, density, dimension }) =>
        expectSame(sparseRows(seed, rowCount, columnCount, density), dimension),
      ),
      { numRuns: 12 },
    );
  });

  it.each([
    [5, 5, 5],
    [40, 6, 3],
    [6, 40, 4],
    [12, 90, 5],
  ])("equals a slow one for %i × %i, the %i leading", (rowCount, columnCount, dimension) => {
    expectSame(sparseRows(3, rowCount, columnCount, 0.8), dimension);
  });

  it("finds equal singular values", () => {
    const rows = Array.from({ length: 80 }, (_, i) =>
      Array.from({ length: 80 }, (_, j) => (i === j ? (i < 4 ? 2 : 1) : 0)),
    );
    expect([...truncatedSvd(toSparse(rows), 6).values].map((value) => value.toFixed(9))).toEqual([
      ...Array(4).fill("2.000000000"),
      ...Array(2).fill("1.000000000"),
    ]);
  });

  it("gives the same bits twice", () => {
    const a = toSparse(sparseRows(1, 90, 70, 0.2));
    expect(truncatedSvd(a, 4)).toEqual(truncatedSvd(a, 4));
  });

  it("makes the largest entry of each right vector positive", () => {
    const dimension = 6;
    const { vectors } = truncatedSvd(toSparse(sparseRows(2, 90, 70, 0.2)), dimension);
    for (let j = 0; j < dimension; j++) {
      const column = Array.from({ length: 70 }, (_, i) => vectors[i * dimension + j]!);
      expect(Math.max(...column)).toBe(Math.max(...column.map(Math.abs)));
    }
  });

  it("refuses a dimension beyond the rank, and says what that is", () => {
    const rows = sparseRows(4, 9, 60, 1);
    const twice = toSparse([...rows, ...rows]);
    expect(() => truncatedSvd(twice, 9)).not.toThrow();
    expect(() => truncatedSvd(twice, 10)).toThrow(ConfigError);
    expect(() => truncatedSvd(twice, 10)).toThrow(
      "dimension must be at most 9, the rank of the items' words, but is 10",
    );
    for (const [height, width] of [
      [9, 60],
      [60, 9],
    ] as const) {
      expect(() => truncatedSvd(toSparse(sparseRows(4, height, width, 1)), 10)).toThrow(
        "dimension must be at most 9, the smaller number of items and words, but is 10",
      );
    }
  });
});
