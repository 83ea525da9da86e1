import fc from "fast-check";
import { cyclic } from "../cyclic.ts";
import type { Feature } from "../feature.ts";
import { flag } from "../flag.ts";
import { hashed } from "../hashed.ts";
import { multiHot } from "../multiHot.ts";
import { number } from "../number.ts";
import { oneHot } from "../oneHot.ts";
import { BIAS, type Schema } from "../schema.ts";
import { vector } from "../vector.ts";

/** A feature, how to make it again, and the values it takes: in range or not, but never refused. */
interface Kind {
  readonly make: () => Feature<never>;
  readonly value: fc.Arbitrary<unknown>;
}

/** A declared schema with some items. */
export interface Case {
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const words = fc.uniqueArray(fc.string({ unit: "binary", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 9 });

const linear = fc.tuple(finite, finite).filter(([a, b]) => b > a && b - a < Number.POSITIVE_INFINITY);
const log = fc
  .tuple(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), fc.double({ min: 1.001, max: 1e6, noNaN: true }))
  .map(([min, ratio]): [number, number] => [min, min * ratio]);

/** In range, at its ends and beyond. */
const near = (min: number, max: number) =>
  fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max, 0), finite);

const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constant<Kind>({ make: flag, value: fc.boolean() }),
  fc
    .integer({ min: 1, max: 9 })
    .map((buckets): Kind => ({ make: () => hashed(buckets), value: fc.oneof(fc.string(), finite) })),
  fc
    .double({ min: 1e-6, max: 1e6, noNaN: true })
    .map((period): Kind => ({ make: () => cyclic(period), value: finite })),
  words.map((values): Kind => ({ make: () => oneHot(values, { unknown: "bucket" }), value: fc.string() })),
  words.map((values): Kind => ({ make: () => oneHot(values), value: fc.constantFrom(...values) })),
  words.map(
    (values): Kind => ({
      make: () => multiHot(values),
      value: fc.array(fc.constantFrom(...values), { maxLength: 12 }),
    }),
  ),
  linear.map(([min, max]): Kind => ({ make: () => number(min, max), value: near(min, max) })),
  log.map(([min, max]): Kind => ({ make: () => number(min, max, { scale: "log" }), value: near(min, max) })),
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.double({ min: 1e-6, max: 1e6, noNaN: true })).map(
    ([dimension, longest]): Kind => ({
      make: () => vector(dimension, { longest }),
      value: fc.array(fc.oneof(finite, fc.double({ min: -1, max: 1, noNaN: true })), {
        minLength: dimension,
        maxLength: dimension,
      }),
    }),
  ),
);

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== BIAS && text !== "__proto__");

export const cases: fc.Arbitrary<Case> = fc
  .dictionary(name, kind, { minKeys: 1, maxKeys: 6, noNullPrototype: true })
  .chain((kinds) => {
    const item = fc.record(Object.fromEntries(Object.entries(kinds).map(([key, { value }]) => [key, value])));
    return fc.record({ kinds: fc.constant(kinds), items: fc.array(item, { minLength: 1, maxLength: 4 }) });
  });

export const schemaOf = (kinds: Case["kinds"], order = Object.keys(kinds)): Schema =>
  Object.fromEntries(order.map((key) => [key, kinds[key].make()]));

export const squareLength = (x: ArrayLike<number>): number => Array.from(x).reduce((sum, v) => sum + v * v, 0);
