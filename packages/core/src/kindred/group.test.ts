import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { entryOf } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Group, type GroupEntry, worthTrying } from "./group.ts";

const D = 3;
const entry = (i: number, version = 1): GroupEntry =>
  entryOf(recordOf(`${i}`, version, look(Random.seeded(i).fork(version), [1, -0.5, 0.3], 1 + (i % 5), 0.4), D));

const groupOf = (entries: readonly GroupEntry[]): Group => {
  const group = new Group(D);
  for (const each of entries) group.join(each);
  return group;
};

describe("Group", () => {
  it("has the sums of its members in their order, to the bit, whoever came and went", () => {
    const entries = range(8).map((i) => entry(i));
    const property = fc.property(fc.array(fc.nat(7), { maxLength: 40 }), (acts) => {
      const group = new Group(D);
      for (const i of acts) {
        if (group.members.includes(entries[i])) group.leave(entries[i]);
        else group.join(entries[i]);
        const anew = groupOf(group.members);
        expect(group.size).toBe(group.members.length);
        expect(group.slot).toEqual(anew.slot);
        expect([group.weighted, group.count, group.key]).toEqual([anew.weighted, anew.count, anew.key]);
      }
    });
    fc.assert(property, { seed: 1, numRuns: 200 });
  });

  it("adds up sums and counts, each with the weight of its record", () => {
    const [a, b] = [entry(1), entry(3)];
    b.weigh(0.25);
    const group = groupOf([a, b]);
    expect(group.slot).toEqual(a.record.slot.map((sum, k) => sum + 0.25 * b.record.slot[k]));
    expect([group.count, group.weighted]).toEqual([6, 3]);
  });

  it("sums up anew when a member has another version", () => {
    const [a, b] = [entry(1), entry(2)];
    const group = groupOf([a, b]);
    a.record = entry(1, 2).record;
    a.weigh(1);
    group.sum();
    expect(group.slot).toEqual(groupOf([entry(1, 2), b]).slot);
    expect(group.members).toEqual([a, b]);
  });

  it("has a key that tells the records, and not their order", () => {
    const key = (...entries: GroupEntry[]): number => groupOf(entries).key;
    expect(key(entry(1), entry(2), entry(3))).toBe(key(entry(3), entry(1), entry(2)));
    const others = [key(), key(entry(1)), key(entry(1, 2)), key(entry(1), entry(2)), key(entry(1, 2), entry(2, 2))];
    expect(new Set(others).size).toBe(others.length);
  });
});

describe("worthTrying", () => {
  const list = range(30).map((k) => {
    const group = groupOf(range(k === 20 || k === 25 ? 50 : 1).map((i) => entry(i % 5)));
    group.centre.fill(k);
    return group;
  });
  const tried = (of: Group[], at: number, but: Group | null): number[] => {
    const out: Group[] = [list[29]];
    const count = worthTrying(out, of, new Float64Array(D).fill(at), but);
    return out.slice(0, count).map((group) => list.indexOf(group));
  };

  it("tries the two largest and the four nearest of many", () => {
    expect(tried(list, 3.1, null)).toEqual([20, 25, 3, 4, 2, 5]);
    // Of equals the first in the list.
    expect(tried(list, 22, null)).toEqual([20, 25, 22, 21, 23, 24]);
    expect(tried(list, 3.1, list[20])).not.toContain(20);
    expect(tried(list, 3.1, list[3])).not.toContain(3);
    expect(tried(list, 3.1, list[3]).length).toBe(6);
  });

  it("tries all of a few, but one", () => {
    expect(tried(list.slice(0, 6), 100, null)).toEqual(range(6));
    expect(tried(list.slice(0, 6), 100, list[4])).toEqual([0, 1, 2, 3, 5]);
    for (const size of range(31)) expect(tried(list.slice(0, size), 0, null).length).toBe(Math.min(size, 6));
  });
});
