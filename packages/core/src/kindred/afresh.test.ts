import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { checkSums, groupsFor, partition } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import type { Groups } from "./groups.ts";

const SIX = 6;
const unit = (random: Random): number[] => {
  const theta = random.normals(new Float64Array(SIX));
  const length = Math.hypot(...theta);
  return Array.from(theta, (value) => value / length);
};

/** Sixty peers of so many kinds, each with a record of `count` observations; all of them alone, in the order they came. */
function strewn(seed: number, kinds: number, count: number | ((i: number) => number), order = range(60)): Groups {
  const thetas = range(kinds).map((kind) => unit(Random.seeded(1000 * seed + kind)));
  const long = (i: number): number => (typeof count === "number" ? count : count(i));
  const records = range(60).map((i) =>
    recordOf(`${i}`, 1, look(Random.seeded(1000 * seed + 500 + i), thetas[i % kinds], long(i), 0.2), SIX),
  );
  const groups = groupsFor(records, SIX);
  for (const i of order) groups.take(records[i]);
  return groups;
}

/** How many records are in a group in which most are of another kind. */
const astray = (groups: Groups, kinds: number): number =>
  partition(groups)
    .map((members) => members.split(" ").map((origin) => Number(origin) % kinds))
    .map(
      (members) => members.length - Math.max(...range(kinds).map((kind) => members.filter((k) => k === kind).length)),
    )
    .reduce((sum, strangers) => sum + strangers, 0);

describe("Groups made afresh", () => {
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

  it.each([4, 5, 7, 8])("are not believed where they explain each record only a little better, seed %d", (seed) => {
    // After two observations each: a third and more would be put where they do not belong.
    const groups = strewn(seed, 3, 2);
    groups.afresh();
    expect(groups.list.length).toBe(60);
  });

  it("begin with the longest records, in whatever order they came", () => {
    let wrong = 0;
    for (const seed of [1, 2, 3, 4]) {
      const mixed = (i: number): number => 1 + ((7 * i) % 16);
      const groups = strewn(seed, 3, mixed);
      groups.afresh();
      wrong += astray(groups, 3);
      // No two of one length.
      const long = (i: number): number => 3 + ((7 * i) % 60);
      const [up, down] = [strewn(seed, 3, long), strewn(seed, 3, long, range(60).reverse())];
      up.afresh();
      down.afresh();
      expect(up.list.length).toBeLessThan(20);
      expect(partition(down)).toEqual(partition(up));
    }
    // 13; the shortest first 35.
    expect(wrong).toBeLessThanOrEqual(20);
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
