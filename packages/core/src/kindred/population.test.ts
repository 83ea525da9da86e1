import { describe, expect, it } from "vitest";
import { Factor } from "../numbers/factor.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { gauss, look, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { copyOf } from "../testing/population.ts";
import { allOf } from "../work.ts";
import { Population } from "./population.ts";
import type { Sums } from "./record.ts";

const D = 4;
const MEAN = [1, -0.5, 0, 2];

/** Sums of peers with θ ~ N(mean, spread² I) and noise of deviation 0.5, all rewards times `scale`. */
function sums(peers: number, count: number, spread: number, scale = 1, mean = MEAN): Sums[] {
  const random = Random.seeded(12);
  return Array.from({ length: peers }, (_, i) => {
    const draw = random.fork(i);
    const { arms, rewards } = look(draw, gauss(draw, mean, spread), count, 0.5);
    return sumsOf({ arms, rewards: rewards.map((r) => scale * r) }, D);
  });
}

const fitted = (groups: Sums[], times = 20): Population => {
  const population = new Population(D);
  for (let k = 0; k < times; k++) allOf(population.fitting(groups, 3));
  return population;
};

describe("Population", () => {
  it.each([0.2, 0.7, 2])("finds noise, mean and a spread of %d", (spread) => {
    const { noise, mean, ridge } = fitted(sums(80, 40, spread));
    expect(Math.abs(noise / 0.25 - 1)).toBeLessThan(0.1);
    // Four standard errors of the mean of 80 peers.
    const error = 4 * Math.sqrt((spread ** 2 + (0.25 * D) / 40) / 80);
    MEAN.forEach((value, i) => {
      expect(Math.abs(mean[i] - value)).toBeLessThan(error);
    });
    // λ moves on a grid of factors 0.6.
    const ratio = noise / ridge / spread ** 2;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it("does not depend on the scale of rewards", () => {
    const [small, large] = [fitted(sums(20, 15, 0.5)), fitted(sums(20, 15, 0.5, 10))];
    expect(large.ridge / small.ridge).toBeCloseTo(1, 12);
    expect(large.noise / small.noise).toBeCloseTo(100, 8);
    small.mean.forEach((value, i) => {
      expect(large.mean[i]).toBeCloseTo(10 * value, 8);
    });
  });

  it("is in more doubt about the mean where fewer peers are known", () => {
    expect(fitted(sums(3, 40, 0.7)).doubt).toBeGreaterThan(5 * fitted(sums(80, 40, 0.7)).doubt);
  });

  it("gives a θ the variance of peers and what is not known of their mean, more where nobody has looked", () => {
    const { prior, noise, ridge, doubt } = fitted(sums(80, 40, 0.7));
    const variance = range(D).map((i) => noise / prior.ridge[(i * (i + 3)) / 2]);
    for (const each of variance) expect(Math.abs(each / (noise / ridge + doubt) - 1)).toBeLessThan(0.05);
    // Nobody has seen the last feature.
    const blind = sums(20, 40, 0.7).map(({ slot, ...rest }) => {
      const seen = slot.slice();
      for (const k of [6, 7, 8, 9, 13]) seen[k] = 0;
      return { slot: seen, ...rest };
    });
    const half = fitted(blind);
    const [first, , , last] = range(D).map((i) => half.noise / half.prior.ridge[(i * (i + 3)) / 2]);
    expect(last).toBeGreaterThan(1.5 * first);
  });

  it("draws towards 0 a mean that is no more than noise, and leaves one that is real as it is", () => {
    /** |μ̂| over the length of what least squares make of all observations together. */
    const kept = (records: Sums[]): number => {
      const all = new Float64Array(slotSize(D));
      for (const { slot } of records) for (let k = 0; k < all.length; k++) all[k] += slot[k];
      const factor = new Factor(D);
      factor.refactor(all, 0, 0);
      const plain = factor.solve(new Float64Array(D), all, triangleSize(D));
      return Math.hypot(...fitted(records).mean) / Math.hypot(...plain);
    };
    expect(kept(sums(40, 3, 0, 1, [0, 0, 0, 0]))).toBeLessThan(0.95);
    expect(kept(sums(40, 3, 0))).toBeGreaterThan(0.98);
  });

  it("believes a mean that few observations show less than one that many show", () => {
    const length = (records: Sums[]): number => Math.hypot(...fitted(records).mean);
    expect(length(sums(1, 1, 0.2))).toBeLessThan(0.7 * Math.hypot(...MEAN));
    expect(length(sums(80, 40, 0.2))).toBeGreaterThan(0.95 * Math.hypot(...MEAN));
  });

  it("stays as it is where nothing, or nothing but zeros, was paid", () => {
    const none = fitted([]);
    const zeros = fitted(sums(3, 5, 1, 0));
    for (const { noise, ridge, mean } of [none, zeros]) {
      expect([noise, ridge, ...mean]).toEqual([1, 1, 0, 0, 0, 0]);
    }
  });

  it("goes on after a snapshot as if there had been none", () => {
    const groups = sums(10, 10, 0.5);
    const population = fitted(groups, 2);
    const copy = copyOf(population);
    for (const each of [population, copy]) allOf(each.fitting(groups, 1));
    const all = ({ ridge, noise, doubt, mean, prior }: Population): number[] => [
      ridge,
      noise,
      doubt,
      ...mean,
      ...prior.ridge,
      ...prior.pivots,
    ];
    expect(all(copy)).toEqual(all(population));
  });

  it("lets no record decide the noise alone, however much it claims to have seen", () => {
    const honest = sums(20, 30, 0.5);
    const { slot } = honest[0];
    const liar = { slot: slot.map((value) => 1e5 * value), squares: 1e5 * honest[0].squares, count: 3e6 };
    const noise = (most: number): number => {
      const population = new Population(D);
      for (let k = 0; k < 20; k++) allOf(population.fitting([...honest, liar], 3, most));
      return population.noise;
    };
    expect(Math.abs(noise(60) / 0.25 - 1)).toBeLessThan(0.5);
  });

  it("looks at all records in turn where there are many", () => {
    // The first 32 differ less than the rest: who looked at them alone would find 0.0025.
    const records = [...sums(32, 40, 0.05), ...sums(96, 40, 1)];
    const { noise, ridge } = fitted(records, 40);
    expect(noise / ridge).toBeGreaterThan(0.1);
  });
});
