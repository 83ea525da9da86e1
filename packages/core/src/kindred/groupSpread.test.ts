import { describe, expect, it } from "vitest";
import { Reader, Writer } from "../numbers/bytes.ts";
import { addScaled } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import {
  apply,
  dot,
  identity,
  inverse,
  logDeterminant,
  type Matrix,
  plus,
  product,
  transpose,
} from "../testing/dense.ts";
import { arranged, fittedTo } from "../testing/grouping.ts";
import { gauss, look, recordOf, type Seen, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { Evidence } from "./evidence.ts";
import { GroupSpread } from "./groupSpread.ts";
import { Population } from "./population.ts";
import type { PeerRecord } from "./record.ts";

const D = 4;

/** ln N(rewards; X m, σ²I + X C Xᵀ), but for what does not depend on m and C. */
function logDensity({ arms, rewards }: Seen, mean: readonly number[], covariance: Matrix, noise: number): number {
  const spread = product(product(arms, covariance), transpose(arms));
  const all = plus(spread, identity(arms.length), noise);
  const off = rewards.map((reward, k) => reward - dot(arms[k], [...mean]));
  return -0.5 * (dot(off, apply(inverse(all), off)) + logDeterminant(all));
}

/** Groups of six whose members lie `off` from its θ, `count` observations each. */
function rooms(seed: number, groups: number, off: number, count: number): PeerRecord[][] {
  const random = Random.seeded(seed);
  return range(groups).map((g) => {
    const theta = gauss(
      random,
      range(D).map(() => 0),
      1,
    );
    return range(6).map((i) => recordOf(`${g}.${i}`, 1, look(random, gauss(random, theta, off), count, 0.4), D));
  });
}

/** A group of which only the sums are known. */
const unvalued = (slot: Float64Array) => ({ slot, value: Number.NaN, centre: slot, from: 0, centred: false });

function fitted(parts: PeerRecord[][]): GroupSpread {
  const population = fittedTo(parts.flat(), D);
  const [grouping] = arranged(parts, population);
  const spread = new GroupSpread(D);
  allOf(spread.fitting(grouping.list, population.even));
  return spread;
}

/** Its own model is the even one. */
const alikeInAll = (): Population => new Population(D, { components: false, relevance: false });

describe("members of a group that are similar", () => {
  it("are told from members that are the same by the densities of what a peer has seen", () => {
    const random = Random.seeded(3);
    const theta = gauss(random, [0.5, 0, -0.5, 1], 0.3);
    const [own, rest] = [look(random, theta, 6, 0.4), look(random, theta, 30, 0.4)];
    const population = fittedTo(rooms(1, 4, 0.3, 20).flat(), D, alikeInAll());
    const { prior, noise, ridge } = population.even;
    const [b, weight] = [noise / ridge, 0.7];
    const spread = new GroupSpread(D);
    spread.share = 0.3;
    spread.chance = 0.4;
    const odds = spread.odds(sumsOf(own, D).slot, weight, unvalued(sumsOf(rest, D).slot), null, population);
    // θ_g given the group, by the textbook.
    const precision: Matrix = range(D).map((i) =>
      range(D).map((j) => prior.ridge[i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i]),
    );
    const a = plus(product(transpose(rest.arms), rest.arms), precision);
    const off = rest.rewards.map((reward, k) => reward - dot(rest.arms[k], [...prior.mean]));
    const centre = apply(inverse(a), apply(transpose(rest.arms), off)).map((value, i) => value + prior.mean[i]);
    const same = inverse(a).map((row) => row.map((value) => value * noise));
    const wide = plus(same, identity(D), 0.3 * b);
    // A weight on sums is a weight on the noise.
    const gain = logDensity(own, centre, wide, noise / weight) - logDensity(own, centre, same, noise / weight);
    expect(Math.log(odds / 0.4)).toBeCloseTo(gain, 8);
    expect([...spread.prior.mean].every((value, i) => Math.abs(value - centre[i]) < 1e-9)).toBe(true);
    const found = inverse(wide).map((row) => row.map((value) => value * noise));
    for (const i of range(D)) expect(spread.prior.ridge[(i * (i + 3)) / 2]).toBeCloseTo(found[i][i], 8);
  });

  it.each([1, 2, 3, 4])("are found where they are, seed %d", (seed) => {
    const { chance, share } = fitted(rooms(seed, 5, 0.15, 40));
    expect(chance).toBeGreaterThan(0.9);
    expect(share).toBe(0.03);
  });

  it.each([1, 2, 3, 4])("are not found where all are the same, seed %d", (seed) => {
    expect(fitted(rooms(seed, 5, 0, 60)).chance).toBeLessThan(0.1);
  });

  it("are not looked for in groups that explain nothing, nor where everybody is alone", () => {
    const mixed = rooms(1, 6, 0, 60);
    expect(fitted(range(6).map((i) => mixed.map((part) => part[i]))).chance).toBe(0);
    expect(fitted(mixed.flat().map((record) => [record])).chance).toBe(0);
    expect(fitted([]).chance).toBe(0);
  });

  it("weigh the same, to the bit, where the values of the group are known already", () => {
    const parts = rooms(2, 5, 0.3, 20);
    const population = fittedTo(parts.flat(), D, alikeInAll());
    const [{ list }] = arranged(parts, population);
    const spread = new GroupSpread(D);
    spread.chance = 0.5;
    const own = parts[0][0].slot;
    for (const group of list) {
      const anew = spread.odds(own, 0.7, unvalued(group.slot), null, population);
      const prior = [...spread.prior.mean, ...spread.prior.ridge];
      const together = new Evidence(D).ofSum(group.slot, own, population.prior, population.noise, 0.7);
      expect(spread.odds(own, 0.7, group, together, population)).toBe(anew);
      expect([...spread.prior.mean, ...spread.prior.ridge]).toEqual(prior);
    }
  });

  it("say nothing by sums that nobody can have seen", () => {
    const parts = rooms(1, 5, 0.3, 60);
    const population = fittedTo(parts.flat(), D);
    const spread = new GroupSpread(D);
    spread.chance = 0.5;
    const bad = new Float64Array(parts[0][0].slot.length);
    addScaled(bad, 0, parts[0][0].slot, 0, bad.length, -9);
    expect(spread.odds(parts[1][0].slot, 1, unvalued(bad), null, population)).toBe(0);
    // Somebody who sends such sums, and is in no group, does not hide that members of groups differ.
    const liar = { ...parts[0][0], origin: "x", slot: bad };
    const similar = rooms(1, 5, 0.15, 40);
    const [grouping] = arranged([...similar, [liar]], fittedTo(similar.flat(), D));
    allOf(spread.fitting(grouping.list, grouping.population.even));
    expect(spread.chance).toBeGreaterThan(0.9);
  });

  it("are kept", () => {
    const spread = fitted(rooms(1, 5, 0.15, 40));
    const out = new Writer();
    spread.write(out);
    const other = new GroupSpread(D);
    other.read(new Reader(out.bytes(), (what) => new Error(what)));
    expect([other.share, other.chance]).toEqual([spread.share, spread.chance]);
  });
});
