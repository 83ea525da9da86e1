import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { entryOf } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Group, type GroupEntry } from "./group.ts";

const D = 3;
const entry = (i: number, version = 1): GroupEntry =>
  entryOf(recordOf(`${i}`, version, look(Random.seeded(i).fork(version), [1, -0.5, 0.3], 1 + (i % 5), 0.4), D));

const groupOf = (entries: readonly GroupEntry[]): Group => {
  const group = new Group();
  for (const each of entries) group.join(each);
  return group;
};

describe("Group", () => {
  it("has the sums of its members in their order, to the bit, whoever came and went", () => {
    const entries = range(8).map((i) => entry(i));
    const property = fc.property(fc.array(fc.nat(7), { maxLength: 40 }), (acts) => {
      const group = new Group();
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
