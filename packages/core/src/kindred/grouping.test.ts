import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { chiSquare, chiSquareLimit, tally } from "../testing/chi-square.ts";
import { arranged, checkGrouping, entryOf, fittedTo, partition } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { allOf } from "../work.ts";
import { Evidence } from "./evidence.ts";
import type { Group, Weighed } from "./group.ts";
import type { Grouping } from "./grouping.ts";
import { lnPartition } from "./partition.ts";
import type { Population } from "./population.ts";
import type { PeerRecord, Sums } from "./record.ts";

const D = 3;
const KINDS = [
  [1, 0.5, -1],
  [-1, 0.5, 1],
];

/** The record of peer i, of cluster i mod 2. */
const record = (i: number, count: number): PeerRecord =>
  recordOf(`${i}`, 1, look(Random.seeded(i), KINDS[i % 2], count, 0.4), D);

/** Sums that are not positive semidefinite, small enough to look sound once they are added to a group. */
function poison(origin: string): PeerRecord {
  const slot = new Float64Array(record(0, 1).slot.length);
  slot[0] = slot[2] = slot[5] = -20;
  return { ...record(0, 1), origin, slot };
}

/** The value of several records together. */
const valueTogether = (records: readonly PeerRecord[], { even: { prior, noise } }: Population): number =>
  new Evidence(D).of(
    records[0].slot.map((_, k) => records.reduce((sum, { slot }) => sum + slot[k], 0)),
    prior,
    noise,
  );

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** The posterior of a partition given α, but for a constant: α^K Π Γ(n_k) exp(value). */
const joint = (parts: readonly PeerRecord[][], alpha: number, population: Population): number =>
  parts.reduce((p, part) => p * alpha * factorial(part.length - 1) * Math.exp(valueTogether(part, population)), 1);

const named = (parts: readonly PeerRecord[][]): string =>
  parts
    .map((part) => part.map(({ origin }) => Number(origin)).sort((a, b) => a - b))
    .map((origins) => origins.join(" "))
    .sort()
    .join(" | ");

const weighed = (record: Sums, value: number): Weighed => ({
  record,
  weight: 1,
  value,
  centre: new Float64Array(D),
  from: 0,
});

/** What `weigh` finds, in lists of what it found alone. */
function belonging(grouping: Grouping, sums: Weighed, home: Group | null = null) {
  const { count, groups, chances } = grouping.weigh(sums, home);
  return { groups: groups.slice(0, count), chances: [...chances.slice(0, count)], alone: chances[count] };
}

describe("weigh", () => {
  const records = range(9).map((i) => record(i, 4));
  const population = fittedTo(records, D);

  it("gives a group the weight size · Bayes factor, and none of them α · evidence", () => {
    const [grouping] = arranged([records.slice(0, 3), records.slice(3, 5), records.slice(5, 6)], population);
    grouping.alpha = 2.5;
    const stranger = record(21, 3);
    const evidence = new Evidence(D);
    const value = evidence.of(stranger.slot, population.even.prior, population.even.noise);
    const { alone, chances, groups } = belonging(grouping, weighed(stranger, value));
    expect(groups).toEqual(grouping.list);
    const weights = grouping.list.map(({ members }) => {
      const held = members.map((entry) => entry.record);
      return held.length * Math.exp(valueTogether([...held, stranger], population) - valueTogether(held, population));
    });
    const none = 2.5 * Math.exp(value);
    const total = weights.reduce((a, b) => a + b, none);
    const expected = [none, ...weights].map((weight) => weight / total);
    expect(relativeGap([alone, ...chances], expected)).toBeLessThan(1e-9);
  });

  it("weighs a member as if it were in no group", () => {
    const [grouping, entries] = arranged([records.slice(0, 3), records.slice(3, 5)], population);
    const [without] = arranged([records.slice(1, 3), records.slice(3, 5)], population);
    const inside = belonging(grouping, entries[0], grouping.list[0]);
    const outside = belonging(without, entries[0]);
    // Its own group comes last.
    expect(inside.groups).toEqual([grouping.list[1], grouping.list[0]]);
    expect(
      relativeGap([inside.alone, inside.chances[1], inside.chances[0]], [outside.alone, ...outside.chances]),
    ).toBeLessThan(1e-9);
  });

  it("is alone where there is no group, or no other", () => {
    const [empty] = arranged([], population);
    expect(belonging(empty, weighed(records[0], 3))).toMatchObject({ alone: 1, chances: [], groups: [] });
    const [one, [entry]] = arranged([[records[0]]], population);
    expect(belonging(one, entry, one.list[0])).toMatchObject({ alone: 1, chances: [] });
  });

  it("gives sums that are not positive semidefinite to nobody, and nobody to them", () => {
    const [grouping, entries] = arranged([records.slice(0, 3), [poison("x")]], population);
    expect(entries[3].value).toBe(-Infinity);
    expect(belonging(grouping, weighed(poison("y"), -Infinity))).toMatchObject({ alone: 1, chances: [] });
    const { alone, chances } = belonging(grouping, weighed(record(20, 4), valueTogether([record(20, 4)], population)));
    expect(chances[1]).toBe(0);
    expect(alone + chances[0]).toBeCloseTo(1, 12);
  });
});

describe("place", () => {
  const records = range(6).map((i) => record(i, 2));
  const population = fittedTo(records, D);
  const moved = records[0];
  const others = [[records[1], records[3]], [records[2], records[4]], [records[5]]];
  const alpha = 1.5;
  /** Every partition in which only the moved record is elsewhere. */
  const outcomes = [
    [...others, [moved]],
    ...others.map((_, k) => others.map((part, j) => (j === k ? [...part, moved] : part))),
  ];

  it.each([0, 1, 2, 3])("draws from the posterior given all others, where it was in group %d before", (start) => {
    const random = Random.seeded(start);
    const counts = tally(outcomes.map(named), 8000, () => {
      const [grouping, entries] = arranged(outcomes[start], population);
      grouping.alpha = alpha;
      grouping.place(entries.find((entry) => entry.record === moved)!, random);
      return partition(grouping).join(" | ");
    });
    const weights = outcomes.map((parts) => joint(parts, alpha, population));
    // None is so rare that the test could not see it.
    expect(Math.min(...weights) / weights.reduce((a, b) => a + b)).toBeGreaterThan(0.01);
    expect(chiSquare(counts, weights)).toBeLessThan(chiSquareLimit(3));
  });

  it("keeps sums and members right", () => {
    const [grouping, entries] = arranged(outcomes[0], population);
    const random = Random.seeded(9);
    for (const k of range(200)) {
      grouping.place(entries[k % 6], random);
      checkGrouping(grouping, entries);
    }
  });
});

describe("merge", () => {
  const kinds = range(12).map((i) => record(i, 15));
  const population = fittedTo(kinds, D);
  const of = (...origins: number[]): PeerRecord[] => origins.map((i) => kinds[i]);

  it("joins two halves of a kind, and not two kinds", () => {
    const [grouping, entries] = arranged([of(0, 2, 4), of(6, 8, 10), of(1, 3, 5, 7, 9, 11)], population);
    grouping.merge(grouping.list[0]);
    expect(partition(grouping)).toEqual(["0 2 4 6 8 10", "1 3 5 7 9 11"]);
    checkGrouping(grouping, entries);
    for (const group of [...grouping.list]) grouping.merge(group);
    expect(partition(grouping)).toEqual(["0 2 4 6 8 10", "1 3 5 7 9 11"]);
  });

  it("takes the group with the largest gain, where it is more than (k + m − 2) ln 2", () => {
    const seen = new Set<boolean>();
    const setting = fc.record({
      from: fc.nat(500),
      count: fc.integer({ min: 1, max: 8 }),
      alpha: fc.constantFrom(0.5, 2, 8),
    });
    const property = fc.property(setting, ({ from, count, alpha }) => {
      const records = range(9).map((i) => record(2 * from + i, count));
      const fitted = fittedTo(records, D);
      const parts = [[0, 2], [4], [1, 3, 5], [6, 7, 8]].map((part) => part.map((i) => records[i]));
      const gains = parts.slice(1).map((other) => {
        const both = [...parts[0], ...other];
        const ratio = joint([both], alpha, fitted) / joint([parts[0], other], alpha, fitted);
        return Math.log(ratio) - (both.length - 2) * Math.LN2;
      });
      const best = Math.max(...gains);
      const [grouping, entries] = arranged(parts, fitted);
      grouping.alpha = alpha;
      grouping.merge(grouping.list[0]);
      checkGrouping(grouping, entries);
      const [first, ...rest] = parts;
      const merged = rest.map((part, k) => (gains[k] === best ? [...part, ...first] : part));
      expect(partition(grouping).join(" | ")).toBe(named(best > 0 ? merged : parts));
      seen.add(best > 0);
    });
    fc.assert(property, { seed: 2, numRuns: 100 });
    expect(seen.size).toBe(2);
  });

  it("leaves sums that are not positive semidefinite apart", () => {
    const [grouping, entries] = arranged([of(0, 2, 4), [poison("x")], [poison("y")]], population);
    for (const group of [...grouping.list]) grouping.merge(group);
    expect(grouping.list.length).toBe(3);
    checkGrouping(grouping, entries);
  });
});

describe("a record that comes or goes", () => {
  it("is in a group of its own at first, and takes an empty group with it", () => {
    const records = range(3).map((i) => record(i, 5));
    const [grouping, entries] = arranged([[records[0], records[1]]], fittedTo(records, D));
    const entry = entryOf(records[2], entries[0].columns);
    new Evidence(D).value(entry, grouping.population.even);
    grouping.add(entry);
    expect(partition(grouping)).toEqual(["0 1", "2"]);
    checkGrouping(grouping, [...entries, entry]);
    grouping.leave(entries[0]);
    checkGrouping(grouping, [entries[1], entry]);
    grouping.leave(entry);
    expect(partition(grouping)).toEqual(["1"]);
  });
});

const SIX = 6;
const unit = (random: Random): number[] => {
  const theta = random.normals(new Float64Array(SIX));
  const length = Math.hypot(...theta);
  return Array.from(theta, (value) => value / length);
};

/** Sixty peers of so many kinds, each with a record of `count` observations; all of them alone. */
function strewn(seed: number, kinds: number, count: number): ReturnType<typeof arranged> {
  const thetas = range(kinds).map((kind) => unit(Random.seeded(1000 * seed + kind)));
  const records = range(60).map((i) =>
    recordOf(`${i}`, 1, look(Random.seeded(1000 * seed + 500 + i), thetas[i % kinds], count, 0.2), SIX),
  );
  return arranged(
    records.map((each) => [each]),
    fittedTo(records, SIX),
  );
}

/** How many records are in a group in which most are of another kind. */
const astray = (grouping: Grouping, kinds: number): number =>
  grouping.list
    .map(({ members }) => members.map((entry) => Number(entry.record.origin) % kinds))
    .map(
      (members) => members.length - Math.max(...range(kinds).map((k) => members.filter((kind) => kind === k).length)),
    )
    .reduce((sum, strangers) => sum + strangers, 0);

describe("score", () => {
  it("is the log prior of the partition and the values of its groups", () => {
    const records = range(5).map((i) => record(i, 4));
    const population = fittedTo(records, D);
    const parts = [records.slice(0, 2), records.slice(2, 5)];
    const [grouping] = arranged(parts, population);
    const values = parts.reduce((sum, part) => sum + valueTogether(part, population), 0);
    expect(grouping.score(5)).toBeCloseTo(lnPartition([2, 3], 5) + values, 9);
  });
});

describe("restart", () => {
  it.each([1, 2, 3, 4])("shows kinds where records are too short to join one at a time, seed %d", (seed) => {
    const [grouping, entries] = strewn(seed, 3, 5);
    const [others, same] = strewn(seed, 3, 5);
    const random = Random.seeded(seed);
    others.drawAlpha(60, random);
    for (const entry of same) others.place(entry, random);
    expect(others.list.length).toBeGreaterThan(20);
    const before = grouping.score(60);
    for (const _ of range(4)) allOf(grouping.restarting(entries, random));
    // A restart places each record given those before it only; the first ones are to be placed anew.
    for (const _ of range(2)) for (const entry of entries) grouping.place(entry, random);
    checkGrouping(grouping, entries);
    expect(grouping.score(60)).toBeGreaterThan(before);
    expect(grouping.list.length).toBeLessThanOrEqual(8);
    expect(astray(grouping, 3)).toBeLessThanOrEqual(6);
  });

  it.each([1, 5, 10, 40])("keeps all alone where all differ, after %d observations each", (count) => {
    for (const seed of range(10)) {
      const [grouping, entries] = strewn(seed, 60, count);
      const random = Random.seeded(seed);
      for (const _ of range(4)) allOf(grouping.restarting(entries, random));
      expect(grouping.list.length, `seed ${seed}`).toBe(60);
    }
  });

  it("changes nothing where the score is not higher", () => {
    const [grouping, entries] = strewn(1, 3, 20);
    const random = Random.seeded(1);
    for (const _ of range(8)) allOf(grouping.restarting(entries, random));
    expect(partition(grouping).length).toBe(3);
    expect(astray(grouping, 3)).toBe(0);
    const before = [...grouping.list];
    for (const _ of range(8)) allOf(grouping.restarting(entries, random));
    expect(grouping.list.length).toBe(3);
    for (const [k, group] of before.entries()) expect(grouping.list[k] === group).toBe(true);
    checkGrouping(grouping, entries);
  });

  it("leaves sums that are not positive semidefinite apart, and groups all others", () => {
    const [{ population }, sixty] = strewn(1, 3, 5);
    const [{ record: sound }] = sixty;
    const bad = { ...sound, origin: "x", count: 1e6, slot: sound.slot.map((sum) => -sum) };
    const [grouping, entries] = arranged([...sixty.map((entry) => [entry.record]), [bad]], population);
    const random = Random.seeded(3);
    for (const _ of range(8)) allOf(grouping.restarting(entries, random));
    expect(partition(grouping)).toContain("x");
    expect(grouping.list.length).toBeLessThanOrEqual(9);
    checkGrouping(grouping, entries);
  });
});
