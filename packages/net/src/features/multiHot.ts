import { type Feature, fault, type Holding, type Misfit, misfit } from "./feature.ts";
import { declareValues, type Unknown, type Values, type ValuesOptions } from "./values.ts";

/** Tags: those that are declared, or any text where unknown ones share a bucket. */
export type Tags<T extends string, U extends Unknown> = readonly ("bucket" extends U ? T | (string & {}) : T)[];

/**
 * Any number of the declared values, as tags: 1/√k at the coordinates of the k that are there, 0 at all others, so that
 * an item with many tags is no longer than one with few. A value listed twice counts once; an empty list is all zeros.
 * With `{ unknown: "bucket" }` tags that are not declared share one more coordinate.
 */
export function multiHot<const T extends string, const U extends Unknown = "error">(
  values: readonly T[],
  options: ValuesOptions<U> = {},
): Feature<Tags<T, U>> {
  const declared = declareValues("multiHot", values, options);
  return {
    labels: declared.labels,
    meaning: { kind: "multiHot", values: declared.sorted, ...declared.unknown },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      for (let k = 0; k < items.length; k++) {
        const found = writeTags(out, offset + from + k * stride, items[k][name], declared);
        if (found !== undefined) return fault(k, found);
      }
      return undefined;
    },
  };
}

function writeTags(
  out: Float64Array,
  at: number,
  tags: unknown,
  { labels, place: placeOf, bound }: Values,
): Misfit | undefined {
  if (!Array.isArray(tags)) return misfit(tags, "be a list of declared values");
  const end = at + labels.length;
  for (let i = at; i < end; i++) out[i] = 0;
  let distinct = 0;
  for (let j = 0; j < tags.length; j++) {
    const place = placeOf(tags[j]);
    if (place === undefined) return misfit(tags[j], bound, `[${j}]`);
    if (out[at + place] === 0) distinct++;
    out[at + place] = 1;
  }
  if (distinct < 2) return undefined;
  const share = 1 / Math.sqrt(distinct);
  for (let i = at; i < end; i++) out[i] *= share;
  return undefined;
}
