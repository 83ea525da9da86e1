import { check } from "@coterie/core";
import { type Feature, fault, type Holding, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { MOST_COORDINATES } from "./features.ts";
import { type Vector, writeVector } from "./unitBall.ts";

/** How a vector is read. */
export interface VectorOptions {
  /** No vector is longer than this; all are divided by it. 1 when left out. */
  readonly longest?: number;
  /** What becomes of a longer one: `clamp` (scaled back to `longest`), unless the schema or this says `error`. */
  readonly outOfRange?: OutOfRange;
}

/** An embedding the app already has, as one feature among others. */
export function vector(dimension: number, options: VectorOptions = {}): Feature<Vector> {
  check.whole("vector.dimension", dimension, 1, MOST_COORDINATES);
  const { longest: given = 1, outOfRange } = check.fields("vector.options", options, ["longest", "outOfRange"]);
  const longest = check.between("vector.longest", given, 0, Number.POSITIVE_INFINITY);
  const range =
    outOfRange === undefined ? {} : { outOfRange: check.oneOf("vector.outOfRange", outOfRange, OUT_OF_RANGE) };
  return {
    labels: Array.from({ length: dimension }, (_, i) => `[${i}]`),
    meaning: { kind: "vector", dimension, longest },
    ...range,
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride, strict }) {
      for (let k = 0; k < items.length; k++) {
        const found = writeVector(out, offset + from + k * stride, items[k][name], dimension, longest, strict);
        if (found !== undefined) return fault(k, found);
      }
      return undefined;
    },
  };
}
