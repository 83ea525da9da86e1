import type { FigureData, FigureSeries, Panel } from "../figures/data.ts";
import { show } from "../numbers.ts";
import { named } from "../text.ts";
import { compared, inRelation } from "./comparison.ts";
import { bestWord, lastOf, ranked, worded } from "./words.ts";

/** The best, the cheapest, and what each pays. */
export function prices(data: FigureData, panel: Panel): string {
  const { measure } = data;
  const sorted = ranked(panel.series, measure);
  const best = sorted[0]!;
  // A stable sort: of those that pay the same, the better one.
  const cheapest = [...sorted].sort((a, b) => lastOf(a).price!.value - lastOf(b).price!.value)[0]!;
  const cost = (series: FigureSeries): string => show(lastOf(series).price!.value, data.price!.unit);
  const value = worded(lastOf(best).y, data);
  const text = `${named(best.name)} has the ${bestWord(measure)} ${measure.title} of those shown (${value})`;
  const paid = `at ${cost(best)} (${data.price!.title})`;
  if (best === cheapest) return `${text}, ${paid}, which is also the lowest price.`;
  const comparison = compared(lastOf(best), lastOf(cheapest));
  const relation = comparison === null ? "" : `, ${inRelation(comparison, measure, cheapest.name)}`;
  return `${text}${relation}, ${paid}; ${named(cheapest.name)} pays least, ${cost(cheapest)}.`;
}
