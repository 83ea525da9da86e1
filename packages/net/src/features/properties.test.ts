import { checkArms } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineFeatures } from "./define.ts";
import type { Schema } from "./schema.ts";
import { type Case, cases, schemaOf, squareLength } from "./testing/schemas.ts";

/** The same cases every time, so that a failure is the change's and nobody else's. */
const often = (numRuns: number) => ({ seed: 20160619, numRuns });

describe("for any schema", () => {
  /** The items as arms, over numbers that held something else before. */
  const encoded = (given: Schema, items: Case["items"]): Float64Array => {
    const features = defineFeatures(given);
    const values = new Float64Array(items.length * features.dimension).fill(5);
    features.encodeAll(items as never, values);
    return values;
  };

  it("every item lies within the unit ball, and core takes it", () => {
    const property = fc.property(cases, ({ kinds, items }) => {
      const values = encoded(schemaOf(kinds), items);
      const dimension = values.length / items.length;
      for (let k = 0; k < items.length; k++) {
        const x = values.subarray(k * dimension, (k + 1) * dimension);
        if (!(Math.sqrt(squareLength(x)) <= 1 + 1e-12)) throw new Error(`too long: ${x}`);
      }
      checkArms({ count: items.length, values }, dimension);
    });
    fc.assert(property, often(2000));
  });

  it("one by one they are the same bits", () => {
    const property = fc.property(cases, ({ kinds, items }) => {
      const features = defineFeatures(schemaOf(kinds));
      const values = encoded(schemaOf(kinds), items);
      const alone = new Float64Array(values.length);
      items.forEach((item, k) => {
        features.encode(item as never, alone, k * features.dimension);
      });
      expect(alone).toEqual(values);
    });
    fc.assert(property, often(500));
  });

  it("the order in which features are declared changes nothing", () => {
    const property = fc.property(cases, fc.func(fc.integer()), ({ kinds, items }, rank) => {
      const order = Object.keys(kinds).sort((a, b) => rank(a) - rank(b));
      const [one, other] = [schemaOf(kinds), schemaOf(kinds, order)];
      expect(defineFeatures(other).fingerprint).toBe(defineFeatures(one).fingerprint);
      expect(encoded(other, items)).toEqual(encoded(one, items));
    });
    fc.assert(property, often(500));
  });

  it("two that mean different things have different fingerprints, and only those", () => {
    const property = fc.property(cases, cases, (a, b) => {
      const [one, other] = [defineFeatures(schemaOf(a.kinds)), defineFeatures(schemaOf(b.kinds))];
      expect(one.fingerprint === other.fingerprint).toBe(one.describe() === other.describe());
      expect(one.fingerprint).toMatch(/^[0-9a-f]{32}$/);
      expect(one.describe()).toMatch(/^[\x20-\x7e]+$/);
    });
    fc.assert(property, often(1000));
  });

  it("contributions add up to the score", () => {
    const property = fc.property(cases, fc.integer({ min: 0, max: 3 }), ({ kinds, items }, offset) => {
      const any = defineFeatures(schemaOf(kinds));
      const arm = new Float64Array(offset + any.dimension);
      any.encode(items[0] as never, arm, offset);
      const estimate = Float64Array.from(any.names, (_, i) => ((i * 7) % 5) - 2);
      const shares = any.contributions(estimate, arm, offset);
      const score = estimate.reduce((sum, value, i) => sum + value * arm[offset + i], 0);
      expect(Object.keys(shares).sort()).toEqual(["bias", ...Object.keys(kinds)].sort());
      expect(Object.values(shares).reduce((sum, value) => sum + value, 0)).toBeCloseTo(score, 12);
    });
    fc.assert(property, often(500));
  });
});
