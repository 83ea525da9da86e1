import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { type Complain, Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import { checkSums, groupingsFor, partition } from "../testing/grouping.ts";
import { gauss, look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { Group } from "./group.ts";
import type { Groupings } from "./groupings.ts";
import type { PeerRecord } from "./record.ts";

const D = 3;
const KINDS = [
  [1, 0.5, -1],
  [-1, 0.5, 1],
];

/** The record of peer i, of cluster i mod 2. */
const record = (i: number, version: number, count: number): PeerRecord =>
  recordOf(`${i}`, version, look(Random.seeded(i).fork(version), KINDS[i % 2], count, 0.4), D);

const recordsOf = ({ entries }: Groupings): PeerRecord[] => Array.from(entries.values(), (entry) => entry.record);

function settle(groupings: Groupings, rounds: number): void {
  for (const round of range(rounds)) {
    groupings.sweep(8);
    if (round % 8 === 0) allOf(groupings.restarting(round / 8));
    allOf(groupings.population.fitting(recordsOf(groupings), 1));
    groupings.revalue();
  }
}

/** Twenty peers from `from` on, put into groups for a while. */
function twenty(from: number, count: number): Groupings {
  const records = range(20).map((i) => record(from + i, 1, count));
  const groupings = groupingsFor(records, D);
  groupings.take(records);
  settle(groupings, 60);
  return groupings;
}

const partitions = ({ all }: Groupings): string[][] => all.map(partition);

const complain: Complain = (_, field, value, bound) => new ConfigError(field, value, bound);

function bytesOf(groupings: Groupings): Uint8Array {
  const out = new Writer();
  groupings.population.write(out);
  groupings.write(out);
  return out.bytes();
}

function copyOf(groupings: Groupings): Groupings {
  const from = new Reader(bytesOf(groupings), complain);
  const copy = groupingsFor([], D);
  copy.population.read(from);
  copy.read(from);
  from.end("groupings");
  return copy;
}

describe("Groupings", () => {
  it.each([0, 100, 200, 300])("find two clusters, from long records of seed %d", (from) => {
    const groupings = twenty(from, 40);
    // Each is a draw: now and then one record is elsewhere for a while.
    for (const { list } of groupings.all) {
      const sizes = list.map(({ size }) => size).sort((a, b) => b - a);
      expect(sizes[0] + sizes[1]).toBeGreaterThanOrEqual(19);
      for (const { members } of list.filter(({ size }) => size > 1)) {
        expect(new Set(members.map(({ record: { origin } }) => Number(origin) % 2)).size).toBe(1);
      }
    }
    const own = new Set(groupings.entries.get(`${from + 1}`)!.groups);
    const chance = groupings
      .weigh(record(from + 21, 1, 40), 1)
      .reduce((sum, each) => sum + (own.has(each.group) ? each.chance : 0), 0);
    expect(chance).toBeGreaterThan(0.85);
  });

  it.each([0, 100, 200, 300])("mix no clusters, and leave few outside, from short records of seed %d", (from) => {
    const { all } = twenty(from, 15);
    let outside = 0;
    for (const { list } of all) {
      for (const { members } of list) {
        expect(new Set(members.map((entry) => Number(entry.record.origin) % 2)).size).toBe(1);
      }
      const sizes = list.map(({ size }) => size).sort((a, b) => b - a);
      outside += (20 - sizes[0] - sizes[1]) / all.length;
    }
    // On average: each is a draw, in which now and then a piece is on its own.
    expect(outside).toBeLessThanOrEqual(3);
  });

  it("leave one who is like nobody alone", () => {
    const odd = recordOf("99", 1, look(Random.seeded(77), [0, -2, 0], 40, 0.4), D);
    const records = [...range(12).map((i) => record(i, 1, 40)), odd];
    const groupings = groupingsFor(records, D);
    groupings.take(records);
    settle(groupings, 60);
    for (const each of partitions(groupings)) expect(each).toContain("99");
  });

  it("are several, and differ where records do not tell", () => {
    const groupings = twenty(0, 3);
    expect(groupings.all.length).toBeGreaterThan(1);
    expect(new Set(partitions(groupings).map((each) => each.join())).size).toBeGreaterThan(1);
  });

  it("average what each of them says", () => {
    const groupings = twenty(0, 4);
    const stranger = record(31, 1, 4);
    const found = groupings.weigh(stranger, 1);
    const alone = groupingsFor([], D);
    expect(alone.weigh(stranger, 1)).toEqual([]);
    // The same value and centre as a record of the view would have.
    groupings.take([stranger]);
    groupings.refresh();
    const entry = groupings.entries.get("31")!;
    groupings.drop(["31"]);
    const expected = groupings.all.flatMap((grouping) => {
      const { count, groups, chances } = grouping.weigh(entry, null, grouping.alpha + 20);
      return groups.slice(0, count).map((group, k) => ({ group, chance: chances[k] / groupings.all.length }));
    });
    expect(found.map(({ chance }) => chance)).toEqual(expected.map(({ chance }) => chance));
    expect(found.every(({ group }, k) => group === expected[k].group)).toBe(true);
    expect(found.reduce((sum, { chance }) => sum + chance, 0)).toBeLessThan(1);
  });

  it("keep sums and members right, whatever happens", () => {
    const act = fc.record({
      kind: fc.constantFrom("take", "take", "take", "drop", "sweep", "place", "restart", "refit"),
      peer: fc.nat(11),
      count: fc.integer({ min: 1, max: 30 }),
    });
    const property = fc.property(fc.array(act, { minLength: 5, maxLength: 60 }), (acts) => {
      const groupings = groupingsFor(
        range(6).map((i) => record(i, 1, 5)),
        D,
      );
      const held = new Map<string, PeerRecord>();
      acts.forEach(({ kind, peer, count }, k) => {
        if (kind === "take") {
          // Two at once, of which one may be in the group of the other.
          const taken = [record(peer, k + 1, count), record((peer + 2) % 12, k + 1, count)];
          groupings.take(taken);
          for (const each of taken) held.set(each.origin, each);
        } else if (kind === "drop") {
          groupings.drop([`${peer}`]);
          held.delete(`${peer}`);
        } else if (kind === "sweep") groupings.sweep(count);
        else if (kind === "place") groupings.place([`${peer}`]);
        else if (kind === "restart") allOf(groupings.restarting(k));
        else {
          allOf(groupings.population.fitting(recordsOf(groupings), 1));
          groupings.revalue();
        }
        checkSums(groupings);
      });
      expect(new Map([...groupings.entries].map(([origin, entry]) => [origin, entry.record]))).toEqual(held);
    });
    fc.assert(property, { seed: 4, numRuns: 60 });
  });

  it("put a newer version in the place of the older", () => {
    const groupings = twenty(0, 40);
    const before = partitions(groupings);
    const newer = record(4, 2, 60);
    groupings.take([newer]);
    expect(partitions(groupings)).toEqual(before);
    expect(groupings.entries.get("4")!.record).toBe(newer);
    checkSums(groupings);
  });

  it("place records in turn: all of them in as many sweeps as it takes", () => {
    // Two kinds, long records, all alone: who is placed joins somebody.
    const records = range(12).map((i) => record(i, 1, 60));
    const groupings = groupingsFor(records, D);
    groupings.take(records);
    const alone = (): number =>
      Math.max(...groupings.all.map(({ list }) => list.filter(({ size }) => size < 2).length));
    for (const _ of range(2)) groupings.sweep(6);
    expect(alone()).toBeLessThanOrEqual(3);
  });

  it("keep sums that are not positive semidefinite apart from everybody", () => {
    const records = range(12).map((i) => record(i, 1, 40));
    const groupings = groupingsFor(records, D);
    const slot = new Float64Array(records[0].slot.length);
    // Small enough to look sound once it is added to a group.
    slot[0] = slot[2] = slot[5] = -20;
    const poison = ["97", "98"].map((origin) => ({ ...records[0], origin, slot }));
    groupings.take([poison[0], ...records.slice(0, 6), poison[1], ...records.slice(6)]);
    settle(groupings, 60);
    checkSums(groupings);
    for (const each of partitions(groupings)) {
      expect(each).toEqual(expect.arrayContaining(["97", "98"]));
      expect(each.length).toBeLessThanOrEqual(5);
    }
    expect(groupings.weigh(poison[0], 1)).toEqual([]);
    const total = groupings.weigh(record(20, 1, 40), 1).reduce((sum, { chance }) => sum + chance, 0);
    expect(total).toBeGreaterThan(0.9);
    expect(total).toBeLessThanOrEqual(1 + 1e-12);
  });
});

describe("how much members of groups differ", () => {
  it.each([1, 2, 3])("is learnt from the groups that one may be in, seed %d", (seed) => {
    // Even peers share a θ, odd ones have similar ones; each kind is a group.
    const random = Random.seeded(seed);
    const records = range(30).map((i) => {
      const theta = i % 2 === 0 ? KINDS[0] : gauss(random, KINDS[1], 0.15);
      return recordOf(`${i}`, 1, look(random, theta, 40, 0.4), D);
    });
    const groupings = groupingsFor(records, D);
    groupings.take(records);
    groupings.refresh();
    const [first] = groupings.all;
    const groups = range(2).map((kind) => {
      const group = new Group();
      for (const entry of groupings.list) {
        if (Number(entry.record.origin) % 2 !== kind) continue;
        entry.groups[0] = group;
        group.join(entry);
      }
      first.value(group);
      return group;
    });
    first.clear();
    for (const group of groups) first.push(group);
    const learnt = (mine: number): number => {
      groupings.believed = new Map(groups.map((group, kind) => [group, kind === mine ? 0.5 : 0]));
      // The second grouping is made anew, the first one is looked at.
      allOf(groupings.restarting(1));
      return groupings.spread.chance;
    };
    expect(learnt(1)).toBeGreaterThan(0.99);
    expect(learnt(0)).toBeLessThan(0.05);
    // Where one is in no group, it is nothing.
    expect(learnt(2)).toBe(0);
  });
});

describe("another population", () => {
  it("leaves nothing known of any record, alone or not", () => {
    const groupings = twenty(0, 15);
    for (const entry of groupings.list) entry.apart = 1;
    expect(groupings.list.some((entry) => groupings.all.every(({ index }) => entry.groups[index].size > 1))).toBe(true);
    groupings.revalue();
    for (const entry of groupings.list) expect(entry.apart).toBe(Number.NaN);
  });
});

describe("a snapshot of groupings", () => {
  it.each([1, 3, 15])("goes on as they would have, to the bit, with %d observations a record", (count) => {
    const groupings = twenty(0, count);
    groupings.drop(["3"]);
    groupings.take([record(4, 2, count + 1), record(40, 1, count)]);
    // So that the sweep stands in the middle of the records.
    groupings.sweep(3);
    const copy = copyOf(groupings);
    checkSums(copy);
    expect(bytesOf(copy)).toEqual(bytesOf(groupings));
    for (const each of [groupings, copy]) {
      each.place(["5"]);
      settle(each, 10);
      each.take([record(41, 1, count), record(7, 2, count)]);
      each.place(["41"]);
      settle(each, 10);
    }
    expect(bytesOf(copy)).toEqual(bytesOf(groupings));
    expect(copy.weigh(record(31, 1, 4), 1).map(({ chance }) => chance)).toEqual(
      groupings.weigh(record(31, 1, 4), 1).map(({ chance }) => chance),
    );
  });

  it("has draws that follow from what came before and nothing else", () => {
    expect(bytesOf(twenty(0, 3))).toEqual(bytesOf(twenty(0, 3)));
  });
});
