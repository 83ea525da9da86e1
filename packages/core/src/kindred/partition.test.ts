import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { chiSquare, chiSquareLimit } from "../testing/chi-square.ts";
import { range } from "../testing/play.ts";
import { draw, drawAlpha, lnPartition } from "./partition.ts";

/** The sizes of the groups, for every way to put so many records into groups. */
function partitions(records: number): number[][] {
  if (records === 0) return [[]];
  return partitions(records - 1).flatMap((sizes) => [
    [...sizes, 1],
    ...sizes.map((_, k) => sizes.map((size, j) => (j === k ? size + 1 : size))),
  ]);
}

/** p(K groups of m records | α) but for the sizes, as a product: α^K / Π (α + i). */
const restaurant = (alpha: number, groups: number, records: number): number =>
  alpha ** groups / range(records).reduce((product, i) => product * (alpha + i), 1);

/** The concentrations that are possible for so few records. */
const grid = (records: number): number[] => range(3 + 2 * Math.ceil(Math.log2(records + 1))).map((k) => 0.5 * 2 ** k);

describe("lnPartition", () => {
  it.each([1, 2, 3, 4, 5])("sums to 1 over all partitions of %d records", (records) => {
    const all = partitions(records);
    expect(all.length).toBe([1, 2, 5, 15, 52][records - 1]);
    expect(all.reduce((sum, sizes) => sum + Math.exp(lnPartition(sizes, records)), 0)).toBeCloseTo(1, 10);
  });

  it("is the average over the concentrations of the grid", () => {
    for (const sizes of partitions(5)) {
      const ways = sizes.reduce((product, size) => product * [1, 1, 2, 6, 24][size - 1], 1);
      const chances = grid(5).map((alpha) => ways * restaurant(alpha, sizes.length, 5));
      const expected = Math.log(chances.reduce((a, b) => a + b) / chances.length);
      expect(lnPartition(sizes, 5)).toBeCloseTo(expected, 10);
    }
  });
});

describe("drawAlpha", () => {
  it("is large where nobody is grouped, and small where all are", () => {
    const random = Random.seeded(1);
    const [apart, together] = [60, 1].map((groups) =>
      range(200)
        .map(() => drawAlpha(groups, 60, random))
        .sort((a, b) => a - b),
    );
    // Of 60 records two share a group with a chance of about 60²/2α.
    expect(apart[20]).toBeGreaterThan(250);
    expect(together[180]).toBeLessThan(4);
  });

  it("draws from the posterior of α", () => {
    const random = Random.seeded(2);
    const alphas = grid(5);
    const counts = alphas.map(() => 0);
    for (const _ of range(20_000)) counts[alphas.indexOf(drawAlpha(3, 5, random))] += 1;
    const weights = alphas.map((alpha) => restaurant(alpha, 3, 5));
    expect(chiSquare(counts, weights)).toBeLessThan(chiSquareLimit(alphas.length - 1));
  });
});

describe("draw", () => {
  it("draws each index in proportion to its weight", () => {
    const weights = [0.3, 2, 0.05, 1];
    const random = Random.seeded(3);
    const counts = weights.map(() => 0);
    for (const _ of range(20_000)) counts[draw(Float64Array.from(weights), random)] += 1;
    expect(chiSquare(counts, weights)).toBeLessThan(chiSquareLimit(3));
  });

  it("never draws what has no weight", () => {
    const random = Random.seeded(4);
    for (const _ of range(1000)) expect(draw(Float64Array.of(0, 1, 0, 1, 0), random) % 2).toBe(1);
    expect(draw(Float64Array.of(1), random)).toBe(0);
  });
});
