import { ConfigError, check } from "@coterie/core";
import { type Feature, fault, type Holding, misfit } from "./feature.ts";
import { cosine, sine } from "./turn.ts";

/**
 * A number on a circle, such as the hour of a day: (sin, cos) of 2πv/period. Midnight lies beside 23 o'clock, and any finite
 * number has a place, 25 that of 1. One rise and one fall within a period can be learnt so; for more, declare parts of it with oneHot.
 */
export function cyclic(period: number): Feature<number> {
  if (!(check.real("cyclic.period", period) > 0)) throw new ConfigError("cyclic.period", period, "be above 0");
  return {
    labels: ["[sin]", "[cos]"],
    meaning: { kind: "cyclic", period },
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        if (typeof value !== "number" || !Number.isFinite(value)) return fault(k, misfit(value, "be a finite number"));
        const part = (value % period) / period;
        const turn = part < 0 ? part + 1 : part;
        out[at] = sine(turn);
        out[at + 1] = cosine(turn);
      }
      return undefined;
    },
  };
}
