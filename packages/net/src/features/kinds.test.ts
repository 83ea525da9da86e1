import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { Feature, Misfit } from "./feature.ts";
import { flag } from "./flag.ts";
import { multiHot } from "./multiHot.ts";
import { number } from "./number.ts";
import { oneHot } from "./oneHot.ts";
import { refused } from "./testing/refused.ts";
import { vector } from "./vector.ts";

/** What a feature writes for the second of two items, into numbers that held something else before. */
function numbers<V>(feature: Feature<V>, value: V, strict = false): number[] {
  const size = feature.labels.length;
  const out = new Float64Array(2 * size + 4).fill(7);
  const items = [{ f: value }, { f: value }];
  expect(feature.write(items, out, 1, { name: "f", from: 1, stride: size + 1, strict })).toBeUndefined();
  expect([out[0], out[1], out[size + 2], out[2 * size + 3]]).toEqual([7, 7, 7, 7]);
  expect(out.slice(2, size + 2)).toEqual(out.slice(size + 3, 2 * size + 3));
  return Array.from(out.subarray(size + 3, 2 * size + 3));
}

/** Why a value is refused; any value, as an app in JavaScript may give it. */
function why(feature: Feature<never>, value: unknown, strict = false): Misfit | undefined {
  const size = feature.labels.length;
  const column = { name: "f", from: 0, stride: size, strict };
  const found = (feature as Feature<unknown>).write([{ f: value }], new Float64Array(size), 0, column);
  if (found === undefined) return undefined;
  const { index, ...rest } = found;
  expect(index).toBe(0);
  return rest;
}

describe("oneHot", () => {
  const topic = oneHot(["sport", "arts", "tech"]);

  it("is 1 at the coordinate of its value, in order of the values", () => {
    expect(topic.labels).toEqual(["=arts", "=sport", "=tech"]);
    expect(numbers(topic, "sport")).toEqual([0, 1, 0]);
    expect(numbers(topic, "tech")).toEqual([0, 0, 1]);
  });

  it.each(["politics", "Sport", "", undefined, null, 1, ["sport"], "toString"])("refuses %o", (value) => {
    expect(why(topic, value)).toEqual({ path: "", value, bound: "be one of arts, sport, tech" });
  });

  it("does not repeat a long list in a message", () => {
    const many = oneHot(Array.from({ length: 1000 }, (_, k) => `value ${k}`));
    expect(why(many, "x")?.bound).toMatch(/^be one of value 0, .* and 988 more$/);
  });

  it("needs values that differ and are not empty", () => {
    expect(refused(() => oneHot([])).field).toBe("oneHot.values");
    expect(refused(() => oneHot(["a", ""])).field).toBe("oneHot.values[1]");
    expect(refused(() => oneHot(["a", "b", "a"]))).toMatchObject({ field: "oneHot.values[2]", value: "a" });
  });
});

describe("multiHot", () => {
  const tags = multiHot(["red", "new", "big"]);

  it("shares length 1 among the values that are there", () => {
    expect(numbers(tags, [])).toEqual([0, 0, 0]);
    expect(numbers(tags, ["red"])).toEqual([0, 0, 1]);
    expect(numbers(tags, ["red", "big"])).toEqual([1 / Math.sqrt(2), 0, 1 / Math.sqrt(2)]);
    expect(numbers(tags, ["red", "big", "red"])).toEqual(numbers(tags, ["big", "red"]));
  });

  it("refuses what is not declared, by its place in the list", () => {
    expect(why(tags, ["red", "old"])).toEqual({ path: "[1]", value: "old", bound: "be one of big, new, red" });
    expect(why(tags, "red")?.bound).toBe("be a list of declared values");
    expect(refused(() => multiHot(["a", "a"])).field).toBe("multiHot.values[1]");
  });
});

describe("flag", () => {
  it("is 1 or 0", () => {
    expect([numbers(flag(), true), numbers(flag(), false)]).toEqual([[1], [0]]);
  });

  it.each([1, 0, "true", undefined, null])("refuses %o", (value) => {
    expect(why(flag(), value)).toEqual({ path: "", value, bound: "be true or false" });
  });
});

describe("number", () => {
  it("is its place between its bounds", () => {
    const words = number(0, 3000);
    expect([0, 750, 3000].map((value) => numbers(words, value)[0])).toEqual([0, 0.25, 1]);
    expect(numbers(number(-10, 10), 0)).toEqual([0.5]);
  });

  it("on a log scale, equal ratios are equal steps", () => {
    const price = number(1, 10_000, { scale: "log" });
    expect(numbers(price, 1)).toEqual([0]);
    expect(numbers(price, 10_000)).toEqual([1]);
    for (const k of [1, 2, 3]) expect(numbers(price, 10 ** k)[0]).toBeCloseTo(k / 4, 14);
  });

  it("moves a number beyond its bounds to the bound, or refuses it", () => {
    const words = number(10, 20);
    expect([numbers(words, 9), numbers(words, 1e300)]).toEqual([[0], [1]]);
    expect(why(words, 20.5, true)).toEqual({ path: "", value: 20.5, bound: "be a finite number from 10 to 20" });
    expect(why(words, 9.5, true)?.value).toBe(9.5);
    expect([numbers(words, 10, true), numbers(words, 20, true)]).toEqual([[0], [1]]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, "5", undefined, null, 5n])(
    "refuses %o even so",
    (value) => {
      expect(why(number(0, 10), value)).toEqual({ path: "", value, bound: "be a finite number from 0 to 10" });
    },
  );

  it.each([
    ["number.min", () => number(Number.NaN, 1)],
    ["number.max", () => number(0, Number.POSITIVE_INFINITY)],
    ["number.max", () => number(1, 1)],
    ["number.max", () => number(2, 1)],
    ["number.max", () => number(-1e308, 1e308)],
    ["number.min", () => number(0, 1, { scale: "log" })],
    // @ts-expect-error no such scale
    ["number.scale", () => number(1, 2, { scale: "cubic" })],
    // @ts-expect-error no such option
    ["number.options.clamp", () => number(1, 2, { clamp: true })],
    // @ts-expect-error no such way
    ["number.outOfRange", () => number(1, 2, { outOfRange: "drop" })],
  ])("refuses a wrong declaration: %s", (field, make) => {
    expect(refused(make).field).toBe(field);
  });
});

describe("vector", () => {
  it("is itself within the unit ball, divided by the longest there is", () => {
    expect(numbers(vector(2), [0.6, -0.8])).toEqual([0.6, -0.8]);
    expect(numbers(vector(2), new Float32Array([0.5, 0.25]))).toEqual([0.5, 0.25]);
    expect(numbers(vector(2, { longest: 10 }), new Float64Array([5, 0]))).toEqual([0.5, 0]);
  });

  it("is scaled back when it is too long, or refused", () => {
    expect(numbers(vector(2), [3, 4])).toEqual([3 / 5, 4 / 5].map((v) => expect.closeTo(v, 15)));
    expect(numbers(vector(2, { longest: 1e-9 }), [1e308, 0])).toEqual([1, 0]);
    expect(numbers(vector(2), [1e308, 1e308])[0]).toBeCloseTo(Math.SQRT1_2, 15);
    expect(why(vector(2), [3, 4], true)).toEqual({ path: "", value: "length 5", bound: "be no longer than 1" });
  });

  it.each([[new Float32Array([0.6000001, 0.8])], [[0.6 * (1 + 5e-10), 0.8 * (1 + 5e-10)]]])(
    "takes a unit vector that is a little too long (single precision) for what it means: %o",
    (long) => {
      const [a, b] = numbers(vector(2), long, true);
      expect(Math.sqrt(a * a + b * b)).toBeLessThanOrEqual(1 + 1e-12);
      expect(a).toBeCloseTo(0.6, 6);
    },
  );

  it("refuses another length, and entries that are not finite", () => {
    expect(why(vector(3), [1, 2])).toMatchObject({ path: "", bound: "be a list of 3 numbers" });
    expect(why(vector(1), { length: 1, 0: 1 })?.bound).toBe("be a list of 1 numbers");
    expect(why(vector(2), [0, Number.NaN])).toMatchObject({ path: "[1]", bound: "be a finite number" });
    expect(why(vector(2), ["0", 0])).toMatchObject({ path: "[0]", value: "0" });
    expect(why(vector(1), new BigInt64Array(1))).toMatchObject({ path: "[0]", value: 0n });
    expect(why(vector(1), undefined)?.bound).toBe("be a list of 1 numbers");
  });

  it.each([
    ["vector.dimension", () => vector(0)],
    ["vector.dimension", () => vector(4097)],
    ["vector.longest", () => vector(2, { longest: 0 })],
    ["vector.longest", () => vector(2, { longest: Number.POSITIVE_INFINITY })],
    // @ts-expect-error no such option
    ["vector.options.norm", () => vector(2, { norm: 1 })],
  ])("refuses a wrong declaration: %s", (field, make) => {
    expect(refused(make).field).toBe(field);
  });
});

describe("vector, projected", () => {
  const [from, to] = [384, 64];
  const embedding = vector(from, { project: to });
  const unit = (random: Random): number[] => {
    const x = Array.from(random.normals(new Float64Array(from)));
    const length = Math.hypot(...x);
    return x.map((value) => value / length);
  };

  it("has as many coordinates as are asked for, the same for everybody", () => {
    expect(embedding.labels).toEqual(Array.from({ length: to }, (_, i) => `[~${i}]`));
    const x = unit(Random.seeded(1));
    expect(numbers(vector(from, { project: to }), x)).toEqual(numbers(embedding, x));
    expect(numbers(vector(3, { project: 2 }), [0, 0, 0])).toEqual([0, 0]);
  });

  it("keeps products within the error that is stated, and lengths within the unit ball", () => {
    const random = Random.seeded(2);
    let squares = 0;
    const pairs = 300;
    for (let k = 0; k < pairs; k++) {
      const [x, y] = [unit(random), unit(random)];
      const [px, py] = [numbers(embedding, x), numbers(embedding, y)];
      const product = (a: readonly number[], b: readonly number[]): number => a.reduce((s, v, i) => s + v * b[i]!, 0);
      expect(product(px, px)).toBeLessThanOrEqual(1 + 1e-12);
      squares += (product(px, py) - product(x, y)) ** 2;
    }
    // √(1/64) = .125, less what longer ones are scaled back by.
    expect(Math.sqrt(squares / pairs)).toBeGreaterThan(0.09);
    expect(Math.sqrt(squares / pairs)).toBeLessThan(0.14);
  });

  it("refuses what a vector refuses, by its place", () => {
    expect(why(embedding, [1, 2])?.bound).toBe("be a list of 384 numbers");
    expect(why(vector(2, { project: 1 }), [3, 4], true)?.bound).toBe("be no longer than 1");
  });

  it.each([8, 0, 1.5, Number.NaN, true, null, "4"])("refuses to project 8 numbers to %s", (project) => {
    // @ts-expect-error what is given may be anything
    const found = refused(() => vector(8, { project }));
    expect(found).toMatchObject({ field: "vector.project", value: project });
    expect(found.bound).toBe("be false, or a whole number from 1 to 7");
  });

  it("is what a long vector is unless the app says otherwise", () => {
    const labelsOf = (dimension: number, options = {}): number => vector(dimension, options).labels.length;
    expect([100, 101, 384, 768, 4096].map((dimension) => labelsOf(dimension))).toEqual([100, 64, 64, 64, 64]);
    expect(labelsOf(384, { project: undefined })).toBe(64);
    expect([100, 384].map((dimension) => labelsOf(dimension, { project: false }))).toEqual([100, 384]);
    expect([100, 384].map((dimension) => labelsOf(dimension, { project: 96 }))).toEqual([96, 96]);
    const x = unit(Random.seeded(3));
    expect(numbers(vector(from), x)).toEqual(numbers(embedding, x));
    expect(numbers(vector(from, { project: false }), x)).toEqual(x.map((value) => expect.closeTo(value, 12)));
  });

  it("means what it meant when it had to be asked for, and all numbers mean what they meant when they had not", () => {
    const meaning = (options = {}): string => JSON.stringify(vector(384, options).meaning);
    expect(meaning()).toBe('{"kind":"vector","dimension":384,"longest":1,"project":64}');
    expect(meaning({ project: 64 })).toBe(meaning());
    expect(meaning({ project: false })).toBe('{"kind":"vector","dimension":384,"longest":1}');
  });
});
