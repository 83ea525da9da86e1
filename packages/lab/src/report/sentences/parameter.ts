import type { FigureData, Panel } from "../figures/data.ts";
import { numberText, show, showEstimate, showInterval } from "../numbers.ts";
import { listed, named } from "../text.ts";
import { compared, times } from "./comparison.ts";
import { lastOf, unitOf } from "./words.ts";

/** "regret goes as peers to the power 0.52 for dccb (95 % interval 0.48 to 0.56)" */
export function powers(data: FigureData, panel: Panel): string {
  const parts = panel.series.flatMap(({ name, law }) => {
    if (law === null) return [];
    const interval = showInterval(law.exponent);
    const value = law.exponent.low === null ? numberText(law.exponent.value, 2) : showEstimate(law.exponent).value;
    return [`${value} for ${named(name)}${interval === null ? "" : ` (95 % interval ${interval})`}`];
  });
  if (parts.length === 0) return `there are too few points to fit a power of ${data.xTitle}.`;
  return `${data.yTitle} goes as ${data.xTitle} to the power ${listed(parts)}.`;
}

/** How each line changes from its first point to its last. */
export function changes(data: FigureData, panel: Panel): string {
  const longer = panel.series.filter(({ points }) => points.length > 1);
  if (longer.length === 0) return `there is one value of ${data.xTitle} only.`;
  const unit = unitOf(data);
  const spoken = (x: number | string): string => (typeof x === "number" ? show(x) : named(x));
  const { points } = longer[0]!;
  const [from, to] = [points[0]!.x, points.at(-1)!.x];
  const parts = longer.map((series) => {
    const [first, last] = [series.points[0]!, lastOf(series)];
    const ratio = data.relativeTo === null ? (compared(last, first)?.ratio ?? null) : null;
    const interval = ratio === null ? null : showInterval(ratio);
    const change = ratio === null ? "" : ` (${times(ratio)}${interval === null ? "" : `, ${interval}`})`;
    // A line that is not as long as the first, for want of runs, says where it begins or ends.
    const shown = (point: typeof first, end: number | string): string =>
      `${showEstimate(point.y, unit).value}${point.x === end ? "" : ` at ${spoken(point.x)}`}`;
    return `${named(series.name)} from ${shown(first, from)} to ${shown(last, to)}${change}`;
  });
  const ends = `from ${data.xTitle} ${spoken(from)} to ${spoken(to)}`;
  return `${ends}, ${data.yTitle} goes: ${parts.join("; ")}.`;
}
