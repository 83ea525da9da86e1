import fc from "fast-check";
import { expect, it } from "vitest";
import { defineFeatures } from "./define.ts";
import { refused } from "./testing/refused.ts";
import { squareLength } from "./testing/schemas.ts";
import { vector } from "./vector.ts";
import { vectors } from "./vectors.ts";

it("vectors are taken bit for bit", () => {
  const raw = vectors(3);
  const out = new Float64Array(5).fill(9);
  raw.encode([0.1, -0.2, 1 / 3], out, 1);
  expect(Array.from(out)).toEqual([9, 0.1, -0.2, 1 / 3, 9]);
  // A unit vector whose squares add up to a little more than 1.
  const unit = Float64Array.from([1, 2, 3], (v) => (v / Math.sqrt(14)) * (1 + 2e-16));
  raw.encode(unit, out);
  expect(out.subarray(0, 3)).toEqual(unit);
  expect([raw.dimension, raw.names]).toEqual([3, ["x[0]", "x[1]", "x[2]"]]);
});

it("a vector outside the unit ball is refused, or scaled back where that is asked for", () => {
  const out = new Float64Array(2);
  expect(refused(() => vectors(2).encodeAll([[1, 1e-2]], out))).toMatchObject({
    field: "items[0]",
    bound: "be no longer than 1",
  });
  vectors(2, { outOfRange: "clamp" }).encode([0, -3], out);
  expect(Array.from(out)).toEqual([0, -1]);
  expect(refused(() => vectors(2).encode([0, Number.NaN], out)).field).toBe("item[1]");
  expect(refused(() => vectors(2).encode([0, 0, 0], out)).field).toBe("item");
  expect(refused(() => vectors(2).encode([0, 0], out, 1)).field).toBe("out");
  expect(refused(() => vectors(1).encodeAll([[0], [0], [0]], out)).field).toBe("out");
});

it("clamped vectors lie within the unit ball, whatever they were", () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const raw = vectors(4, { outOfRange: "clamp" });
  const property = fc.property(fc.array(finite, { minLength: 4, maxLength: 4 }), (x) => {
    const out = new Float64Array(4);
    raw.encode(x, out);
    expect(Math.sqrt(squareLength(out))).toBeLessThanOrEqual(1 + 1e-12);
  });
  fc.assert(property, { seed: 20160619, numRuns: 2000 });
});

it("have a fingerprint of their own for each dimension", () => {
  expect(vectors(2).describe()).toBe('{"encoding":1,"vectors":2}');
  const prints = [vectors(2), vectors(3), defineFeatures({ a: vector(2) })].map((it) => it.fingerprint);
  expect(new Set(prints).size).toBe(3);
  expect(vectors(2, { outOfRange: "clamp" }).fingerprint).toBe(prints[0]);
});

it("are features already", () => {
  const raw = vectors(2);
  expect(defineFeatures(raw)).toBe(raw);
});

it("contribute coordinate by coordinate", () => {
  expect(vectors(2).contributions([2, 3], [9, 0.5, -1], 1)).toEqual({ "x[0]": 1, "x[1]": -3 });
  expect(refused(() => vectors(2).contributions([2], [1, 1])).field).toBe("estimate");
  expect(refused(() => vectors(2).contributions([2, 1], [1])).field).toBe("arm");
});

it.each([
  ["vectors.dimension", () => vectors(0)],
  ["vectors.dimension", () => vectors(1.5)],
  // @ts-expect-error no such way
  ["vectors.outOfRange", () => vectors(2, { outOfRange: "drop" })],
  // @ts-expect-error no such option
  ["vectors.options.longest", () => vectors(2, { longest: 2 })],
])("refuse a wrong declaration: %s", (field, make) => {
  expect(refused(make).field).toBe(field);
});
