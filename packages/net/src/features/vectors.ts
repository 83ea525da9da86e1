import { check } from "@coterie/core";
import { describeVectors, fingerprintOf } from "./canonical.ts";
import { checkRoom, refuse } from "./door.ts";
import { OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { type Contributions, type Features, MOST_COORDINATES } from "./features.ts";
import { type Vector, writeVector } from "./unitBall.ts";

/** How items that are vectors are read. */
export interface VectorsOptions {
  /** What becomes of a vector outside the unit ball: refused, unless this says `clamp` (scaled back to the sphere). */
  readonly outOfRange?: OutOfRange;
}

/**
 * Items that are vectors already: taken as they are, without a bias and without a scale. Where rewards are not about 0 on average, clicks
 * for example, one number should be the same in all of them: a base rate that no feature stands for is taken for a taste.
 */
export function vectors(dimension: number, options: VectorsOptions = {}): Features<Vector> {
  check.whole("vectors.dimension", dimension, 1, MOST_COORDINATES);
  const { outOfRange = "error" } = check.fields("vectors.options", options, ["outOfRange"]);
  const strict = check.oneOf("vectors.outOfRange", outOfRange, OUT_OF_RANGE) === "error";
  const names = Array.from({ length: dimension }, (_, i) => `x[${i}]`);
  const description = describeVectors(dimension);
  const spans = [{ name: "x", of: "item", from: 0, end: dimension }] as const;
  return {
    dimension,
    names,
    spans,
    scale: 1,
    fingerprint: fingerprintOf(description),
    describe: () => description,
    encode(item, out, offset = 0) {
      checkRoom("out", out, offset, dimension);
      const found = writeVector(out, offset, item, dimension, 1, strict);
      if (found !== undefined) refuse("item", found);
    },
    encodeAll(items, out, offset = 0) {
      checkRoom("out", out, offset, items.length * dimension);
      for (let k = 0; k < items.length; k++) {
        const found = writeVector(out, offset + k * dimension, items[k], dimension, 1, strict);
        if (found !== undefined) refuse(`items[${k}]`, found);
      }
    },
    contributions(estimate, arm, offset = 0): Contributions {
      checkRoom("estimate", estimate, 0, dimension);
      checkRoom("arm", arm, offset, dimension);
      return Object.fromEntries(names.map((name, i) => [name, estimate[i] * arm[offset + i]]));
    },
  };
}
