import { describe, expect, it } from "vitest";
import { toDense } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { apply, dot, inverse, type Vector } from "../testing/dense.ts";
import { gauss, look, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { copyOf, stateOf } from "../testing/population.ts";
import { allOf } from "../work.ts";
import { Components } from "./components.ts";
import { Population } from "./population.ts";
import type { Sums } from "./record.ts";

const D = 8;
/** Two orthonormal directions, neither along a feature. */
const PLANTED: Vector[] = [
  [0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0],
  [0.5, -0.5, 0, 0, 0.5, -0.5, 0, 0],
];
const NONE: Vector = Array<number>(D).fill(0);

/** Sums of peers whose θ differ by `spread` in every direction and by 1 and 0.8 along what is planted; noise 0.5. */
function sums(peers: number, count: number, spread: number, planted = PLANTED, seed = 3): Sums[] {
  return range(peers).map((i) => {
    const random = Random.seeded(seed).fork(i);
    const weights = planted.map((_, k) => (1 - 0.2 * k) * random.normal());
    const centre = NONE.map((_, f) =>
      dot(
        weights,
        planted.map((u) => u[f]),
      ),
    );
    return sumsOf(look(random, gauss(random, centre, spread), count, 0.5), D);
  });
}

const fitted = (records: Sums[], times = 15, population = new Population(D)): Population => {
  for (let k = 0; k < times; k++) allOf(population.fitting(records, 3));
  return population;
};

const rankOf = ({ shape }: Population): number => {
  if (!(shape instanceof Components)) throw new Error("The shape is not made of components");
  return shape.rank;
};

/** uᵀΣu, Σ the covariance of a θ of which nothing is known. */
const varianceAlong = ({ prior, noise }: Population, u: Vector): number =>
  noise * dot(u, apply(inverse(toDense(prior.ridge, D)), u));

describe("a population with components", () => {
  it.each([40, 128])("finds two that were planted, from %i records of 40 observations", (peers) => {
    const population = fitted(sums(peers, 40, 0.1));
    expect(rankOf(population)).toBe(2);
    expect(Math.abs(population.noise / 0.25 - 1)).toBeLessThan(0.1);
    // Two standard deviations of a variance learnt from 40 are half of it.
    PLANTED.forEach((u, k) => {
      const ratio = varianceAlong(population, u) / (0.01 + (1 - 0.2 * k) ** 2);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(1.7);
    });
    // All that is orthogonal to them, where θ differ by 0.1.
    for (const u of [
      [0, 0, 0, 0, 0, 0, 1, 0],
      [0, 0, Math.SQRT1_2, -Math.SQRT1_2, 0, 0, 0, 0],
    ]) {
      expect(varianceAlong(population, u)).toBeLessThan(0.06);
    }
  });

  it("finds one where there is one", () => {
    expect(rankOf(fitted(sums(40, 40, 0.1, PLANTED.slice(0, 1))))).toBe(1);
  });

  it.each([
    [8, 40],
    [14, 10],
    [40, 10],
    [40, 60],
    [128, 30],
  ])("has none where tastes differ in all directions alike: %i records of %i observations", (peers, count) => {
    for (const seed of [1, 2, 3]) expect(rankOf(fitted(sums(peers, count, 0.5, [], seed)))).toBe(0);
  });

  it("has none where records are too few to tell, or too short", () => {
    expect(rankOf(fitted(sums(5, 40, 0.1)))).toBe(0);
    expect(rankOf(fitted(sums(40, 1, 0.1)))).toBe(0);
  });

  it("gives them up when records come that do not speak for them", () => {
    const population = fitted(sums(40, 40, 0.1));
    expect(rankOf(population)).toBe(2);
    expect(rankOf(fitted(sums(40, 40, 0.5, []), 15, population))).toBe(0);
    expect(rankOf(fitted(sums(40, 40, 0.1), 15, population))).toBe(2);
  });

  it("gets over records that no covariance can be made of", () => {
    const records = sums(40, 40, 0.1);
    const absurd = { ...records[0], slot: records[0].slot.map((value) => 1e300 * value) };
    const population = fitted([absurd, ...records.slice(1)]);
    expect(rankOf(fitted(records, 15, population))).toBe(2);
  });

  it("counts them in how wide a θ is, and in what is left to know of it", () => {
    const population = fitted(sums(40, 40, 0.1));
    const { noise, doubt, shape, ridge, mean } = population;
    const weights = [...shape.excesses];
    const b = noise / ridge;
    const variances = range(D).map((i) => b * (1 + (i < 2 ? weights[i] : 0)) + doubt);
    const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / D;
    expect(noise / population.lambda).toBeCloseTo(average(variances), 12);
    const square = average([...mean].map((value) => value * value)) + average(variances);
    const unknown = average(variances.map((value) => 1 / (1 / value + 7 / noise)));
    expect(population.left(7)).toBeCloseTo(unknown / square, 12);
  });

  it.each([3, 15])("goes on after a snapshot at fit %i as if there had been none", (times) => {
    const records = sums(40, 40, 0.1);
    const population = fitted(records, times);
    const copy = copyOf(population);
    expect(rankOf(copy)).toBe(rankOf(population));
    expect(copy.lambda).toBe(population.lambda);
    for (const each of [population, copy]) fitted(records, 3, each);
    expect(rankOf(copy)).toBe(2);
    expect(stateOf(copy)).toEqual(stateOf(population));
    expect([...copy.prior.ridge, ...copy.prior.pivots]).toEqual([
      ...population.prior.ridge,
      ...population.prior.pivots,
    ]);
  });
});
