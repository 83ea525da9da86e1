import { check } from "@coterie/core";
import { hashText } from "@coterie/core/internal";
import { type Feature, fault, type Holding, misfit } from "./feature.ts";
import { MOST_COORDINATES } from "./features.ts";

/**
 * Any text or number, such as an id, without a list of what there is: 1 at one of `buckets` coordinates, picked by a hash
 * of its text, 0 at all others. Values that fall into one bucket are one to the learner: with n values and b buckets, a
 * value has its bucket to itself with probability about e^(−n/b). Every bucket has to be learnt, so few are best.
 */
export function hashed(buckets: number): Feature<string | number> {
  const size = check.whole("hashed.buckets", buckets, 1, MOST_COORDINATES);
  return {
    labels: Array.from({ length: size }, (_, bucket) => `#${bucket}`),
    meaning: { kind: "hashed", buckets: size },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        if (!isKey(value)) return fault(k, misfit(value, "be a text or a finite number"));
        for (let i = at; i < at + size; i++) out[i] = 0;
        out[at + (hashText(`${value}`) % size)] = 1;
      }
      return undefined;
    },
  };
}

const isKey = (value: unknown): value is string | number =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
