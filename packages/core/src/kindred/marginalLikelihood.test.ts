import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { apply, dot, identity, inverse, logDeterminant, plus, product, transpose } from "../testing/dense.ts";
import { gauss, look, type Seen, sumsOf } from "../testing/kin.ts";
import { hunch, MarginalLikelihood } from "./marginalLikelihood.ts";
import { Prior } from "./prior.ts";

const D = 3;
const MEAN = [1, -0.5, 0.2];

const seen = (): Seen[] => {
  const random = Random.seeded(5);
  return [2, 4, 9].map((count) => look(random, gauss(random, MEAN, 1), count, 0.5));
};

/** σ² and the value, from all rewards: the covariance of a record's is σ²(I + X Xᵀ/λ). */
function byHand(records: Seen[], lambda: number, most: number, scale: number): { noise: number; value: number } {
  let [count, rest, log] = [2, 0.5 * scale, 0];
  for (const { arms, rewards } of records) {
    const share = Math.min(1, most / arms.length);
    const spread = plus(identity(arms.length), product(arms, transpose(arms)), 1 / lambda);
    const off = rewards.map((reward, k) => reward - dot(arms[k], MEAN));
    count += share * arms.length;
    rest += share * dot(off, apply(inverse(spread), off));
    log += share * logDeterminant(spread);
  }
  const noise = rest / count;
  const about = Math.log(noise / lambda / (0.5 * scale)) / 2;
  return { noise, value: -0.5 * (count * Math.log(noise) + log + about * about) };
}

describe("MarginalLikelihood", () => {
  it.each([
    [0.3, Infinity],
    [4, Infinity],
    [4, 3],
  ])("is that of all rewards, σ² at its best, for λ = %d where no record counts for more than %d", (lambda, most) => {
    const records = seen();
    const likelihood = new MarginalLikelihood(D);
    const mean = Float64Array.from(MEAN);
    likelihood.take(
      records.map((each) => sumsOf(each, D)),
      mean,
      most,
      1.7,
    );
    const value = likelihood.of(new Prior(mean).setEven(lambda), lambda);
    const expected = byHand(records, lambda, most, 1.7);
    expect(likelihood.noise).toBeCloseTo(expected.noise, 10);
    expect(value).toBeCloseTo(expected.value, 9);
  });
});

describe("hunch", () => {
  it("is the logarithm of a lognormal density, but for a constant", () => {
    expect(hunch(3, 3, 2)).toBeCloseTo(0, 12);
    expect(hunch(3 * Math.E ** 2, 3, 2)).toBeCloseTo(-0.5, 12);
    expect(hunch(3 / Math.E ** 4, 3, 2)).toBeCloseTo(-2, 12);
  });
});
