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
  type Vector,
} from "../testing/dense.ts";
import { arranged, fittedTo } from "../testing/grouping.ts";
import { both, gauss, look, recordOf, type Seen, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Drift, Past, RECENT } from "./drift.ts";
import type { PeerRecord } from "./record.ts";

const D = 4;

const first = ({ arms, rewards }: Seen, count: number): Seen => ({
  arms: arms.slice(0, count),
  rewards: rewards.slice(0, count),
});

/** A record's versions at these counts, of one life. */
function versions(seen: Seen, counts: readonly number[]): PeerRecord[] {
  return counts.map((count, k) => recordOf("a", k + 1, first(seen, count), D));
}

function recentOf(past: Past, record: PeerRecord, weight = 1): { slot: Float64Array; count: number } {
  const slot = new Float64Array((D * (D + 3)) / 2);
  past.addRecent(slot, weight, record);
  return { count: weight * past.countOf(record), slot };
}

function near(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) expect(a[k]).toBeCloseTo(b[k], 9);
}

const nothing = new Float64Array((D * (D + 3)) / 2);

function difference(a: PeerRecord, b: PeerRecord | null, scale = 1): Float64Array {
  const out = nothing.slice();
  addScaled(out, 0, a.slot, 0, out.length, scale);
  if (b !== null) addScaled(out, 0, b.slot, 0, out.length, -scale);
  return out;
}

describe("what a record has seen recently", () => {
  const seen = look(Random.seeded(1), [1, 0, -1, 0.5], 400, 0.3);

  it("is all where it is short, then what came after a version of 64 to 128 observations before", () => {
    const counts = range(80).map((k) => 5 * (k + 1));
    const all = versions(seen, counts);
    const past = new Past();
    for (const [k, record] of all.entries()) {
      past.tell(record);
      const { slot, count } = recentOf(past, record, 0.5);
      const before = counts[k] - 2 * count;
      near(slot, difference(record, all.find((other) => other.count === before) ?? null, 0.5));
      expect(2 * count).toBeGreaterThanOrEqual(Math.min(record.count, RECENT));
      expect(2 * count).toBeLessThan(2 * RECENT + 5);
    }
  });

  it("counts as 128 observations where it is of more, for nobody knows which of them were the last", () => {
    const [long] = versions(seen, [400]);
    const past = new Past();
    past.tell(long);
    for (const each of [past, new Past()]) {
      near(recentOf(each, long).slot, difference(long, null, (2 * RECENT) / 400));
      expect(recentOf(each, long).count).toBeCloseTo(2 * RECENT, 9);
    }
  });

  it("is all of it again where it was forgotten, or never looked at", () => {
    const all = versions(seen, [10, 90, 120]);
    const past = new Past();
    for (const record of all) past.tell(record);
    expect(recentOf(past, all[2]).count).toBe(110);
    past.forget();
    expect(recentOf(past, all[2])).toEqual(recentOf(new Past(), all[2]));
    near(recentOf(past, all[2]).slot, difference(all[2], null));
  });

  it("is kept, whether the last version was looked at or not", () => {
    const all = versions(seen, [10, 90, 170, 180]);
    for (const told of range(all.length + 1)) {
      const past = new Past();
      for (const record of all.slice(0, told)) past.tell(record);
      for (const record of all.slice(Math.max(0, told - 1))) {
        const out = new Writer();
        past.write(out, record);
        const other = new Past();
        const from = new Reader(out.bytes(), (what) => new Error(what));
        other.read(from, record, D);
        from.end("past");
        expect(other.told?.version).toBe(past.told?.version);
        expect(recentOf(other, record)).toEqual(recentOf(past, record));
      }
    }
  });
});

/** ln N(rewards; X m, σ²(I + X A⁻¹Xᵀ)) of what was seen after, (A, m) the posterior by what was seen before, each times its share. */
function foretold(
  before: readonly { readonly seen: Seen; readonly share: number }[],
  after: Seen,
  ridge: Matrix,
  mean: Vector,
  noise: number,
): number {
  let precision = ridge;
  let moment = apply(ridge, mean);
  for (const { seen, share } of before) {
    precision = plus(precision, product(transpose(seen.arms), seen.arms), share);
    moment = moment.map((value, i) => value + share * apply(transpose(seen.arms), seen.rewards)[i]);
  }
  const centre = apply(inverse(precision), moment);
  const spread = product(product(after.arms, inverse(precision)), transpose(after.arms));
  const all = plus(spread, identity(after.arms.length));
  const off = after.rewards.map((reward, k) => reward - dot(after.arms[k], centre));
  return -0.5 * (dot(off, apply(inverse(all), off)) / noise + logDeterminant(all));
}

/** Groups of six; every peer makes 300 observations and publishes every ten; `step` is how far the θ of a group goes for each, `off` how far members are apart. */
function play(seed: number, step: number, off: number): { drift: Drift; turns: number } {
  const random = Random.seeded(seed);
  const groups = range(3).map(() => gauss(random, [0, 0, 0, 0], 1));
  const members = groups.map((theta) =>
    range(6).map(() => gauss(random, theta, off).map((value, i) => value - theta[i])),
  );
  const seen: Seen[][] = members.map((group) => group.map(() => ({ arms: [], rewards: [] })));
  const drift = new Drift(D);
  const held = new Map<string, Past>();
  let turns = 0;
  for (const publication of range(30)) {
    for (const _ of range(10)) {
      for (const [g, theta] of groups.entries()) {
        groups[g] = gauss(random, theta, step);
        for (const [i, own] of members[g].entries()) {
          const mine = groups[g].map((value, k) => value + own[k]);
          seen[g][i] = both(seen[g][i], look(random, mine, 1, 0.4));
        }
      }
    }
    const parts = seen.map((group, g) => group.map((each, i) => recordOf(`${g}.${i}`, publication + 1, each, D)));
    const population = fittedTo(parts.flat(), D);
    const [grouping, entries] = arranged(parts, population);
    for (const entry of entries) {
      const past = held.get(entry.record.origin);
      if (past !== undefined) entry.recall(past);
    }
    for (const group of grouping.list) {
      if (publication > 0) drift.look(group, group.members, population.even);
      for (const entry of group.members) {
        entry.tell(entry.record);
        held.set(entry.record.origin, entry.past);
      }
    }
    if (drift.believed) turns += 1;
  }
  return { drift, turns };
}

/** The sums of gains, over all and over as many. */
function sumsIn(drift: Drift): [number, number] {
  const out = new Writer();
  drift.write(out);
  const from = new Reader(out.bytes(), (what) => new Error(what));
  return [from.f64("over all"), from.f64("over as many")];
}

function driftOf(...sums: [number, number]): Drift {
  const out = new Writer();
  for (const sum of sums) out.f64(sum);
  const drift = new Drift(D);
  drift.read(new Reader(out.bytes(), (what) => new Error(what)));
  return drift;
}

describe("drift", () => {
  it("is told by how well what came is foretold, as the textbook has it", () => {
    const random = Random.seeded(5);
    const theta = gauss(random, [0.5, 0, -0.5, 1], 0.3);
    const [older, newer] = [look(random, theta, 90, 0.4), look(random, theta, 70, 0.4)];
    const after = look(random, gauss(random, theta, 0.3), 12, 0.4);
    const other = look(random, theta, 40, 0.4);
    const records = [older, both(older, newer), both(both(older, newer), after)].map((seen, k) =>
      recordOf("a", k + 1, seen, D),
    );
    const still = recordOf("b", 1, other, D);
    const population = fittedTo([records[2], still], D);
    const [grouping, entries] = arranged([[records[2], still]], population);
    // As they are, not as records round them: the textbook knows no rounding.
    const exact = [older, both(older, newer), both(both(older, newer), after)].map((seen, k) => ({
      ...records[k],
      ...sumsOf(seen, D),
    }));
    const alone = { ...still, ...sumsOf(other, D) };
    const [mine, theirs] = entries;
    mine.record = exact[2];
    theirs.record = alone;
    for (const entry of entries) entry.weigh(1);
    const [group] = grouping.list;
    group.sum();
    grouping.value(group);
    mine.tell(exact[0]);
    mine.tell(exact[1]);
    theirs.tell(alone);
    const drift = new Drift(D);
    drift.look(group, [mine], population.even);
    const { prior, noise } = population.even;
    const ridge: Matrix = range(D).map((i) =>
      range(D).map((j) => prior.ridge[i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i]),
    );
    const given = (parts: { seen: Seen; share: number }[]): number =>
      foretold(parts, after, ridge, [...prior.mean], noise);
    const recent = given([
      { seen: newer, share: 1 },
      { seen: other, share: 1 },
    ]);
    const all = given([
      { seen: older, share: 1 },
      { seen: newer, share: 1 },
      { seen: other, share: 1 },
    ]);
    const matrix = (seen: Seen): Matrix => product(transpose(seen.arms), seen.arms);
    const along = (seen: Seen): number => matrix(seen).reduce((sum, row, i) => sum + dot(row, matrix(after)[i]), 0);
    const share = (along(newer) + along(other)) / (along(older) + along(newer) + along(other));
    const asMany = given([
      { seen: older, share },
      { seen: newer, share },
      { seen: other, share },
    ]);
    const kept = (gain: number): number => Math.min(3, Math.max(0, gain));
    const [overAll, overAsMany] = sumsIn(drift);
    expect(recent - all).toBeGreaterThan(0);
    expect(overAll).toBeCloseTo(kept(recent - all), 8);
    expect(recent - asMany).toBeGreaterThan(0);
    expect(overAsMany).toBeCloseTo(kept(recent - asMany), 8);
  });

  it.each([1, 2, 3])("is found where the tastes of groups wander, seed %d", (seed) => {
    const { drift, turns } = play(seed, 0.05, 0);
    expect(drift.believed).toBe(true);
    expect(turns).toBeGreaterThan(10);
  });

  it.each([1, 2, 3])(
    "is not found where they stay, seed %d, and hardly where members are similar, not the same",
    (seed) => {
      expect(play(seed, 0, 0).turns).toBe(0);
      expect(play(seed, 0, 0.2).turns).toBeLessThan(5);
    },
  );

  it("is kept", () => {
    const { drift } = play(1, 0.05, 0);
    const copy = driftOf(...sumsIn(drift));
    expect(sumsIn(copy)).toEqual(sumsIn(drift));
    expect([copy.believed, drift.believed]).toEqual([true, true]);
    expect([driftOf(4, 3).believed, driftOf(3, 4).believed, driftOf(4, 4).believed]).toEqual([false, false, true]);
  });

  it("is not told by a group of one, by one whose observations are all recent, or by sums that nobody can have seen", () => {
    const random = Random.seeded(2);
    const seen = range(2).map(() => look(random, [1, 0, 0, 1], 300, 0.3));
    const records = seen.map((each, k) => recordOf(`${k}`, 2, each, D));
    const population = fittedTo(records, D);
    const after = (parts: PeerRecord[][], before: PeerRecord): number[] => {
      const [grouping, entries] = arranged(parts, population);
      for (const entry of entries) entry.tell(entry.record);
      entries[0].past.told = before;
      const drift = driftOf(5, 5);
      drift.look(grouping.list[0], [entries[0]], population.even);
      return sumsIn(drift);
    };
    const before = recordOf("0", 1, first(seen[0], 280), D);
    const [overAll, overAsMany] = after([records], before);
    expect(overAll).not.toBe(5);
    expect(overAsMany).not.toBe(5);
    expect(after([[records[0]]], before)).toEqual([5, 5]);
    const few = seen.map((each, k) => recordOf(`${k}`, 2, first(each, 60), D));
    expect(after([few], recordOf("0", 1, first(seen[0], 50), D))).toEqual([5, 5]);
    const bad = { ...before, slot: before.slot.map((value) => 9 * value) };
    expect(after([records], bad)).toEqual([5, 5]);
  });
});
