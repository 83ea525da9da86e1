import { ConfigError, check } from "@coterie/core";
import { type Feature, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";
import { type Features, MOST_COORDINATES } from "./features.ts";
import { BIAS, type Declared, type Item, type Schema, type Shares } from "./schema.ts";
import { type Part, SchemaFeatures } from "./schemaFeatures.ts";

/** What holds for all features of a schema. */
export interface FeaturesOptions {
  /**
   * What becomes of numbers and vectors beyond their bounds, unless their feature says otherwise. `clamp` when left out:
   * an article of 3,001 words should not stop a page. `error` finds wrong bounds during development.
   */
  readonly outOfRange?: OutOfRange;
}

/**
 * The features of an app, ready to encode its items: x = (1, f₁, …, f_n) / √(n + 1), with f in order of the features'
 * names and each f within the unit ball, so that ‖x‖ <= 1 for any item. What is defined already is returned as it is.
 */
export function defineFeatures<const S extends Declared>(
  declared: S,
  options?: FeaturesOptions,
): Features<Item<S>, Shares<S>>;
export function defineFeatures(given: Declared, options: FeaturesOptions = {}): Features<never> {
  if (isFeatures(given)) return given;
  const { outOfRange = "clamp" } = check.fields("options", options, ["outOfRange"]);
  return new SchemaFeatures(parseSchema(given, check.oneOf("options.outOfRange", outOfRange, OUT_OF_RANGE)));
}

function parseSchema(schema: Schema, outOfRange: OutOfRange): Part[] {
  const names = Object.keys(check.fields("features", schema, Object.keys(schema ?? {}))).sort();
  if (names.length === 0) throw new ConfigError("features", schema, "declare at least one feature");
  const found = names.map((name) => ({ name, feature: parseFeature(`features.${name}`, name, schema[name]) }));
  const stride = found.reduce((sum, { feature }) => sum + feature.labels.length, 1);
  if (stride > MOST_COORDINATES) {
    throw new ConfigError("features", `${stride} coordinates`, `take at most ${MOST_COORDINATES} coordinates together`);
  }
  let end = 1;
  return found.map(({ name, feature }) => {
    const from = end;
    end += feature.labels.length;
    return { name, feature, from, end, stride, strict: (feature.outOfRange ?? outOfRange) === "error" };
  });
}

function parseFeature(field: string, name: string, feature: Feature<never> | undefined): Feature<unknown> {
  if (name === "") throw new ConfigError("features", name, "give each feature a name that is not empty");
  if (name === BIAS) throw new ConfigError(field, feature, "have another name: every schema has a bias of its own");
  if (typeof feature?.write !== "function") {
    throw new ConfigError(field, feature, "be one of oneHot(), multiHot(), number(), flag(), vector()");
  }
  return feature as Feature<unknown>;
}

const isFeatures = (given: Declared): given is Features<never> =>
  typeof given === "object" && given !== null && typeof given.encode === "function";
