import { ConfigError, check } from "@coterie/core";
import {
  cyclic,
  defineFeatures,
  type Feature,
  type Features,
  flag,
  hashed,
  multiHot,
  number,
  oneHot,
  vector,
  vectors,
} from "@coterie/net";
import type { Contributions } from "@coterie/net/internal";

/**
 * Features of items that nobody declared in code. What an item holds is known only when it comes, and checked then: an
 * encoder refuses what does not fit, whatever its type.
 */
export type FileFeatures = Features<unknown, Contributions, unknown>;

/** What each kind takes beside `kind`, and how a feature is made of it. */
const KINDS = {
  oneHot: { takes: ["values", "unknown"], make: ({ values, ...options }) => oneHot(values as string[], options) },
  multiHot: { takes: ["values", "unknown"], make: ({ values, ...options }) => multiHot(values as string[], options) },
  hashed: { takes: ["buckets"], make: ({ buckets }) => hashed(buckets as number) },
  cyclic: { takes: ["period"], make: ({ period }) => cyclic(period as number) },
  flag: { takes: [], make: () => flag() },
  number: {
    takes: ["min", "max", "scale", "outOfRange"],
    make: ({ min, max, ...options }) => number(min as number, max as number, options),
  },
  vector: {
    takes: ["dimension", "longest", "outOfRange", "project"],
    make: ({ dimension, ...options }) => vector(dimension as number, options),
  },
} as const satisfies Record<string, Kind>;

interface Kind {
  readonly takes: readonly string[];
  /** Checks everything it is given. */
  make(options: check.Fields): Feature<never>;
}

const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];

/**
 * `{ "topic": { "kind": "oneHot", "values": ["sport", "arts"] }, "words": { "kind": "number", "min": 0, "max": 3000 } }`, or
 * such objects as `item` and `context`, with `cross` beside them.
 */
export function parseFeatures(document: unknown): FileFeatures {
  if (!isObject(document)) throw new ConfigError("features", document, "be an object: features by name");
  if (!isObject(document.item) || "kind" in document.item) {
    return defineFeatures(parseSchema("features", document)) as FileFeatures;
  }
  const { item, context = {}, cross = [] } = check.fields("features", document, ["item", "context", "cross"]);
  const declared = {
    item: parseSchema("features.item", item),
    context: parseSchema("features.context", context),
    // Its entries are checked where the names are known.
    cross: cross as [],
  };
  return defineFeatures(declared) as unknown as FileFeatures;
}

function parseSchema(field: string, document: unknown): Record<string, Feature<never>> {
  if (!isObject(document)) throw new ConfigError(field, document, "be an object: features by name");
  const found = Object.entries(document).map(([name, entry]) => [name, parseFeature(`${field}.${name}`, entry)]);
  return Object.fromEntries(found);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const vectorFeatures = (dimension: number): FileFeatures => vectors(dimension) as unknown as FileFeatures;

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
