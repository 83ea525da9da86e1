import { ConfigError, check } from "@coterie/core";
import {
  defineFeatures,
  type Feature,
  type Features,
  flag,
  multiHot,
  number,
  oneHot,
  vector,
  vectors,
} from "@coterie/net";

/**
 * Features of items that nobody declared in code. What an item holds is known only when it comes, and checked then: an
 * encoder refuses what does not fit, whatever its type.
 */
export type FileFeatures = Features<unknown>;

/** What each kind takes beside `kind`, and how a feature is made of it. */
const KINDS = {
  oneHot: { takes: ["values"], make: ({ values }) => oneHot(values as string[]) },
  multiHot: { takes: ["values"], make: ({ values }) => multiHot(values as string[]) },
  flag: { takes: [], make: () => flag() },
  number: {
    takes: ["min", "max", "scale", "outOfRange"],
    make: ({ min, max, ...options }) => number(min as number, max as number, options),
  },
  vector: {
    takes: ["dimension", "longest", "outOfRange"],
    make: ({ dimension, ...options }) => vector(dimension as number, options),
  },
} as const satisfies Record<string, Kind>;

interface Kind {
  readonly takes: readonly string[];
  /** Checks everything it is given. */
  make(options: check.Fields): Feature<never>;
}

const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** `{ "topic": { "kind": "oneHot", "values": ["sport", "arts"] }, "words": { "kind": "number", "min": 0, "max": 3000 } }` */
export function parseFeatures(document: unknown): FileFeatures {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new ConfigError("features", document, "be an object: features by name");
  }
  const found = Object.entries(document).map(([name, entry]) => [name, parseFeature(`features.${name}`, entry)]);
  return defineFeatures(Object.fromEntries(found)) as FileFeatures;
}

export const vectorFeatures = (dimension: number): FileFeatures => vectors(dimension) as FileFeatures;

function parseFeature(field: string, entry: unknown): Feature<never> {
  if (typeof entry !== "object" || entry === null) throw new ConfigError(field, entry, "be an object");
  const { kind, ...options } = entry as check.Fields;
  const { takes, make }: Kind = KINDS[check.oneOf(`${field}.kind`, kind, NAMES)];
  check.fields(field, options, takes);
  try {
    return make(options);
  } catch (error) {
    // The kind's own name for the field, as in oneHot.values, is said already.
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${field}.${error.field.replace(/^\w+\./, "")}`, error.value, error.bound);
  }
}
