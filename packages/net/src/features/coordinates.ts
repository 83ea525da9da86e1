import { ln } from "@coterie/core/internal";
import { crossLabels, crossName } from "./cross.ts";
import { Projection } from "./projection.ts";
import { BIAS } from "./schema.ts";

/** A feature's own coordinate, whatever the declaration around it: f = (v − low) / span, v what the app says of an item. */
export interface Mark {
  readonly feature: string;
  /** What follows the feature's name. */
  readonly label: string;
  /** What v is: a value that is there or not, a number, its logarithm, an entry of a vector. */
  readonly basis: string;
  readonly low: number;
  readonly span: number;
  /** Exactly one of the feature's coordinates is 1. */
  readonly exclusive: boolean;
  /** Of a number that a long vector is projected to: the entries of that vector whose sum it is, each times its factor. */
  readonly sum?: readonly { readonly entry: Mark; readonly factor: number }[];
}

/** What a coordinate of an arm stands for: x = Π f / root, over no mark (the bias), one, or two of a cross. */
export interface Coordinate {
  readonly name: string;
  readonly marks: readonly Mark[];
  readonly root: number;
}

/** A feature in a description of a schema. */
interface Described {
  readonly name: string;
  readonly kind: string;
  readonly values?: readonly string[];
  readonly unknown?: "bucket";
  readonly min?: number;
  readonly max?: number;
  readonly scale?: string;
  readonly dimension?: number;
  readonly longest?: number;
  readonly project?: number;
  readonly buckets?: number;
  readonly period?: number;
}

interface Description {
  readonly features?: readonly Described[];
  readonly context?: readonly Described[];
  readonly cross?: readonly (readonly [string, string])[];
  readonly vectors?: number;
}

/** The label of the coordinate that all values share which are not declared. */
export const UNKNOWN_LABEL = "=(unknown)";

/** Whether a description is one of ours, which says what each coordinate stands for. */
export function isDescribed(description: string): boolean {
  return /^\{"encoding":1,"(?:features|vectors)":/.test(description);
}

/** The coordinates that a description (`Features.describe`) stands for; those of an app's own encoder by their names alone. */
export function coordinatesOf(description: string, names: readonly string[] | undefined): readonly Coordinate[] {
  if (names !== undefined) return names.map((name) => alone(markOf(name, "", "named"), 1));
  const { features, context = [], cross = [], vectors = 0 } = JSON.parse(description) as Description;
  if (features === undefined) return entries("x", vectors, `vectors ${vectors}`, 1).map((mark) => alone(mark, 1));
  const all = [...features, ...context];
  const marks = new Map(all.map((feature) => [feature.name, marksOf(feature)]));
  // x = (1, f₁, …, f_n) / √(n + 1), crosses among the f.
  const root = Math.sqrt(all.length + cross.length + 1);
  return [
    { name: BIAS, marks: [], root },
    ...all.flatMap(({ name }) => marks.get(name)!.map((mark) => alone(mark, root))),
    ...cross.flatMap(([one, other]) => crossed(marks.get(one)!, marks.get(other)!, root)),
  ];
}

const alone = (mark: Mark, root: number): Coordinate => ({ name: mark.feature + mark.label, marks: [mark], root });

function crossed(one: readonly Mark[], other: readonly Mark[], root: number): Coordinate[] {
  const [a, b] = [one, other].map((marks) => marks.map(({ label }) => label));
  const name = crossName(one[0]!.feature, other[0]!.feature);
  const pairs = one.flatMap((mark) => other.map((second) => [mark, second]));
  return crossLabels(a!, b!).map((label, k) => ({ name: name + label, marks: pairs[k]!, root }));
}

function marksOf({ name, kind, ...meaning }: Described): Mark[] {
  const {
    values = [],
    unknown,
    min = 0,
    max = 1,
    scale,
    dimension = 0,
    longest = 1,
    project,
    buckets = 0,
    period,
  } = meaning;
  switch (kind) {
    case "number": {
      const [low, high] = scale === "log" ? [ln(min), ln(max)] : [min, max];
      return [{ ...markOf(name, "", `number ${scale}`), low, span: high - low }];
    }
    case "vector": {
      const all = entries(name, dimension, `vector ${dimension}`, longest);
      return project === undefined ? all : projected(all, project);
    }
    case "cyclic":
      return ["[sin]", "[cos]"].map((label) => markOf(name, label, `cyclic ${period}`));
    case "hashed":
      return Array.from({ length: buckets }, (_, k) => markOf(name, `#${k}`, `hashed ${buckets}`, true));
    case "oneHot":
    case "multiHot": {
      const labels = [...values.map((value) => `=${value}`), ...(unknown === undefined ? [] : [UNKNOWN_LABEL])];
      return labels.map((label) => markOf(name, label, "value", kind === "oneHot"));
    }
    default:
      return [markOf(name, "", kind)];
  }
}

const markOf = (feature: string, label: string, basis: string, exclusive = false): Mark => ({
  feature,
  label,
  basis,
  low: 0,
  span: 1,
  exclusive,
});

const entries = (feature: string, count: number, basis: string, span: number): Mark[] =>
  Array.from({ length: count }, (_, i) => ({ ...markOf(feature, `[${i}]`, basis), span }));

function projected(all: readonly Mark[], to: number): Mark[] {
  const { feature, basis, span } = all[0]!;
  return new Projection(all.length, to).rows().map((row, i) => ({
    ...markOf(feature, `[~${i}]`, `${basis} to ${to}`),
    span,
    sum: row.map(({ entry, factor }) => ({ entry: all[entry]!, factor })),
  }));
}
