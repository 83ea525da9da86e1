import { type Feature, fault, type Holding, misfit } from "./feature.ts";
import { declareValues, type Unknown, type ValuesOptions } from "./values.ts";

/** Any text where unknown values share a bucket; an editor still proposes the declared ones. */
export type Text<T extends string, U extends Unknown> = "bucket" extends U ? T | (string & {}) | null | undefined : T;

/**
 * Exactly one of the declared values: 1 at its coordinate, 0 at all others. With `{ unknown: "bucket" }` there is one more
 * coordinate, for texts that are not declared and for values that are missing.
 */
export function oneHot<const T extends string, const U extends Unknown = "error">(
  values: readonly T[],
  options: ValuesOptions<U> = {},
): Feature<Text<T, U>> {
  const { sorted, place: placeOf, labels, bound, unknown } = declareValues("oneHot", values, options);
  const size = labels.length;
  return {
    labels,
    meaning: { kind: "oneHot", values: sorted, ...unknown },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        const place = placeOf(value);
        if (place === undefined) return fault(k, misfit(value, bound));
        for (let i = at; i < at + size; i++) out[i] = 0;
        out[at + place] = 1;
      }
      return undefined;
    },
  };
}
