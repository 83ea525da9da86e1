import { describe, expect, it } from "vitest";
import { chiSquare } from "../testing/chi-square.ts";
import { assign } from "./assign.ts";
import type { LogEntry } from "./entry.ts";
import { compareVariants } from "./variants.ts";

/** A choice for `unit` that paid `reward`. */
let id = 0;
function paid(variant: string, unit: string | undefined, reward: number): LogEntry[] {
  const head = { version: 1, id: `${id++}`, at: 0 } as const;
  const items = [{ x: {} }];
  return [
    { ...head, kind: "choice", variant, ...(unit !== undefined && { unit }), items, chosen: 0, propensity: null },
    { ...head, kind: "reward", reward },
  ];
}

describe("an A/B test", () => {
  it("by hand: means per choice, errors over units, and the difference with both errors", () => {
    // a: visitors with rewards (1, 0) and (1): mean 2/3; off by (1/3 − 2/3) = −1/3 and 1/3.
    // b: visitors with (0), (1), (0): mean 1/3; off by −1/3, 2/3, −1/3.
    const log = [
      ...[paid("a", "u1", 1), paid("a", "u1", 0), paid("a", "u2", 1)],
      ...[paid("b", "u3", 0), paid("b", "u4", 1), paid("b", "u5", 0)],
    ].flat();
    const [a, b] = compareVariants(log).variants;
    const errorA = Math.sqrt((2 / 1) * (2 / 9)) / 3;
    const errorB = Math.sqrt((3 / 2) * (6 / 9)) / 3;
    expect(a).toMatchObject({ variant: "a", choices: 3, units: 2, difference: null });
    expect(b).toMatchObject({ variant: "b", choices: 3, units: 3 });
    expect(a!.earned.error).toBeCloseTo(errorA, 14);
    expect(b!.earned.error).toBeCloseTo(errorB, 14);
    expect(b!.difference!.value).toBeCloseTo(-1 / 3, 14);
    expect(b!.difference!.error).toBeCloseTo(Math.sqrt(errorA ** 2 + errorB ** 2), 14);
  });

  it("compares with the variant that is named", () => {
    const log = [paid("a", "u1", 1), paid("a", "u2", 1), paid("b", "u3", 0), paid("b", "u4", 0)].flat();
    const { variants } = compareVariants(log, { control: "b" });
    expect(variants.map(({ variant }) => variant)).toEqual(["b", "a"]);
    expect(variants[1]!.difference!.value).toBe(1);
    expect(() => compareVariants(log, { control: "c" })).toThrow('control must be one of a, b, but is "c"');
    expect(() => compareVariants(log.slice(0, 4))).toThrow("variants in the log must be at least two");
  });

  it("warns of units under both variants, of choices without one, and of a split that is no chance", () => {
    const mixed = [paid("a", "u1", 1), paid("b", "u1", 1), paid("a", "u2", 1), paid("b", undefined, 1)].flat();
    expect(compareVariants(mixed).notes).toEqual([
      "1 units met more than one variant: they blur the difference",
      "1 choices name no unit: each counts as one, and intervals may be too narrow",
    ]);
    const many = Array.from({ length: 100 }, (_, k) => paid(k < 80 ? "a" : "b", `u${k}`, k % 2)).flat();
    expect(compareVariants(many).notes[0]).toBe(
      "a has 80 of 100 units where 50 are expected: assignment or logging is skewed",
    );
  });
});

describe("assignment", () => {
  it("is the same for the same test and key, and spreads keys evenly, whatever they look like", () => {
    const variants = ["a", "b", "c"] as const;
    for (const key of [
      (k: number) => `${k}`,
      (k: number) => `user-${k}@example.org`,
      (k: number) => "x".repeat(k % 500) + k,
    ]) {
      const counts = [0, 0, 0];
      for (let k = 0; k < 6000; k++) counts[variants.indexOf(assign("test", key(k), variants))]! += 1;
      expect(chiSquare(counts, [2000, 2000, 2000])).toBeLessThan(20);
    }
    expect(assign("test", "u1", variants)).toBe(assign("test", "u1", variants));
    // What every machine must agree on for ever.
    const first = Array.from({ length: 20 }, (_, k) => assign("front page", `u${k}`, ["a", "b"]));
    expect(first.join("")).toBe("bbabababbaaaaaaabaaa");
  });

  it("another test divides the same keys anew", () => {
    let same = 0;
    for (let k = 0; k < 4000; k++)
      same += assign("one", `${k}`, ["a", "b"]) === assign("two", `${k}`, ["a", "b"]) ? 1 : 0;
    expect(Math.abs(same - 2000)).toBeLessThan(4 * Math.sqrt(1000));
  });

  it("needs a test, a key, and variants that differ", () => {
    expect(() => assign("", "k", ["a", "b"])).toThrow("test must be a non-empty text");
    expect(() => assign("t", "", ["a", "b"])).toThrow("key must be a non-empty text");
    expect(() => assign("t", "k", ["a"])).toThrow("variants must name at least two");
    expect(() => assign("t", "k", ["a", "a"])).toThrow("variants must name each once");
  });
});
