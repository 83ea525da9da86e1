import type { Point } from "../figures/data.ts";
import type { Measure } from "../measures.ts";
import { numberText, show, showEstimate, showInterval } from "../numbers.ts";
import type { SeedEstimate } from "../statistics/interval.ts";
import { type Paired, paired } from "../statistics/paired.ts";
import { named } from "../text.ts";

/** Two points of a figure compared, in words. */

/** Over the seeds both have; null if there is none. */
export function compared(a: Point, b: Point): Paired | null {
  const seeds = [...a.bySeed.keys()].filter((seed) => b.bySeed.has(seed));
  if (seeds.length === 0) return null;
  return paired(
    seeds.map((seed) => a.bySeed.get(seed)!),
    seeds.map((seed) => b.bySeed.get(seed)!),
  );
}

/** Whether the interval excludes a tie; null where there is no interval. */
export function isClear({ ratio, difference }: Paired): boolean | null {
  const { low, high } = ratio ?? difference;
  const tie = ratio === null ? 0 : 1;
  return low === null || high === null ? null : low > tie || high < tie;
}

/** Equal in every seed. */
export const isSame = ({ difference }: Paired): boolean =>
  difference.value === 0 && (difference.low ?? 0) === 0 && (difference.high ?? 0) === 0;

/** "1.08 times solo's (1.02 to 1.14)", or the difference where a ratio says nothing. */
export function inRelation({ ratio, difference }: Paired, measure: Measure, other: string): string {
  if (ratio !== null) return `${times(ratio)} ${named(other)}'s${bracketed(showInterval(ratio))}`;
  const size = show(Math.abs(difference.value), measure.unit);
  const interval = showInterval(difference, measure.unit);
  const words = `${size} ${difference.value < 0 ? "less" : "more"} than ${named(other)}`;
  return interval === null ? words : `${words} (difference ${interval})`;
}

/** "0.97 to 1.02 times" */
export const rangeOf = ({ ratio, difference }: Paired, measure: Measure): string =>
  ratio === null ? `difference ${showInterval(difference, measure.unit)}` : `${showInterval(ratio)} times`;

/** "1.08 times" */
export const times = (ratio: SeedEstimate): string =>
  `${ratio.low === null ? numberText(ratio.value, 2) : showEstimate(ratio).value} times`;

const bracketed = (text: string | null): string => (text === null ? "" : ` (${text})`);
