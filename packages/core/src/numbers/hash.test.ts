import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { avalanche, hashText } from "./hash.ts";

describe("hashText", () => {
  it("is FNV-1a, stirred", () => {
    // FNV-1a of "a", from the tables of its authors.
    expect(hashText("a")).toBe(avalanche(0xe40c292c) >>> 0);
    expect(hashText("")).toBe(avalanche(0x811c9dc5) >>> 0);
    expect(hashText("foobar")).toBe(avalanche(0xbf9cf968) >>> 0);
  });

  it("gives other bits with another salt or step", () => {
    expect(new Set([hashText("peer"), hashText("peer", 1), hashText("peer", 0, 2)]).size).toBe(3);
  });
});

describe("avalanche", () => {
  it("moves about half of the bits, whichever is changed", () => {
    for (const bit of range(32)) {
      let moved = 0;
      for (const word of range(200)) {
        let changed = avalanche(word) ^ avalanche(word ^ (1 << bit));
        for (; changed !== 0; changed &= changed - 1) moved += 1;
      }
      expect(moved / 200, `bit ${bit}`).toBeGreaterThan(13);
      expect(moved / 200, `bit ${bit}`).toBeLessThan(19);
    }
  });

  it("takes no two words to one", () => {
    expect(new Set(range(100_000).map(avalanche)).size).toBe(100_000);
  });
});
