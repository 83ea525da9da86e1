import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import {
  apply,
  dot,
  identity,
  inverse,
  logDeterminant,
  type Matrix,
  plus,
  transpose,
  type Vector,
} from "../testing/dense.ts";
import { both, gauss, look, type Seen, sumsOf } from "../testing/kin.ts";
import { relativeGap } from "../testing/same.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { Prior } from "./prior.ts";

interface Case {
  d: number;
  a: Seen;
  b: Seen;
  mean: Vector;
  /** R, d × d. */
  ridge: Matrix;
  noise: number;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    seed: fc.nat(),
    d: fc.integer({ min: 1, max: 10 }),
    counts: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
    ridge: fc.constantFrom(0.05, 1, 30),
    even: fc.boolean(),
    noise: fc.constantFrom(0.1, 1, 7),
  })
  .map(({ seed, d, counts, ridge, even, noise }) => {
    const random = Random.seeded(seed);
    const draw = (count: number): Seen => look(random, gauss(random, Array<number>(d).fill(0), 1), count, 0.5);
    return {
      d,
      a: draw(counts[0]),
      b: draw(counts[1]),
      mean: gauss(random, Array<number>(d).fill(0), 1),
      ridge: even ? plus(zeros(d), identity(d), ridge) : spd(random, d, ridge),
      noise,
    };
  });

const zeros = (d: number): Matrix => identity(d).map((row) => row.map(() => 0));

/** A matrix that is no multiple of I: ridge · (I + Σ ggᵀ / d). */
function spd(random: Random, d: number, ridge: number): Matrix {
  let sum = identity(d);
  for (let k = 0; k < d; k++) {
    const g = gauss(random, Array<number>(d).fill(0), 1);
    sum = plus(
      sum,
      g.map((gi) => g.map((gj) => gi * gj)),
      1 / d,
    );
  }
  return plus(zeros(d), sum, ridge);
}

function priorOf({ mean, ridge }: Pick<Case, "mean" | "ridge">): Prior {
  const prior = new Prior(Float64Array.from(mean));
  prior.setRidge(Float64Array.from(ridge.flatMap((row, i) => row.slice(0, i + 1))));
  return prior;
}

const check = (property: (given: Case) => void): void =>
  fc.assert(fc.property(cases, property), { seed: 8, numRuns: 150 });

const offBy = ({ arms, rewards }: Seen, mean: Vector): Vector => rewards.map((r, k) => r - dot(arms[k], mean));

/** ln p(r) where r ~ N(Xμ, σ²(I + XR⁻¹Xᵀ)), n×n and all. */
function logMarginal(seen: Seen, { mean, ridge, noise }: Case): number {
  const { arms } = seen;
  const off = offBy(seen, mean);
  const spread = inverse(ridge);
  const covariance = plus(
    identity(arms.length),
    arms.map((x) => arms.map((y) => dot(x, apply(spread, y)))),
    1,
  );
  const square = dot(off, apply(inverse(covariance), off)) / noise;
  return -0.5 * (arms.length * Math.log(2 * Math.PI * noise) + logDeterminant(covariance) + square);
}

const close = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThan(1e-8 * (1 + Math.abs(expected)));

describe("Evidence", () => {
  it("of a sum less that of its parts is the logarithm of a Bayes factor", () => {
    check((given) => {
      const { d, a, b, noise } = given;
      const evidence = new Evidence(d);
      const prior = priorOf(given);
      const [sumA, sumB] = [sumsOf(a, d), sumsOf(b, d)];
      const apart = evidence.of(sumA.slot, prior, noise) + evidence.of(sumB.slot, prior, noise);
      const together = evidence.ofSum(sumA.slot, sumB.slot, prior, noise);
      close(together, evidence.of(sumsOf(both(a, b), d).slot, prior, noise));
      const factor = logMarginal(both(a, b), given) - logMarginal(a, given) - logMarginal(b, given);
      close(together - apart, factor);
    });
  });

  it("is the whole logarithm once the terms that cancel are put back", () => {
    check((given) => {
      const { d, a, noise } = given;
      const prior = priorOf(given);
      const { slot, squares, count } = sumsOf(a, d);
      const dropped =
        -0.5 * (count * Math.log(2 * Math.PI * noise) + residualSquares(squares, slot, prior.mean) / noise);
      close(new Evidence(d).of(slot, prior, noise) + dropped, logMarginal(a, given));
    });
  });

  it("knows the residuals, and where the posterior is centred", () => {
    check(({ d, a, mean, ridge }) => {
      const { slot, squares } = sumsOf(a, d);
      const off = offBy(a, mean);
      close(residualSquares(squares, slot, Float64Array.from(mean)), dot(off, off));
      const evidence = new Evidence(d);
      const centre = new Float64Array(d);
      evidence.fit(slot, priorOf({ mean, ridge }), centre);
      const x = transpose(a.arms);
      const gram = x.map((row) => x.map((other) => dot(row, other)));
      const expected = apply(inverse(plus(gram, ridge, 1)), apply(x, off));
      expect(relativeGap(centre, expected)).toBeLessThan(1e-9);
    });
  });

  it("takes the logarithm of a determinant beyond the range of numbers", () => {
    const d = 60;
    const slot = new Float64Array((d * (d + 1)) / 2 + d);
    for (let i = 0, at = 0; i < d; at += i + 2, i++) slot[at] = 1e9;
    const evidence = new Evidence(d);
    evidence.fit(slot, new Prior(new Float64Array(d)).setEven(1e-6));
    expect(evidence.logDeterminant).toBeCloseTo(d * Math.log(1e15 + 1), 8);
  });

  it("gives no value to sums that nobody can have seen, and no place", () => {
    const evidence = new Evidence(1);
    const prior = new Prior(Float64Array.of(0));
    evidence.of(Float64Array.of(1, 3), prior, 1);
    // Whatever was fitted before: a peer restored from a snapshot has fitted nothing.
    const centre = Float64Array.of(7);
    expect(evidence.of(Float64Array.of(-2, 5), prior, 1, centre)).toBe(Number.NEGATIVE_INFINITY);
    expect(centre).toEqual(Float64Array.of(0));
  });

  it("never lets residuals fall below zero", () => {
    expect(residualSquares(1, Float64Array.of(1, 2), Float64Array.of(1))).toBe(0);
  });

  it("forgives what rounding to 32 bits takes from a pivot, and no more", () => {
    const evidence = new Evidence(2);
    const prior = new Prior(new Float64Array(2)).setEven(1e-3);
    // One direction seen, 10⁶ times; its determinant is 0 but for a rounding of 0.03.
    const rounded = Float64Array.of(1e6, 1e6 + 0.03, 1e6, 0, 0);
    expect(evidence.of(rounded, prior, 1)).toBeGreaterThan(-Infinity);
    expect(evidence.of(Float64Array.of(1e6, 1e6 + 30, 1e6, 0, 0), prior, 1)).toBe(-Infinity);
  });
});
