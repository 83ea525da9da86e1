import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf, WantList } from "./wantList.ts";

/** Few names, so that some are the same. */
const pairs = fc.array(fc.tuple(fc.oneof(fc.nat(20), fc.nat((1 << 20) - 1)), fc.nat(255)), { maxLength: 100 });

describe("a list of wants", () => {
  it("holds what a map would, in ascending order: of records that are called the same the last one counts", () => {
    const property = fc.property(pairs, (told) => {
      const entries = Int32Array.from(told, ([called, want]) => entryOf(called, want));
      const map = new Map(told);
      const ordered = [...map].sort(([a], [b]) => a - b);
      for (const list of [WantList.from(entries, told.length), WantList.of(map)]) {
        expect([...list]).toEqual(ordered);
        expect(list.size).toBe(map.size);
        for (const called of [0, 7, ...map.keys()]) {
          expect(list.get(called)).toBe(map.get(called));
          expect(list.has(called)).toBe(map.has(called));
        }
      }
    });
    fc.assert(property, { seed: 3, numRuns: 300 });
  });

  it("keeps no hold of the numbers it was made from", () => {
    const entries = Int32Array.of(entryOf(5, 1), entryOf(3, 2), entryOf(9, 9));
    const list = WantList.from(entries, 2);
    entries.fill(0);
    expect([...list]).toEqual([
      [3, 2],
      [5, 1],
    ]);
  });
});
