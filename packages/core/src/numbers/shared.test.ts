import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { sharedBytes, sharedIntegers, sharedNumbers } from "./shared.ts";

describe.each([
  ["numbers", sharedNumbers],
  ["integers", sharedIntegers],
  ["bytes", sharedBytes],
] as const)("shared %s", (_, share) => {
  it("are lists of their own, all zeros, however many and however long", () => {
    const lists = range(100).map((k) => share(k % 7 === 0 ? 5000 : 3 * k + 1));
    for (const [k, list] of lists.entries()) {
      expect(list.length).toBe(k % 7 === 0 ? 5000 : 3 * k + 1);
      expect(list.every((value) => value === 0)).toBe(true);
      list.fill(k);
    }
    for (const [k, list] of lists.entries()) expect(list.every((value) => value === k)).toBe(true);
  });
});
