import { ConfigError, check } from "@coterie/core";
import { ln } from "@coterie/core/internal";
import { type Feature, fault, type Holding, misfit, OUT_OF_RANGE, type OutOfRange } from "./feature.ts";

/** How a number is read. */
export interface NumberOptions {
  /** `log` when ratios matter more than differences (prices, sizes); needs a `min` above 0. `linear` when left out. */
  readonly scale?: "linear" | "log";
  /** What becomes of a number below `min` or above `max`: `clamp`, unless the schema or this says `error`. */
  readonly outOfRange?: OutOfRange;
}

/**
 * A number from `min` to `max`, as its place between them: u = (v - min) / (max - min), or the same of the logarithms.
 * 0 at `min`, 1 at `max`.
 */
export function number(min: number, max: number, options: NumberOptions = {}): Feature<number> {
  const { log, outOfRange } = parse(min, max, options);
  const low = log ? ln(min) : min;
  const span = (log ? ln(max) : max) - low;
  if (!(span > 0 && span < Number.POSITIVE_INFINITY)) {
    throw new ConfigError("number.max", max, `lie at a distance from ${min} that a double can hold`);
  }
  const bound = `be a finite number from ${min} to ${max}`;
  return {
    labels: [""],
    meaning: { kind: "number", min, max, scale: log ? "log" : "linear" },
    ...outOfRange,
    write(items: readonly Holding<unknown>[], out, offset, { name, from, stride, strict }) {
      let at = offset + from;
      for (let k = 0; k < items.length; k++, at += stride) {
        const value = items[k][name];
        if (typeof value !== "number" || !Number.isFinite(value)) return fault(k, misfit(value, bound));
        if (strict && (value < min || value > max)) return fault(k, misfit(value, bound));
        const within = value < min ? min : value > max ? max : value;
        out[at] = ((log ? ln(within) : within) - low) / span;
      }
      return undefined;
    },
  };
}

function parse(min: number, max: number, options: NumberOptions) {
  check.real("number.min", min);
  if (!(check.real("number.max", max) > min)) throw new ConfigError("number.max", max, `be above min, ${min}`);
  const { scale = "linear", outOfRange } = check.fields("number.options", options, ["scale", "outOfRange"]);
  const log = check.oneOf("number.scale", scale, ["linear", "log"]) === "log";
  if (log && !(min > 0)) throw new ConfigError("number.min", min, "be above 0 for a log scale");
  if (outOfRange === undefined) return { log, outOfRange: {} };
  return { log, outOfRange: { outOfRange: check.oneOf("number.outOfRange", outOfRange, OUT_OF_RANGE) } };
}
