import type { Span } from "./features.ts";
import { MENUS } from "./variation.ts";

/** Something in the app that is no fault and yet surely not meant, and what to do about it. */
export interface Warning {
  /** The features that it is about. */
  readonly features: readonly string[];
  /** What is the matter, and what to do, for the developer. */
  readonly message: string;
}

/** For features of items that never differ within a menu. */
export function sameForAll(features: readonly string[], spans: readonly Span[]): Warning {
  const partner =
    spans.find(({ of, name }) => of === "item" && !features.includes(name))?.name ?? "a feature of the item";
  const example = `context: { ${features[0]}: … }, cross: [["${features[0]}", "${partner}"]]`;
  const message =
    `${listed(features)} did not differ between items in any of ${MENUS} menus, and so cannot change which item is chosen. ` +
    `What describes the situation belongs into the context, crossed with what it acts on: features: { item: …, ${example} }. See docs/guides/contexts.md`;
  return { features, message };
}

/** Of what an app declares without `project: false` only crosses and buckets come to so many: from here on it feels a round. */
const MANY = 256;

/** For more coordinates than a peer computes with quickly; null where there are few. */
export function manyCoordinates(spans: readonly Span[], dimension: number): Warning | null {
  if (dimension <= MANY) return null;
  const { name, of, from, end } = spans.reduce((most, span) =>
    span.end - span.from > most.end - most.from ? span : most,
  );
  const remedy =
    of === "cross"
      ? "Cross features that have fewer"
      : "Declare an embedding as one feature, vector(384), which is projected unless it says project: false, and hash into fewer buckets";
  const message =
    `the features have ${dimension} coordinates, ${end - from} of them of ${name}. The time of a round grows with the third power of that, and the app waits for it. ` +
    `${remedy}. See docs/guides/contexts.md`;
  return { features: [name], message };
}

/** For features of the context that nothing of the item is crossed with; null where there are none. */
export function uncrossed(spans: readonly Span[]): Warning | null {
  const crossed = new Set(spans.flatMap(({ factors = [] }) => factors));
  const alone = spans.filter(({ of, name }) => of === "context" && !crossed.has(name));
  if (alone.length === 0) return null;
  const features = alone.map(({ name }) => name);
  const partner = spans.find(({ of }) => of === "item")?.name ?? "a feature of the item";
  const message =
    `${listed(features)} of the context is crossed with nothing, and so cannot change which item is chosen. ` +
    `Add what it acts on: cross: [["${features[0]}", "${partner}"]]. See docs/guides/contexts.md`;
  return { features, message };
}

const listed = (names: readonly string[]): string => names.join(", ");
