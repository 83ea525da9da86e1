import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { range } from "../testing/play.ts";
import { countCode } from "./countCode.ts";
import { compare, soonestFirst } from "./keeping.ts";
import { publish } from "./record.ts";
import { Shelf } from "./shelf.ts";

describe("the order in which records are kept", () => {
  it("is that of each two of them, and of equals that of their places", () => {
    const random = Random.seeded(2);
    for (const size of [0, 1, 5, 300]) {
      const counts = range(size).map(() => 1 + random.below(40));
      const shelf = Shelf.of(
        counts.map((count, k) => publish(`${k}`, 1, { slot: new Float64Array(2), squares: 0, count })),
      );
      for (const k of range(size)) {
        shelf.chance[k] = random.below(4) === 0 ? random.below(3) / 2 : 0;
        shelf.rank[k] = random.below(8) === 0 ? 0xffffffff : random.below(50) * 2 ** 26;
      }
      const least = countCode(10);
      const slowly = range(size).sort((a, b) => compare(shelf, least, a, b));
      expect(soonestFirst(shelf, least)).toEqual(slowly);
    }
  });
});
