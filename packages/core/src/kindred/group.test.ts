import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { Group, worthTrying } from "./group.ts";

const D = 3;

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
