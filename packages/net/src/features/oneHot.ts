import { type Feature, fault, type Holding, misfit } from "./feature.ts";
import { declareValues } from "./values.ts";

/** Exactly one of the declared values: 1 at its coordinate, 0 at all others. */
export function oneHot<const T extends string>(values: readonly T[]): Feature<T> {
  const { sorted, places, labels, bound } = declareValues("oneHot", values);
  const size = sorted.length;
  return {
    labels,
    meaning: { kind: "oneHot", values: sorted },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        const place = places.get(value);
        if (place === undefined) return fault(k, misfit(value, bound));
        for (let i = at; i < at + size; i++) out[i] = 0;
        out[at + place] = 1;
      }
      return undefined;
    },
  };
}
