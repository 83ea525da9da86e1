import type { FigureData, FigureSeries, Panel } from "../figures/data.ts";
import type { Measure } from "../measures.ts";
import { numberText, showEstimate } from "../numbers.ts";
import type { Paired } from "../statistics/paired.ts";
import { grouped } from "../summary.ts";
import { listed, named } from "../text.ts";
import { compared, inRelation, isClear, isSame, rangeOf } from "./comparison.ts";
import { bestWord, lastOf, ranked, worded } from "./words.ts";

/** Who is best, whether the next is clearly behind, and how the best contender stands to the reference. */
export function ranking(data: FigureData, series: readonly FigureSeries[]): string {
  const { measure, relativeTo } = data;
  const sorted = ranked(series, measure);
  const [best, next] = sorted as [FigureSeries, FigureSeries | undefined];
  const value = worded(lastOf(best).y, data);
  if (next === undefined) return `${named(best.name)}'s ${measure.title} is ${value}.`;
  const text = `${named(best.name)} has the ${bestWord(measure)} ${measure.title} (${value})`;
  if (measure.better === null) {
    const most = sorted.at(-1)!;
    return `${text}, ${named(most.name)} the highest (${worded(lastOf(most).y, data)}).`;
  }
  const pair = relativeTo === null ? contention(series, measure) : null;
  const said = pair === null || (pair.contender === best && pair.reference === next);
  return `${text}${toNext(best, next, measure)}${said ? "" : toReference(pair, measure)}.`;
}

/** Policies that are told the clusters, pool everything or do not learn: bounds, not contenders. */
const BOUNDS: ReadonlySet<string> = new Set(["oracle", "pooled", "club", "random"]);

interface Contention {
  readonly contender: FigureSeries;
  readonly reference: FigureSeries;
}

/** The best policy that is not a bound, and solo or the first listed, which it is held against. */
function contention(series: readonly FigureSeries[], measure: Measure): Contention | null {
  const reference = series.find(({ kind, name }) => kind === "solo" || name === "solo") ?? series[0]!;
  const contender = ranked(series, measure).find(
    ({ kind, name }) => !BOUNDS.has(kind ?? name) && name !== reference.name,
  );
  return contender === undefined ? null : { contender, reference };
}

function toNext(best: FigureSeries, next: FigureSeries, measure: Measure): string {
  const comparison = compared(lastOf(best), lastOf(next));
  if (comparison === null) return "";
  if (isSame(comparison)) return `, the same as ${named(next.name)}`;
  if (isClear(comparison) !== false) return `, ${inRelation(comparison, measure, next.name)}`;
  return `, not clearly apart from ${named(next.name)} (${rangeOf(comparison, measure)})`;
}

function toReference({ contender, reference }: Contention, measure: Measure): string {
  const comparison = compared(lastOf(contender), lastOf(reference));
  if (comparison === null) return "";
  const doubt = isClear(comparison) === false ? ", which is no clear difference" : "";
  return `; ${named(contender.name)} has ${inRelation(comparison, measure, reference.name)}${doubt}`;
}

/** Many panels in one sentence: how often each is best, and the range of one contender's ratios. */
export function rankings(data: FigureData, panels: readonly Panel[]): string {
  const { measure } = data;
  const winners = grouped(panels, ({ series }) => ranked(series, measure)[0]!.name);
  const wins = [...winners].map(([name, where]) =>
    winners.size === 1 ? `${named(name)}'s in all ${panels.length} panels` : `${named(name)}'s in ${where.length}`,
  );
  const text = `the ${bestWord(measure)} ${measure.title} is ${listed(wins)}`;
  if (measure.better === null || data.relativeTo !== null) return `${text}.`;
  const contenders = grouped(panels, ({ series }) => contention(series, measure)?.contender.name ?? null);
  const frequent = [...contenders].sort(([, a], [, b]) => b.length - a.length)[0]![0];
  return frequent === null ? `${text}.` : `${text}${overPanels(frequent, panels, measure)}.`;
}

function overPanels(name: string, panels: readonly Panel[], measure: Measure): string {
  const comparisons: Paired[] = [];
  let referenceName = "";
  for (const { series } of panels) {
    const own = series.find((candidate) => candidate.name === name);
    const reference = contention(series, measure)?.reference;
    const comparison = own && reference && compared(lastOf(own), lastOf(reference));
    if (!comparison || comparison.ratio === null) continue;
    comparisons.push(comparison);
    referenceName = reference.name;
  }
  if (comparisons.length === 0) return "";
  const sorted = comparisons.map(({ ratio }) => ratio!).sort((a, b) => a.value - b.value);
  const show = (index: number): string => {
    const ratio = sorted.at(index)!;
    return ratio.low === null ? numberText(ratio.value, 2) : showEstimate(ratio).value;
  };
  const clear = comparisons.filter((comparison) => isClear(comparison) === true);
  const less = clear.filter(({ ratio }) => ratio!.value < 1).length;
  const judged = comparisons.some((comparison) => isClear(comparison) !== null)
    ? `, clearly less in ${less} and clearly more in ${clear.length - less} of ${comparisons.length}`
    : "";
  return `; ${named(name)} has ${show(0)} to ${show(-1)} times ${named(referenceName)}'s${judged}`;
}
