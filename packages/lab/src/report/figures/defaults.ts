import type { Run } from "../../results/read.ts";
import type { Result } from "../../results/types.ts";
import { type Measure, type MeasureName, measures } from "../measures.ts";
import type { FigureSpec } from "./spec.ts";

/** Figures that suit any experiment; those without a value are left out. */
export function defaultFigures(run: Run): FigureSpec[] {
  const knowsRegret = new Set(run.results.filter(({ row }) => row.regret !== null).map(({ row }) => row.world));
  const yScale = isWide(run) ? "log" : "linear";
  const figures: FigureSpec[] = [
    { id: "regret", title: "Regret", kind: "curves", measure: "regret", yScale },
    { id: "regret-per-round", title: "Regret a round", kind: "curves", measure: "regretPerRound", yScale: "log" },
    {
      id: "reward-over-random",
      title: "Reward over random",
      kind: "curves",
      measure: "rewardOverRandom",
      // Where regret is known it says the same with less noise.
      only: ({ world }) => !knowsRegret.has(world),
    },
    { id: "pairs-right", title: "Finding the clusters", kind: "curves", measure: "pairsRight" },
    {
      id: "regret-and-bytes",
      title: "Regret and what is sent",
      kind: "tradeoff",
      measure: "regret",
      price: "bytes",
      yScale,
    },
  ];
  return figures.filter((spec) => hasValues(run, spec));
}

/** Whether the largest regret is so far above the smallest that a linear axis would press the better policies flat. */
function isWide(run: Run): boolean {
  const regrets = run.results.map(({ row }) => row.regret).filter((regret) => regret !== null);
  const least = Math.min(...regrets);
  return least > 0 && Math.max(...regrets) > 8 * least;
}

function hasValues(run: Run, spec: FigureSpec): boolean {
  const measure = measures[spec.measure as MeasureName];
  const results = run.results.filter(({ row }) => spec.only?.(row) ?? true);
  if (spec.kind === "curves")
    return results.some((result) => result.checkpoints.some((at) => (measure.at?.(at, result.row) ?? null) !== null));
  const known = (of: Measure) => (result: Result) => of.of(result) !== null;
  // A price that nobody pays makes no trade-off.
  return results.some(known(measure)) && results.some((result) => (measures.bytes.of(result) ?? 0) > 0);
}
