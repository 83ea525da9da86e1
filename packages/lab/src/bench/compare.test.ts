import { describe, expect, it } from "vitest";
import { lossesOf, parseSaved, savedOf } from "./compare.ts";

const line = (name: string, ratio?: number) => ({ name, value: 1, unit: "ns", ...(ratio !== undefined && { ratio }) });

describe("a kept benchmark", () => {
  it("holds ratios alone, and reads back as it was", () => {
    const saved = savedOf([line("a", 2), line("b"), line("c", 0.5)]);
    expect(saved.ratios).toEqual({ a: 2, c: 0.5 });
    expect(parseSaved(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
  });

  it("tells a loss of more than a fifth, and only that", () => {
    const before = savedOf([line("lost", 10), line("held", 10), line("gained", 10), line("gone", 10)]);
    const now = [line("lost", 7.9), line("held", 8.1), line("gained", 12), line("new", 1)];
    expect(lossesOf(before, now)).toEqual([{ name: "lost", before: 10, now: 7.9 }]);
  });

  it.each([
    [{ format: 2, version: "1", ratios: {} }, /format/],
    [{ format: 1, version: "1", ratios: null }, /ratios/],
    [{ format: 1, version: "1", ratios: { a: "fast" } }, /ratios\.a/],
    [{ format: 1, version: "1", ratios: {}, more: 1 }, /more/],
  ])("is refused if it is none: %j", (document, message) => {
    expect(() => parseSaved(document)).toThrow(message);
  });
});
