import { check } from "@coterie/core";
import { useLongVectors } from "@coterie/core/internal";
import { type Feature, fault, type Holding, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { MOST_COORDINATES } from "./features.ts";
import { Projection } from "./projection.ts";
import { type Vector, writeVector } from "./unitBall.ts";

/** How a vector is read. */
export interface VectorOptions {
  /** No vector is longer than this; all are divided by it. 1 when left out. */
  readonly longest?: number;
  /** What becomes of a longer one: `clamp` (scaled back to `longest`), unless the schema or this says `error`. */
  readonly outOfRange?: OutOfRange;
  /**
   * How many numbers the learner sees of it: a random projection, the same for all peers. What a round costs grows with the
   * third power of the coordinates; an embedding of hundreds of numbers is best projected to 32 to 128. Left out: all.
   */
  readonly project?: number;
}

/** An embedding the app already has, as one feature among others. */
export function vector(dimension: number, options: VectorOptions = {}): Feature<Vector> {
  check.whole("vector.dimension", dimension, 1, MOST_COORDINATES);
  useLongVectors();
  const {
    longest: given = 1,
    outOfRange,
    project,
  } = check.fields("vector.options", options, ["longest", "outOfRange", "project"]);
  const longest = check.between("vector.longest", given, 0, Number.POSITIVE_INFINITY);
  const range =
    outOfRange === undefined ? {} : { outOfRange: check.oneOf("vector.outOfRange", outOfRange, OUT_OF_RANGE) };
  if (project !== undefined) {
    const projection = new Projection(dimension, check.whole("vector.project", project, 1, dimension - 1));
    return { ...range, ...projected(projection, longest) };
  }
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

function projected(projection: Projection, longest: number): Feature<Vector> {
  const { from: dimension, to } = projection;
  const whole = new Float64Array(dimension);
  return {
    labels: Array.from({ length: to }, (_, i) => `[~${i}]`),
    meaning: { kind: "vector", dimension, longest, project: to },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride, strict }) {
      for (let k = 0; k < items.length; k++) {
        const found = writeVector(whole, 0, items[k][name], dimension, longest, strict);
        if (found !== undefined) return fault(k, found);
        projection.write(out, offset + from + k * stride, whole);
      }
      return undefined;
    },
  };
}
