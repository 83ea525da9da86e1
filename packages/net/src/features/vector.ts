import { ConfigError, check } from "@coterie/core";
import { type Feature, fault, type Holding, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { MOST_COORDINATES } from "./features.ts";
import { Projection } from "./projection.ts";
import { type Vector, writeVector } from "./unitBall.ts";

/**
 * Longer vectors are projected unless the app says otherwise: with 100 numbers a tick in a room of nine still takes less than
 * 40 ms, with 128 it does not, see docs/speed.md.
 */
const LONGEST_WHOLE = 100;
/** To so many numbers: a tick takes a quarter of that; fewer lose more, see docs/speed.md. */
const PROJECTED = 64;

/** How a vector is read. */
export interface VectorOptions {
  /** No vector is longer than this; all are divided by it. 1 when left out. */
  readonly longest?: number;
  /** What becomes of a longer one: `clamp` (scaled back to `longest`), unless the schema or this says `error`. */
  readonly outOfRange?: OutOfRange;
  /**
   * How many numbers the learner sees of it: a random projection, the same for all peers. `false`: all of them, at a cost
   * that grows with the third power of the coordinates. Left out: 64 where there are more than 100.
   */
  readonly project?: number | false;
}

/** An embedding the app already has, as one feature among others. One of more than 100 numbers is projected to 64 (`project`). */
export function vector(dimension: number, options: VectorOptions = {}): Feature<Vector> {
  check.whole("vector.dimension", dimension, 1, MOST_COORDINATES);
  const {
    longest: given = 1,
    outOfRange,
    project,
  } = check.fields("vector.options", options, ["longest", "outOfRange", "project"]);
  const longest = check.between("vector.longest", given, 0, Number.POSITIVE_INFINITY);
  const range =
    outOfRange === undefined ? {} : { outOfRange: check.oneOf("vector.outOfRange", outOfRange, OUT_OF_RANGE) };
  const to = numbersSeen(dimension, project);
  if (to < dimension) return { ...range, ...projected(new Projection(dimension, to), longest) };
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

function numbersSeen(dimension: number, project: unknown): number {
  if (project === false) return dimension;
  if (project === undefined) return dimension > LONGEST_WHOLE ? PROJECTED : dimension;
  if (Number.isSafeInteger(project) && (project as number) >= 1 && (project as number) < dimension) {
    return project as number;
  }
  throw new ConfigError("vector.project", project, `be false, or a whole number from 1 to ${dimension - 1}`);
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
