import { type Feature, fault, type Holding, type Misfit, misfit } from "./feature.ts";
import { declareValues, type Values } from "./values.ts";

/**
 * Any number of the declared values, as tags: 1/√k at the coordinates of the k that are there, 0 at all others, so that
 * an item with many tags is no longer than one with few. A value listed twice counts once; an empty list is all zeros.
 */
export function multiHot<const T extends string>(values: readonly T[]): Feature<readonly T[]> {
  const declared = declareValues("multiHot", values);
  return {
    labels: declared.labels,
    meaning: { kind: "multiHot", values: declared.sorted },
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
  { sorted, places, bound }: Values,
): Misfit | undefined {
  if (!Array.isArray(tags)) return misfit(tags, "be a list of declared values");
  const end = at + sorted.length;
  for (let i = at; i < end; i++) out[i] = 0;
  let distinct = 0;
  for (let j = 0; j < tags.length; j++) {
    const place = places.get(tags[j]);
    if (place === undefined) return misfit(tags[j], bound, `[${j}]`);
    if (out[at + place] === 0) distinct++;
    out[at + place] = 1;
  }
  if (distinct < 2) return undefined;
  const share = 1 / Math.sqrt(distinct);
  for (let i = at; i < end; i++) out[i] *= share;
  return undefined;
}
