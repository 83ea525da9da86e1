import type { FigureData, FigureSeries, Point } from "../figures/data.ts";
import type { Measure } from "../measures.ts";
import { showEstimate, showInterval, type Unit } from "../numbers.ts";
import type { SeedEstimate } from "../statistics/interval.ts";
import { named } from "../text.ts";

/** Parts that sentences are made of. */

export const lastOf = ({ points }: FigureSeries): Point => points.at(-1)!;

export const unitOf = ({ relativeTo, measure }: FigureData): Unit => (relativeTo === null ? measure.unit : "number");

/** "181, 95 % interval 170 to 193"; for a ratio "0.30 times solo's, 95 % interval 0.29 to 0.31". */
export function worded(estimate: SeedEstimate, data: FigureData): string {
  const unit = unitOf(data);
  const { value } = showEstimate(estimate, unit);
  const shown = data.relativeTo === null ? value : `${value} times ${named(data.relativeTo)}'s`;
  if (estimate.low === null) return shown;
  if (estimate.low === estimate.high) return `${shown} in every seed`;
  return `${shown}, 95 % interval ${showInterval(estimate, unit)}`;
}

/** Best first; where neither way is good, lowest first. */
export function ranked(series: readonly FigureSeries[], { better }: Measure): FigureSeries[] {
  const sorted = [...series].sort((a, b) => lastOf(a).y.value - lastOf(b).y.value);
  return better === "more" ? sorted.reverse() : sorted;
}

export const bestWord = ({ superlative, better }: Measure): string =>
  superlative ?? (better === "more" ? "highest" : "lowest");
