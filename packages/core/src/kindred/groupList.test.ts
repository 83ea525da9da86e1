import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { columnsFor, entryOf } from "../testing/grouping.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { Group } from "./group.ts";
import { GroupList } from "./groupList.ts";

const D = 6;
const records = range(5).map((i) =>
  recordOf(`${i}`, 1, look(Random.seeded(i), [1, -0.5, 0.3, 0, 0, 1], 1 + i, 0.4), D),
);
const columns = columnsFor(records[0]);

describe("worthTrying", () => {
  const list = range(30).map((k) => {
    const group = new Group();
    for (const i of range(k === 20 || k === 25 ? 50 : 1)) group.join(entryOf(records[i % 5], columns));
    group.take(0, new Float64Array(D).fill(k));
    return group;
  });
  const listOf = (groups: readonly Group[]): GroupList => {
    const all = new GroupList(columns);
    for (const group of groups) all.push(group);
    return all;
  };
  const tried = (of: GroupList, at: number, but: Group | null, look = 0): number[] => {
    const out: Group[] = [list[29]];
    const count = of.worthTrying(out, new Float64Array(D + 2).fill(at), 2, but, look);
    return out.slice(0, count).map((group) => list.indexOf(group));
  };

  it("tries the two largest and the four nearest of many", () => {
    const all = listOf(list);
    expect(tried(all, 3.1, null)).toEqual([20, 25, 3, 4, 2, 5]);
    // Of equals the first in the list.
    expect(tried(all, 22, null)).toEqual([20, 25, 22, 21, 23, 24]);
    expect(tried(all, 3.1, list[20])).not.toContain(20);
    expect(tried(all, 3.1, list[3])).not.toContain(3);
    expect(tried(all, 3.1, list[3]).length).toBe(6);
  });

  it("finds the same with what another grouping has measured", () => {
    const all = listOf(list);
    for (const at of [3.1, 22, 28]) {
      const alone = tried(all, at, null);
      expect(tried(all, at, null, 100 + at)).toEqual(alone);
      // Another grouping, with the same records alone.
      expect(tried(listOf(list.slice(1)), at, null, 100 + at)).toEqual(tried(listOf(list.slice(1)), at, null));
    }
  });

  it("knows who came, went, and has other members", () => {
    const all = listOf(list);
    all.remove(list[3]);
    expect(tried(all, 3.1, null)).toEqual([20, 25, 4, 2, 5, 1]);
    all.remove(list[20]);
    expect(tried(all, 3.1, null)).toEqual([25, 0, 4, 2, 5, 1]);
    all.push(list[3]);
    expect(tried(all, 3.1, null)).toEqual([25, 0, 3, 4, 2, 5]);
    const [one, other] = range(2).map((i) => entryOf(records[i], columns));
    const group = new Group();
    group.join(one);
    group.take(0, new Float64Array(D).fill(28.1));
    all.push(group);
    group.join(other);
    all.tell(group);
    const out: Group[] = [];
    all.worthTrying(out, new Float64Array(D), 0, null);
    expect(out[1]).toBe(group);
    group.leave(other);
    all.tell(group);
    all.worthTrying(out, new Float64Array(D), 0, null);
    expect(out[1]).toBe(list[0]);
  });

  it("tries all of a few, but one", () => {
    expect(tried(listOf(list.slice(0, 6)), 100, null)).toEqual(range(6));
    expect(tried(listOf(list.slice(0, 6)), 100, list[4])).toEqual([0, 1, 2, 3, 5]);
    for (const size of range(31)) expect(tried(listOf(list.slice(0, size)), 0, null).length).toBe(Math.min(size, 6));
  });
});

describe.each([3, 16, 17, 40])("the nearest with %d features", (dimension) => {
  const random = Random.seeded(dimension);
  const theta = new Array<number>(dimension).fill(1);
  const record = recordOf("one", 1, look(random, theta, 2, 0.4), dimension);
  const columns = columnsFor(record);
  const centres = range(60).map(() => random.normals(new Float64Array(dimension)));
  // Every third is of several, so that its centre stands elsewhere.
  const groups = centres.map((centre, k) => {
    const group = new Group();
    for (const _ of range(k % 3 === 0 ? 2 : 1)) group.join(entryOf(record, columns));
    group.take(0, centre);
    return group;
  });
  const list = new GroupList(columns);
  for (const group of groups) list.push(group);

  it("are those that lie nearest, whoever measured them before", () => {
    const out: Group[] = [];
    for (const asked of range(20)) {
      const from = random.normals(new Float64Array(dimension));
      const squares = centres.map((centre) => centre.reduce((sum, value, i) => sum + (value - from[i]) ** 2, 0));
      const nearest = range(60)
        .filter((k) => k !== 0 && k !== 3)
        .sort((a, b) => squares[a] - squares[b]);
      for (const _ of range(2)) {
        expect(list.worthTrying(out, from, 0, null, -1 - asked - 100 * dimension)).toBe(6);
        expect(out.map((group) => groups.indexOf(group))).toEqual([0, 3, ...nearest.slice(0, 4)]);
      }
    }
  });
});
