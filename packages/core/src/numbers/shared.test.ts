import { describe, expect, it } from "vitest";
import { range } from "../testing/play.ts";
import { Shared } from "./shared.ts";

describe("lists that share buffers", () => {
  it("are lists of their own, all zeros, however many and however long", () => {
    const shared = new Shared();
    const lengthOf = (k: number): number => (k % 7 === 0 ? 5000 : 3 * k + 1);
    const lists = range(100).map((k) => (k % 2 === 0 ? shared.numbers(lengthOf(k)) : shared.bytes(lengthOf(k))));
    for (const [k, list] of lists.entries()) {
      expect(list.length).toBe(lengthOf(k));
      expect(list.every((value) => value === 0)).toBe(true);
      list.fill(k);
    }
    for (const [k, list] of lists.entries()) expect(list.every((value) => value === k)).toBe(true);
  });

  it("have a buffer together where they are short", () => {
    const shared = new Shared();
    expect(shared.numbers(10).buffer).toBe(shared.bytes(10).buffer);
    expect(shared.numbers(1000).buffer).not.toBe(shared.numbers(1000).buffer);
  });
});
