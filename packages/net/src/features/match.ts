import { type Carry, carryVector, type Term } from "@coterie/core/internal";
import { type Coordinate, type Mark, UNKNOWN_LABEL } from "./coordinates.ts";

/** What becomes of the coordinates of one schema in another, by their names. */
export interface Matched {
  readonly carry: Carry;
  /** An arm of the old schema as one of the new: numbers beyond their new range are moved to its bounds. */
  readonly arm: (x: Float64Array) => Float64Array;
  /** Coordinates with what was known of them; those of which nothing is known yet; and old ones without a place. */
  readonly kept: readonly string[];
  readonly fresh: readonly string[];
  readonly gone: readonly string[];
}

/**
 * Vectors of `old` as vectors of `now`. What the app says of an item, v, is the same in both, so with f = (v − low) / span
 *
 *     f′ = a f + c,   a = span / span′,   c = (low − low′) / span′,   and of a cross   f′g′ = (a f + c)(a_g g + c_g),
 *
 * which is linear in fg, f, g and 1: the cross, the two coordinates and the bias of the old schema. Values beyond an earlier
 * range were moved to its bounds when they were seen, and stay there. Values that are declared no longer go to the bucket
 * of the unknown, where there is one. A vector that was learnt from whole, and is projected now, is projected: f′ = Σ P_j f_j.
 */
export function match(old: readonly Coordinate[], now: readonly Coordinate[], reward: number): Matched {
  const places = new Map(old.map(({ marks }, column) => [keyOf(marks), column]));
  const sources = sourcesOf(old, now);
  const used = new Set<number>();
  const rows = now.map(({ marks, root }) => {
    const summands = sumsOf(marks).flatMap(({ marks: one, factor }) =>
      (sources.get(keyOf(one)) ?? []).map((column) => ({ column, factor: (factor * old[column]!.root) / root })),
    );
    const terms = summands.map(({ column, factor }) => expand(old[column]!, marks, factor, places));
    if (terms.length === 0 || terms.some((each) => each === null)) return [];
    for (const { column } of summands) used.add(column);
    return (terms as Term[][]).flat();
  });
  const kept = now.filter((_, i) => rows[i]!.length > 0);
  const still = new Set(
    kept.flatMap(({ marks }) => marks.filter(({ exclusive }) => exclusive).map((it) => it.feature)),
  );
  const found = new Set(
    old.flatMap(({ marks }, column) => (used.has(column) ? marks.map((mark) => keyOf([mark])) : [])),
  );
  // No item has such a value any more, and the feature is still there: see carryHeritage.
  const isLost = (mark: Mark): boolean => mark.exclusive && still.has(mark.feature) && !found.has(keyOf([mark]));
  const unused = old.flatMap((_, column) => (used.has(column) ? [] : [column]));
  const carry = { from: old.length, rows, marginal: unused.filter((c) => old[c]!.marks.some(isLost)), reward };
  return {
    carry,
    arm: (x) => within(carryVector(x, carry), now),
    kept: kept.map(({ name }) => name),
    fresh: now.filter((_, i) => rows[i]!.length === 0).map(({ name }) => name),
    gone: unused.map((column) => old[column]!.name),
  };
}

const keyOf = (marks: readonly Pick<Mark, "feature" | "label" | "basis">[]): string =>
  marks.map(({ feature, label, basis }) => JSON.stringify([feature, label, basis])).join();

/** Old columns by the key of the new coordinate that they go to. */
function sourcesOf(old: readonly Coordinate[], now: readonly Coordinate[]): Map<string, number[]> {
  const known = new Set(now.flatMap(({ marks }) => marks.map((mark) => keyOf([mark]))));
  const unknownOf = (mark: Mark): Mark => {
    const bucket = { ...mark, label: UNKNOWN_LABEL };
    return mark.basis === "value" && !known.has(keyOf([mark])) && known.has(keyOf([bucket])) ? bucket : mark;
  };
  const sources = new Map<string, number[]>();
  for (const [column, { marks }] of old.entries()) {
    const key = keyOf(marks.map(unknownOf));
    sources.set(key, [...(sources.get(key) ?? []), column]);
  }
  return sources;
}

/** A product of marks, times a factor. */
interface Product {
  readonly marks: readonly Mark[];
  readonly factor: number;
}

/** What a product of marks is as a sum: itself; and where a mark is a sum, of a projection, also the products with each summand. */
function sumsOf(marks: readonly Mark[]): readonly Product[] {
  let products: readonly Product[] = [{ marks: [], factor: 1 }];
  for (const mark of marks) {
    const summands = [{ entry: mark, factor: 1 }, ...(mark.sum ?? [])];
    products = products.flatMap((product) =>
      summands.map(({ entry, factor }) => ({ marks: [...product.marks, entry], factor: product.factor * factor })),
    );
  }
  return products;
}

/** Factor · Π (a f + c) by old columns; null where one of them is missing. */
function expand(
  was: Coordinate,
  now: readonly Mark[],
  factor: number,
  places: ReadonlyMap<string, number>,
): Term[] | null {
  let parts: readonly Product[] = [{ marks: [], factor }];
  for (const [k, mark] of was.marks.entries()) {
    const { low, span } = now[k]!;
    const [slope, shift] = [mark.span / span, (mark.low - low) / span];
    parts = parts.flatMap(({ marks, factor }) => [
      { marks: [...marks, mark], factor: factor * slope },
      ...(shift === 0 ? [] : [{ marks, factor: factor * shift }]),
    ]);
  }
  const terms = parts.map(({ marks, factor }) => ({ column: places.get(keyOf(marks)) ?? -1, factor }));
  return terms.some(({ column }) => column < 0) ? null : terms;
}

/** Numbers in 0 ‥ 1 of their share of an arm, as `number` puts them; and all of it within the unit ball. */
function within(x: Float64Array, now: readonly Coordinate[]): Float64Array {
  for (const [i, { marks, root }] of now.entries()) {
    if (marks.length === 1 && marks[0]!.basis.startsWith("number")) x[i] = Math.min(Math.max(x[i], 0), 1 / root);
  }
  const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return length > 1 ? x.map((value) => value / length) : x;
}
