import { ConfigError, check } from "@coterie/core";
import { type CrossPart, crossLabels, crossName } from "./cross.ts";
import { type Feature, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { type Contributions, type Features, MOST_COORDINATES } from "./features.ts";
import {
  BIAS,
  type Context,
  type Crossed,
  type Declared,
  type Item,
  type ScoreParts,
  type Situated,
} from "./schema.ts";
import { type ArmLayout, type Part, SchemaFeatures } from "./schemaFeatures.ts";

/** What holds for all features of a schema. */
export interface FeaturesOptions {
  /**
   * What becomes of numbers and vectors beyond their bounds, unless their feature says otherwise. `clamp` when left out:
   * an article of 3,001 words should not stop a page. `error` finds wrong bounds during development.
   */
  readonly outOfRange?: OutOfRange;
}

/**
 * The features of an app, ready to encode its items: x = (1, f₁, …, f_n) / √(n + 1), with f the features of the item, then
 * those of the context, then the crosses, each in order of their names and each within the unit ball, so that ‖x‖ <= 1 for
 * any item. What is defined already is returned as it is.
 */
export function defineFeatures<const S extends Declared>(
  declared: S & Crossed<S>,
  options?: FeaturesOptions,
): Features<Item<S>, ScoreParts<S>, Context<S>>;
export function defineFeatures(given: Declared, options: FeaturesOptions = {}): unknown {
  if (isFeatures(given)) return given;
  const { outOfRange = "clamp" } = check.fields("options", options, ["outOfRange"]);
  const strictly = check.oneOf("options.outOfRange", outOfRange, OUT_OF_RANGE);
  return new SchemaFeatures(parseLayout(given, strictly));
}

type Found = Omit<Part, "from" | "end" | "stride" | "strict">;

function parseLayout(given: Declared, outOfRange: OutOfRange): ArmLayout {
  const situated = isSituated(given);
  const {
    item: items,
    context: contexts = {},
    cross = [],
  } = situated ? check.fields("features", given, FIELDS) : { item: given };
  const item = parseSchema(situated ? "features.item" : "features", items, "item");
  const context = parseSchema("features.context", contexts, "context");
  if (item.length === 0) {
    throw new ConfigError(situated ? "features.item" : "features", items, "declare at least one feature");
  }
  const both = context.find(({ name }) => item.some((other) => other.name === name));
  if (both !== undefined) {
    throw new ConfigError(
      `features.context.${both.name}`,
      "a feature",
      "have another name: an item has a feature of that name",
    );
  }
  const pairs = parseCrosses(cross, item, context);
  const sizes = new Map([...item, ...context].map(({ name, feature }) => [name, feature.labels.length]));
  const crossed = pairs.reduce((sum, [one, other]) => sum + sizes.get(one)! * sizes.get(other)!, 0);
  const stride = [...sizes.values()].reduce((sum, size) => sum + size, 1 + crossed);
  if (stride > MOST_COORDINATES) {
    throw new ConfigError("features", `${stride} coordinates`, `take at most ${MOST_COORDINATES} coordinates together`);
  }
  return layOut([...item, ...context], pairs, stride, outOfRange);
}

const FIELDS = ["item", "context", "cross"] as const satisfies readonly (keyof Situated)[];

function layOut(found: readonly Found[], pairs: readonly Pair[], stride: number, outOfRange: OutOfRange): ArmLayout {
  let end = 1;
  const parts = new Map<string, Part>();
  for (const { name, of, feature } of found) {
    const from = end;
    end += feature.labels.length;
    const strict = (feature.outOfRange ?? outOfRange) === "error";
    parts.set(name, { name, of, feature, from, end, stride, strict });
  }
  const crosses = pairs.map(([a, b]): CrossPart => {
    const [one, other] = [parts.get(a)!, parts.get(b)!];
    const from = end;
    const labels = crossLabels(one.feature.labels, other.feature.labels);
    end += labels.length;
    return { name: crossName(a, b), one, other, labels, from, end };
  });
  return { parts: [...parts.values()], crosses, dimension: stride };
}

function parseSchema(field: string, schema: unknown, of: Found["of"]): Found[] {
  const given = check.fields(field, schema, Object.keys(schema ?? {}));
  return Object.keys(given)
    .sort()
    .map((name) => ({ name, of, feature: parseFeature(field, name, given[name]) }));
}

function parseFeature(schema: string, name: string, feature: unknown): Feature<unknown> {
  if (name === "") throw new ConfigError(schema, name, "give each feature a name that is not empty");
  const field = `${schema}.${name}`;
  if (name === BIAS) throw new ConfigError(field, feature, "have another name: every schema has a bias of its own");
  if (!isFeature(feature)) {
    const kinds = "oneHot(), multiHot(), number(), cyclic(), flag(), hashed(), vector()";
    throw new ConfigError(field, feature, `be one of ${kinds}`);
  }
  return feature;
}

type Pair = readonly [string, string];

/** In order of their names, so that two apps that list the same crosses agree. A cross counts once, whichever name is first. */
function parseCrosses(given: unknown, item: readonly Found[], context: readonly Found[]): Pair[] {
  const [items, names] = [item.map(({ name }) => name), [...item, ...context].map(({ name }) => name)];
  const found = new Map<string, Pair>();
  check.list("features.cross", given).forEach((entry, k) => {
    const field = `features.cross[${k}]`;
    const pair = check.list(field, entry, 2).map((name, side) => check.oneOf(`${field}[${side}]`, name, names));
    const [one, other] = pair as [string, string];
    if (!items.includes(one) && !items.includes(other)) {
      throw new ConfigError(field, entry, "have a feature of the item: two of the context are the same for all items");
    }
    if (one === other) throw new ConfigError(field, entry, "be of two features");
    const key = [one, other].sort().join("\n");
    if (found.has(key)) throw new ConfigError(field, entry, "differ from the crosses before it");
    if (names.includes(crossName(one, other))) {
      throw new ConfigError(field, entry, `not be called as the feature ${crossName(one, other)} is`);
    }
    found.set(key, [one, other]);
  });
  return [...found.values()].sort((a, b) => (crossName(...a) < crossName(...b) ? -1 : 1));
}

const isFeature = (given: unknown): given is Feature<unknown> =>
  typeof (given as Feature<unknown> | null | undefined)?.write === "function";

/** A schema may have a feature called item; then that is a feature, and no schema. */
const isSituated = (given: Declared): given is Situated =>
  typeof given === "object" &&
  given !== null &&
  "item" in given &&
  typeof given.item === "object" &&
  given.item !== null &&
  !isFeature(given.item);

const isFeatures = (given: Declared): given is Features<never, Contributions, never> =>
  typeof given === "object" && given !== null && "encode" in given && typeof given.encode === "function";
