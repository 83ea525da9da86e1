import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Evidence } from "./evidence.ts";
import { Group, worthTrying } from "./group.ts";
import { Groups } from "./groups.ts";
import { Population } from "./population.ts";
import type { Record } from "./record.ts";

const D = 3;
const KINDS = [
  [1, 0.5, -1],
  [-1, 0.5, 1],
];

/** The record of peer i, of cluster i mod 2. */
const record = (i: number, version: number, count: number): Record =>
  recordOf(`${i}`, version, look(Random.seeded(i).fork(version), KINDS[i % 2], count, 0.4), D);

const makeGroups = (records: readonly Record[], dimension = D): Groups => {
  const population = new Population(dimension);
  population.fit(records, 5);
  return new Groups(dimension, population);
};

/** Group sums are those of their members, values those of the sums, and nobody is in a group that is not listed. */
function checkSums({ list, entries, population, dimension }: Groups): void {
  const evidence = new Evidence(dimension);
  for (const group of list) {
    const members = [...entries.values()].filter((entry) => entry.group === group).map((entry) => entry.record);
    expect(group.size).toBe(members.length);
    expect(members.length).toBeGreaterThan(0);
    const sum = new Group(dimension);
    for (const member of members) sum.add(member, 1);
    expect(relativeGap(group.slot, sum.slot)).toBeLessThan(1e-9);
    expect(relativeGap([group.squares, group.count], [sum.squares, sum.count])).toBeLessThan(1e-9);
    const value = evidence.of(sum.slot, population.prior, population.noise);
    expect(relativeGap([group.value], [value])).toBeLessThan(1e-7);
  }
  for (const { group } of entries.values()) expect(list).toContain(group);
}

/** Moves a record into a group, whatever it fits. */
function joinBy({ entries, list }: Groups, origin: string, group: Group): void {
  const entry = entries.get(origin)!;
  list.splice(list.indexOf(entry.group!), 1);
  entry.group = group;
}

const settle = (groups: Groups, rounds: number): void => {
  for (let round = 0; round < rounds; round++) {
    groups.sweep(8);
    for (const k of range(4)) groups.merge((4 * round + k) % groups.list.length);
    groups.population.fit(
      Array.from(groups.entries.values(), ({ record }) => record),
      1,
    );
    groups.revalue();
  }
};

const partition = ({ list, entries }: Groups): string[] =>
  list
    .map((group) => [...entries].filter(([, entry]) => entry.group === group).map(([origin]) => origin))
    .map((origins) => origins.sort((a, b) => Number(a) - Number(b)).join(" "))
    .sort();

/** Twenty peers from `from` on, put into groups for a while. */
function groupsOf(from: number, count: number): Groups {
  const records = range(20).map((i) => record(from + i, 1, count));
  const groups = makeGroups(records);
  for (const each of records) groups.take(each);
  settle(groups, 60);
  return groups;
}

const kind = (from: number, which: number): string =>
  range(20)
    .filter((i) => i % 2 === which)
    .map((i) => from + i)
    .join(" ");

describe("Groups", () => {
  it.each([0, 100, 200, 300])("finds two clusters, from long records, of seed %d", (from) => {
    const groups = groupsOf(from, 40);
    expect(partition(groups)).toEqual([kind(from, 0), kind(from, 1)].sort());
    const found = groups.weigh(record(from + 21, 1, 40));
    const chance = found.chances[found.groups.indexOf(groups.entries.get(`${from + 1}`)!.group!)];
    expect(chance).toBeGreaterThan(0.95);
  });

  it.each([0, 100, 200, 300])("mixes no clusters, and leaves few outside, from short records of seed %d", (from) => {
    const groups = groupsOf(from, 15);
    for (const members of partition(groups)) {
      expect(new Set(members.split(" ").map((origin) => Number(origin) % 2)).size).toBe(1);
    }
    const sizes = groups.list.map(({ size }) => size).sort((a, b) => b - a);
    expect(sizes[0] + sizes[1]).toBeGreaterThanOrEqual(18);
  });

  describe("made afresh", () => {
    const SIX = 6;
    const unit = (random: Random): number[] => {
      const theta = random.normals(new Float64Array(SIX));
      const length = Math.hypot(...theta);
      return Array.from(theta, (value) => value / length);
    };
    /** Sixty peers of so many kinds, each with a record of `count` observations; all of them alone. */
    const strewn = (seed: number, kinds: number, count: number): Groups => {
      const thetas = range(kinds).map((kind) => unit(Random.seeded(1000 * seed + kind)));
      const records = range(60).map((i) =>
        recordOf(`${i}`, 1, look(Random.seeded(1000 * seed + 500 + i), thetas[i % kinds], count, 0.2), SIX),
      );
      const groups = makeGroups(records, SIX);
      for (const each of records) groups.take(each);
      return groups;
    };
    /** How many records are in a group in which most are of another kind. */
    const astray = (groups: Groups, kinds: number): number =>
      partition(groups)
        .map((members) => members.split(" ").map((origin) => Number(origin) % kinds))
        .map(
          (members) =>
            members.length - Math.max(...range(kinds).map((kind) => members.filter((k) => k === kind).length)),
        )
        .reduce((sum, strangers) => sum + strangers, 0);

    it.each([1, 2, 3, 4])("show kinds where records are too short to be joined well one at a time, seed %d", (seed) => {
      const [groups, others] = [strewn(seed, 3, 5), strewn(seed, 3, 5)];
      others.sweep(60);
      expect(others.list.length).toBeGreaterThan(20);
      groups.afresh();
      checkSums(groups);
      expect(groups.list.length).toBeLessThanOrEqual(8);
      expect(astray(groups, 3)).toBeLessThanOrEqual(6);
      expect([...groups.entries.keys()]).toEqual(range(60).map(String));
    });

    it.each([1, 5, 10, 40])("are none where all differ, after %d observations each", (count) => {
      for (const seed of range(10)) {
        const groups = strewn(seed, 60, count);
        groups.afresh();
        expect(groups.list.length, `seed ${seed}`).toBe(60);
      }
    });

    it("take the place of others only where they are better by far", () => {
      const groups = strewn(1, 3, 20);
      for (let k = 0; k < 20; k++) groups.sweep(60);
      const before = [...groups.list];
      expect(astray(groups, 3)).toBe(0);
      groups.afresh();
      expect(groups.list.length).toBe(before.length);
      for (const [k, group] of before.entries()) expect(groups.list[k]).toBe(group);
    });

    it("leave sums that nobody can have seen apart, and are made for all others", () => {
      const groups = strewn(1, 3, 5);
      const { record } = groups.entries.get("0")!;
      groups.take({ ...record, origin: "x", count: 1e6, slot: record.slot.map((sum) => -sum) });
      groups.afresh();
      expect(partition(groups)).toContain("x");
      expect(groups.list.length).toBeLessThanOrEqual(9);
    });
  });

  it("joins a piece of its kind where the kind is still in pieces, none of which has half of the weight", () => {
    const records = range(5).map((i) => record(2 * i, 1, 30));
    const groups = makeGroups([...records, ...range(5).map((i) => record(2 * i + 1, 1, 30))]);
    const [newcomer, ...pieces] = records;
    for (const piece of pieces) groups.take(piece);
    const { chances, alone } = groups.weigh(newcomer);
    expect(alone).toBeLessThan(0.1);
    expect(Math.max(...chances)).toBeLessThan(0.5);
    groups.take(newcomer);
    groups.put(newcomer.origin);
    expect(groups.list.map(({ size }) => size).sort()).toEqual([1, 1, 1, 2]);
  });

  it("weighs a group by its size and the Bayes factor, and belonging to none of K groups by K + 1", () => {
    const groups = groupsOf(0, 15);
    const stranger = record(21, 1, 5);
    const { alone, chances, groups: tried } = groups.weigh(stranger);
    const { prior, noise } = groups.population;
    const value = (slot: Float64Array): number => new Evidence(D).of(slot, prior, noise);
    const weights = tried.map((group) => {
      const together = group.slot.map((sum, k) => sum + stranger.slot[k]);
      return group.size * Math.exp(value(together) - value(group.slot));
    });
    const none = (groups.list.length + 1) * Math.exp(value(stranger.slot));
    const total = weights.reduce((a, b) => a + b, none);
    expect(tried.length).toBeGreaterThan(1);
    expect(
      relativeGap(
        [alone, ...chances],
        [none, ...weights].map((weight) => weight / total),
      ),
    ).toBeLessThan(1e-9);
    const given = groups.weigh(stranger, 7);
    const seven = (none / (groups.list.length + 1)) * 7;
    expect(relativeGap([given.alone], [seven / (total - none + seven)])).toBeLessThan(1e-9);
  });

  it("puts a record where it would belong had it been in no group", () => {
    const property = fc.property(fc.nat(), fc.integer({ min: 2, max: 20 }), (seed, count) => {
      const records = range(16).map((i) => record(16 * (seed % 1000) + i, 1, count));
      const [groups, others] = [makeGroups(records), makeGroups(records)];
      for (const each of records) groups.take(each);
      settle(groups, 1);
      const moved = records[seed % 16];
      // The same records in the same groups, all but one: what is said of it there is what must become of it here.
      const places = groups.list.map((group) =>
        records.filter(({ origin }) => groups.entries.get(origin)?.group === group),
      );
      for (const place of places) {
        const kept = place.filter((each) => each !== moved);
        for (const each of kept) others.take(each);
        const first = kept.length > 0 ? others.entries.get(kept[0].origin)!.group! : null;
        for (const { origin } of kept.slice(1)) joinBy(others, origin, first!);
      }
      Object.assign(others.population, { noise: groups.population.noise, ridge: groups.population.ridge });
      others.population.mean.set(groups.population.mean);
      others.population.prior.setRidge(groups.population.prior.ridge);
      others.revalue();
      const { alone, chances, groups: tried } = others.weigh(moved);
      const best = chances.indexOf(Math.max(...chances));
      groups.put(moved.origin);
      const now = groups.entries.get(moved.origin)!.group!;
      const beside = [...groups.entries].filter(([origin, entry]) => entry.group === now && origin !== moved.origin);
      const expected = alone < 0.5 ? [...others.entries].filter(([, entry]) => entry.group === tried[best]) : [];
      expect(beside.map(([origin]) => origin)).toEqual(expected.map(([origin]) => origin));
    });
    fc.assert(property, { seed: 5, numRuns: 300 });
  });

  it("leaves one who is like nobody alone", () => {
    const records = range(12).map((i) => record(i, 1, 40));
    const odd = recordOf("odd", 1, look(Random.seeded(77), [0, -2, 0], 40, 0.4), D);
    const groups = makeGroups([...records, odd]);
    for (const each of [...records, odd]) groups.take(each);
    settle(groups, 60);
    expect(partition(groups)).toContain("odd");
    expect(groups.list.length).toBe(3);
  });

  it("keeps group sums the sums of the members, whatever happens", () => {
    const act = fc.record({
      kind: fc.constantFrom("take", "take", "take", "drop", "sweep", "merge", "afresh", "revalue"),
      peer: fc.nat(11),
      count: fc.integer({ min: 1, max: 30 }),
    });
    const property = fc.property(fc.array(act, { minLength: 5, maxLength: 60 }), (acts) => {
      const groups = makeGroups(range(6).map((i) => record(i, 1, 5)));
      const held = new Map<string, Record>();
      acts.forEach(({ kind, peer, count }, k) => {
        if (kind === "take") {
          const taken = record(peer, k + 1, count);
          groups.take(taken);
          held.set(taken.origin, taken);
        } else if (kind === "drop") {
          groups.drop(`${peer}`);
          held.delete(`${peer}`);
        } else if (kind === "sweep") groups.sweep(count);
        else if (kind === "revalue") groups.revalue();
        else if (kind === "afresh") groups.afresh();
        else if (groups.list.length > 0) groups.merge(peer % groups.list.length);
        checkSums(groups);
      });
      expect(new Map([...groups.entries].map(([origin, entry]) => [origin, entry.record]))).toEqual(held);
    });
    fc.assert(property, { seed: 4, numRuns: 60 });
  });

  it("keeps sums that nobody can have seen apart from everybody", () => {
    const records = range(12).map((i) => record(i, 1, 40));
    const groups = makeGroups(records);
    const slot = new Float64Array(records[0].slot.length);
    // Small enough to look sound once it is added to a group.
    slot[0] = slot[2] = slot[5] = -20;
    const poison = ["x", "y"].map((origin) => ({ ...records[0], origin, slot }));
    for (const each of [poison[0], ...records.slice(0, 6), poison[1], ...records.slice(6)]) groups.take(each);
    settle(groups, 60);
    expect(partition(groups)).toEqual(["0 2 4 6 8 10", "1 3 5 7 9 11", "x", "y"]);
    const { alone, chances } = groups.weigh(record(20, 1, 40));
    expect(chances.reduce((sum, chance) => sum + chance, alone)).toBeCloseTo(1, 12);
    expect(groups.weigh(poison[0])).toMatchObject({ alone: 1, chances: [] });
    expect(groups.population.noise).toBeGreaterThan(0.1);
  });

  it("puts a newer version in the place of the older", () => {
    const groups = makeGroups([record(0, 1, 10)]);
    groups.take(record(0, 1, 10));
    const newer = record(0, 2, 25);
    groups.take(newer);
    expect(groups.list.map(({ size, count }) => [size, count])).toEqual([[1, 25]]);
    expect(groups.list[0].slot).toEqual(newer.slot);
  });

  it("gives chances that sum to one", () => {
    const records = range(8).map((i) => record(i, 1, 3));
    const groups = makeGroups(records);
    expect(groups.weigh(records[0])).toMatchObject({ alone: 1, chances: [], groups: [] });
    for (const each of records) groups.take(each);
    const { alone, chances } = groups.weigh(record(30, 1, 2));
    expect(chances.length).toBe(groups.list.length);
    expect(chances.reduce((sum, chance) => sum + chance, alone)).toBeCloseTo(1, 12);
  });
});

describe("worthTrying", () => {
  const list = range(30).map((k) => {
    const group = new Group(D);
    group.centre.fill(k);
    group.size = k === 20 || k === 25 ? 50 : 1;
    return group;
  });
  const tried = (of: Group[], at: number, but: Group | null): number[] => {
    const out: Group[] = [list[29]];
    worthTrying(out, of, new Float64Array(D).fill(at), but);
    return out.map((group) => list.indexOf(group));
  };

  it("tries the two largest and the six nearest of many", () => {
    expect(tried(list, 3.1, null)).toEqual([20, 25, 3, 4, 2, 5, 1, 6]);
    // Of equals the first in the list.
    expect(tried(list, 22, null)).toEqual([20, 25, 22, 21, 23, 24, 19, 18]);
    expect(tried(list, 3.1, list[20])).not.toContain(20);
    expect(tried(list, 3.1, list[3])).not.toContain(3);
    expect(tried(list, 3.1, list[3]).length).toBe(8);
  });

  it("tries all of a few, but one", () => {
    expect(tried(list.slice(0, 8), 100, null)).toEqual(range(8));
    expect(tried(list.slice(0, 8), 100, list[4])).toEqual([0, 1, 2, 3, 5, 6, 7]);
    for (const size of range(31)) expect(tried(list.slice(0, size), 0, null).length).toBe(Math.min(size, 8));
  });
});
