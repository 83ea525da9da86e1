import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import type { Vector } from "../testing/dense.ts";
import { look, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { copyOf, stateOf } from "../testing/population.ts";
import { allOf } from "../work.ts";
import { Diagonal } from "./diagonal.ts";
import { Population } from "./population.ts";
import type { Sums } from "./record.ts";

const D = 12;
/** Tastes differ in three features of twelve. */
const FEW: Vector = range(D).map((i) => (i < 3 ? 1 : 0.1));
const ALL: Vector = range(D).map(() => 0.5);

/** Sums of peers whose θ deviate from (½, 0, …) by so much in each feature; noise 0.5. */
function sums(peers: number, count: number, deviations = FEW, seed = 5, scale = 1): Sums[] {
  return range(peers).map((i) => {
    const random = Random.seeded(seed).fork(i);
    const theta = deviations.map((deviation, k) => (k === 0 ? 0.5 : 0) + deviation * random.normal());
    const { arms, rewards } = look(random, theta, count, 0.5);
    return sumsOf({ arms, rewards: rewards.map((reward) => scale * reward) }, D);
  });
}

const fitted = (records: Sums[], times = 15, population = new Population(D)): Population => {
  for (let k = 0; k < times; k++) allOf(population.fitting(records, 3));
  return population;
};

function sharesOf({ shape }: Population): Vector {
  if (!(shape instanceof Diagonal)) throw new Error("The shape is not diagonal");
  return [...shape.shares];
}

describe("a population whose tastes differ more in some features", () => {
  it.each([40, 128])("is told from %i records of 60 observations", (peers) => {
    const population = fitted(sums(peers, 60));
    const shares = sharesOf(population);
    const { noise, ridge } = population;
    expect(Math.abs(noise / 0.25 - 1)).toBeLessThan(0.1);
    for (const i of range(3)) {
      const ratio = (shares[i] * noise) / ridge;
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(1.7);
    }
    for (const share of shares.slice(3)) expect((share * noise) / ridge).toBeLessThan(0.1);
  });

  it("is learnt on any scale of rewards", () => {
    const [small, large] = [fitted(sums(40, 60)), fitted(sums(40, 60, FEW, 5, 100))];
    sharesOf(small).forEach((share, i) => {
      expect(sharesOf(large)[i]).toBeCloseTo(share, 6);
    });
  });

  it.each([
    [8, 40],
    [14, 10],
    [40, 10],
    [40, 60],
    [128, 30],
  ])("is not seen where they differ in all alike: %i records of %i observations", (peers, count) => {
    for (const seed of [1, 2, 3]) expect(fitted(sums(peers, count, ALL, seed)).shape.even).toBe(true);
  });

  it("is not seen in too few records, or too short ones", () => {
    expect(fitted(sums(5, 60)).shape.even).toBe(true);
    expect(fitted(sums(40, 1)).shape.even).toBe(true);
  });

  it("is given up when records come that do not speak for it", () => {
    const population = fitted(sums(40, 60));
    sharesOf(population);
    expect(fitted(sums(40, 60, ALL), 15, population).shape.even).toBe(true);
    sharesOf(fitted(sums(40, 60), 15, population));
  });

  it("gets over records that no covariance can be made of", () => {
    const records = sums(40, 60);
    const absurd = { ...records[0], slot: records[0].slot.map((value) => 1e300 * value) };
    sharesOf(fitted(records, 15, fitted([absurd, ...records.slice(1)])));
  });

  it("is not looked for where that is switched off", () => {
    const population = new Population(D, { components: false, relevance: false });
    expect(fitted(sums(40, 60), 15, population).shape.even).toBe(true);
  });

  it("counts in how wide a θ is, and in what is left to know of it", () => {
    const population = fitted(sums(40, 60));
    const { noise, doubt, ridge, mean } = population;
    const variances = sharesOf(population).map((share) => (share * noise) / ridge + doubt);
    const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / D;
    expect(noise / population.lambda).toBeCloseTo(average(variances), 12);
    const square = average([...mean].map((value) => value * value)) + average(variances);
    const unknown = average(variances.map((value) => 1 / (1 / value + 7 / noise)));
    expect(population.left(7)).toBeCloseTo(unknown / square, 12);
  });

  it.each([3, 15])("goes on after a snapshot at fit %i as if there had been none", (times) => {
    const records = sums(40, 60);
    const population = fitted(records, times);
    const copy = copyOf(population);
    expect(sharesOf(copy)).toEqual(sharesOf(population));
    for (const each of [population, copy]) fitted(records, 3, each);
    expect(stateOf(copy)).toEqual(stateOf(population));
    expect([...copy.prior.ridge, ...copy.prior.pivots]).toEqual([
      ...population.prior.ridge,
      ...population.prior.pivots,
    ]);
  });
});
