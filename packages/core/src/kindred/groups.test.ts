import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { checkSums, groupsFor, partition } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { Evidence } from "./evidence.ts";
import type { Group } from "./group.ts";
import type { Groups } from "./groups.ts";
import type { Record } from "./record.ts";

const D = 3;
const KINDS = [
  [1, 0.5, -1],
  [-1, 0.5, 1],
];

/** The record of peer i, of cluster i mod 2. */
const record = (i: number, version: number, count: number): Record =>
  recordOf(`${i}`, version, look(Random.seeded(i).fork(version), KINDS[i % 2], count, 0.4), D);

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

/** Twenty peers from `from` on, put into groups for a while. */
function groupsOf(from: number, count: number): Groups {
  const records = range(20).map((i) => record(from + i, 1, count));
  const groups = groupsFor(records, D);
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

  it("joins a piece of its kind where the kind is still in pieces, none of which has half of the weight", () => {
    const records = range(5).map((i) => record(2 * i, 1, 30));
    const groups = groupsFor([...records, ...range(5).map((i) => record(2 * i + 1, 1, 30))], D);
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
      const [groups, others] = [groupsFor(records, D), groupsFor(records, D)];
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
    const groups = groupsFor([...records, odd], D);
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
      const groups = groupsFor(
        range(6).map((i) => record(i, 1, 5)),
        D,
      );
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
    const groups = groupsFor(records, D);
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
    const groups = groupsFor([record(0, 1, 10)], D);
    groups.take(record(0, 1, 10));
    const newer = record(0, 2, 25);
    groups.take(newer);
    expect(groups.list.map(({ size, count }) => [size, count])).toEqual([[1, 25]]);
    expect(groups.list[0].slot).toEqual(newer.slot);
  });

  it("gives chances that sum to one", () => {
    const records = range(8).map((i) => record(i, 1, 3));
    const groups = groupsFor(records, D);
    expect(groups.weigh(records[0])).toMatchObject({ alone: 1, chances: [], groups: [] });
    for (const each of records) groups.take(each);
    const { alone, chances } = groups.weigh(record(30, 1, 2));
    expect(chances.length).toBe(groups.list.length);
    expect(chances.reduce((sum, chance) => sum + chance, alone)).toBeCloseTo(1, 12);
  });
});
