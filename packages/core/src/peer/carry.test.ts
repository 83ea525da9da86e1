import { describe, expect, it } from "vitest";
import { Factor } from "../numbers/factor.ts";
import { addObservation, slotSize, toDense, traceOf, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { solo } from "../policies/solo.ts";
import { type Carry, carryHeritage, carryVector } from "./carry.ts";
import type { Heritage } from "./learner.ts";

interface Seen {
  readonly x: Float64Array;
  readonly reward: number;
}

/** A constant, one of three values, a number: each divided by √3, as a schema does. */
const D = 5;
function seen(count: number, random = Random.seeded(3)): Seen[] {
  return Array.from({ length: count }, () => {
    const x = new Float64Array(D);
    const value = random.below(3);
    const u = random.uniform();
    x[0] = 1;
    x[1 + value] = 1;
    x[4] = u;
    const reward = 0.2 + [0.5, 0, 0.1][value]! + 0.2 * u + 0.05 * random.normal();
    return { x: x.map((each) => each / Math.sqrt(3)), reward };
  });
}

function sumsOf(all: readonly Seen[], d: number): Heritage {
  const slot = new Float64Array(slotSize(d));
  for (const { x, reward } of all) addObservation(slot, 0, d, x, 0, reward);
  const squares = all.reduce((sum, { reward }) => sum + reward * reward, 0);
  return { slot, squares, count: all.length, era: 2, version: 9 };
}

const keep = (column: number, factor = 1) => [{ column, factor }];

function expectSame(found: Heritage, wanted: Heritage): void {
  expect(found.count).toBe(wanted.count);
  expect(found.squares).toBeCloseTo(wanted.squares, 9);
  expect(found.slot.length).toBe(wanted.slot.length);
  for (const [k, value] of found.slot.entries()) expect(value).toBeCloseTo(wanted.slot[k]!, 9);
}

describe("sums carried to another schema", () => {
  it("are those that the same observations would have had in it", () => {
    const all = seen(80);
    // Another order, a number on twice the range from −1 on, a column that is new, and rewards in halves.
    const carry: Carry = {
      from: D,
      rows: [
        keep(0),
        [
          { column: 4, factor: 0.5 },
          { column: 0, factor: 0.25 },
        ],
        [],
        keep(3),
        keep(1),
        keep(2),
      ],
      marginal: [],
      reward: 0.5,
    };
    const mapped = all.map(({ x, reward }) => ({ x: carryVector(x, carry), reward: reward / 2 }));
    expect(mapped[0]!.x[1]).toBeCloseTo(0.5 * all[0]!.x[4]! + 0.25 * all[0]!.x[0]!, 12);
    const found = carryHeritage(sumsOf(all, D), carry);
    expectSame(found, sumsOf(mapped, 6));
    expect(found).toMatchObject({ era: 2, version: 9 });
  });

  it("without a column are as if it had never been declared", () => {
    const all = seen(80);
    const carry: Carry = { from: D, rows: [0, 1, 2, 3].map((column) => keep(column)), marginal: [], reward: 1 };
    const without = all.map(({ x, reward }) => ({ x: x.slice(0, 4), reward }));
    expectSame(carryHeritage(sumsOf(all, D), carry), sumsOf(without, 4));
  });

  it("without a value say of the others what the observations without that value say, and nothing more", () => {
    const all = seen(300);
    // Value 0 is worth far more than the others; the number's slope is all that its observations still tell.
    const carry: Carry = { from: D, rows: [0, 2, 3, 4].map((column) => keep(column)), marginal: [1], reward: 1 };
    const found = carryHeritage(sumsOf(all, D), carry);
    const others = all.filter(({ x }) => x[1] === 0);
    const pick = ({ x }: Seen) => [0, 2, 3, 4].map((i) => x[i]!);
    const plain = sumsOf(
      others.map((each) => ({ x: Float64Array.from(pick(each)), reward: each.reward })),
      4,
    );
    const estimate = (sums: Heritage) => {
      const factor = new Factor(4);
      expect(factor.refactor(sums.slot, 0, 1e-6)).toBe(true);
      return factor.solve(new Float64Array(4), sums.slot, triangleSize(4));
    };
    // By value, as a mean of u = ½: what the estimates say, not how they share it between bias and value.
    const worth = (theta: Float64Array, value: number): number =>
      (theta[0]! + theta[1 + value]! + theta[3]! / 2) / Math.sqrt(3);
    for (const value of [0, 1]) {
      expect(worth(estimate(found), value)).toBeCloseTo(worth(estimate(plain), value), 1);
      expect(Math.abs(worth(estimate(found), value) - [0.3, 0.4][value]!)).toBeLessThan(0.03);
    }
    // Left out, the same column lends its worth to the bias, and so to every value that is new.
    const bias = (theta: Float64Array): number => (theta[0]! + theta[3]! / 2) / Math.sqrt(3);
    expect(bias(estimate(carryHeritage(sumsOf(all, D), { ...carry, marginal: [] })))).toBeGreaterThan(0.7);
    expect(bias(estimate(found))).toBeLessThan(0.4);
    expect(toDense(found.slot, 4)[0]![0]).toBeCloseTo(others.length / 3, 6);
    expect(found.count).toBe(all.length - 1);
    expect(found.squares).toBeLessThan(sumsOf(all, D).squares);
  });

  it("of values beyond a narrower range stay those of vectors within the unit ball, with the same estimate", () => {
    const all = seen(100);
    const wide = [keep(0), keep(1), keep(2), keep(3), keep(4, 30)];
    const sums = sumsOf(all, D);
    const found = carryHeritage(sums, { from: D, rows: wide, marginal: [], reward: 1 });
    expect(traceOf(found.slot, D)).toBeCloseTo(found.count, 6);
    const share = found.squares / sums.squares;
    expect(share).toBeLessThan(0.5);
    expect(found.slot[triangleSize(D) + 4]! / sums.slot[triangleSize(D) + 4]!).toBeCloseTo(30 * share, 9);
  });

  it("are gone on from by a learner, which estimates as if it had seen them itself", () => {
    const all = seen(50);
    const carry: Carry = { from: D, rows: [keep(0), keep(1), keep(2), [], keep(3), keep(4)], marginal: [], reward: 1 };
    const [learner, lived] = [solo().create(6, 1, "a"), solo().create(6, 1, "b")];
    learner.inherit!(carryHeritage(sumsOf(all, D), carry));
    for (const { x, reward } of all) lived.observe(carryVector(x, carry), 0, reward);
    expect(learner.view.own).toBe(50);
    for (const [i, value] of learner.view.estimate.entries()) expect(value).toBeCloseTo(lived.view.estimate[i]!, 9);
    expect(learner.heritage!().slot).toEqual(learner.view.active);
  });
});
