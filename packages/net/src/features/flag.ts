import { type Feature, fault, type Holding, misfit } from "./feature.ts";

/** True or false: 1 or 0. */
export function flag(): Feature<boolean> {
  return {
    labels: [""],
    meaning: { kind: "flag" },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        if (typeof value !== "boolean") return fault(k, misfit(value, "be true or false"));
        out[at] = value ? 1 : 0;
      }
      return undefined;
    },
  };
}
