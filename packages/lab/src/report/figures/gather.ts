import { assert } from "@coterie/core/internal";
import type { Run } from "../../results/read.ts";
import type { Result } from "../../results/types.ts";
import { type Measure, measureOf } from "../measures.ts";
import type { Unit } from "../numbers.ts";
import { powerLaw } from "../statistics/exponent.ts";
import { estimateMean, type SeedEstimate } from "../statistics/interval.ts";
import { ratioOf } from "../statistics/paired.ts";
import { grouped } from "../summary.ts";
import { plain } from "../text.ts";
import type { FigureData, FigureSeries, LegendEntry, Panel, Point } from "./data.ts";
import { read, viewOf } from "./reading.ts";
import type { FigureSpec } from "./spec.ts";

/** One number of one seed, and where in the figure it belongs. */
interface Observation {
  readonly panel: string;
  readonly series: string;
  readonly kind: string;
  readonly x: number | string;
  readonly seed: number;
  readonly value: number;
  readonly price: number | null;
}

/** The numbers a figure shows, from the results of a run. */
export function gather(run: Run, spec: FigureSpec): FigureData {
  const observations = run.results
    .filter(({ row }) => spec.only?.(row) ?? true)
    .flatMap((result) => observe(run, spec, result));
  const legend = legendOf(run, spec, observations);
  const panels = [...grouped(observations, ({ panel }) => panel)].map(([name, inPanel]) =>
    panelOf(name, inPanel, spec, legend),
  );
  const counts = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ y }) => y.count)));
  return {
    id: spec.id,
    title: plain(spec.title),
    kind: spec.kind,
    measure: measureOf(spec.measure),
    price: spec.kind === "tradeoff" ? measureOf(spec.price) : null,
    relativeTo: spec.relativeTo === undefined ? null : plain(spec.relativeTo),
    ...axesOf(spec),
    legend,
    panels: panels.filter(({ series }) => series.length > 0),
    seeds: counts.length === 0 ? { least: 0, most: 0 } : { least: Math.min(...counts), most: Math.max(...counts) },
  };
}

/** Policies keep the look of their place in the experiment, whichever of them a figure shows. */
function legendOf(run: Run, spec: FigureSpec, observations: readonly Observation[]): LegendEntry[] {
  const shown = [...new Set(observations.map(({ series }) => series))];
  const places = spec.series === undefined ? [...new Set(run.results.map(({ row }) => plain(row.policy)))] : shown;
  return shown
    .filter((name) => spec.relativeTo === undefined || name !== plain(spec.relativeTo))
    .map((name) => ({ name, look: places.indexOf(name) }))
    .sort((a, b) => a.look - b.look);
}

type Axes = Pick<FigureData, "xTitle" | "yTitle" | "xScale" | "yScale">;

function axesOf(spec: FigureSpec): Axes {
  const { title } = measureOf(spec.measure);
  const yTitle = spec.relativeTo === undefined ? title : `${title} over ${plain(spec.relativeTo)}'s`;
  if (spec.kind === "loglog") return { xTitle: spec.xTitle, yTitle, xScale: "log", yScale: "log" };
  const xScale = spec.xScale ?? "linear";
  if (spec.kind === "dots") return { xTitle: yTitle, yTitle: "", xScale, yScale: "linear" };
  const xTitle =
    spec.kind === "curves" ? "rounds" : spec.kind === "against" ? spec.xTitle : measureOf(spec.price).title;
  return { xTitle, yTitle, xScale, yScale: spec.yScale ?? "linear" };
}

function observe(run: Run, spec: FigureSpec, result: Result): Observation[] {
  const view = viewOf(run, result);
  // A parameter of the world would else have each of its values in a panel of its own.
  const everywhere = spec.kind === "against" || spec.kind === "loglog" ? () => "" : "row.world";
  const panel = read(spec.panel ?? everywhere, view);
  const series = read(spec.series ?? "row.policy", view);
  if (panel === null || series === null) return [];
  const { seed, kind } = result.row;
  const where = { panel: plain(`${panel}`), series: plain(`${series}`), kind, seed };
  const measure = measureOf(spec.measure);
  if (spec.kind === "curves") {
    return valuesAlong(result, measure).map(({ x, value }) => ({ ...where, x, value, price: null }));
  }
  const value = measure.of(result);
  const price = spec.kind === "tradeoff" ? measureOf(spec.price).of(result) : null;
  const x = spec.kind === "against" || spec.kind === "loglog" ? read(spec.x, view) : "";
  if (value === null || x === null || (spec.kind === "tradeoff" && price === null)) return [];
  return [{ ...where, x: typeof x === "string" ? plain(x) : x, value, price }];
}

/** A measure at each checkpoint that has it. */
export function valuesAlong({ checkpoints, row }: Result, measure: Measure): { x: number; value: number }[] {
  return checkpoints.flatMap((checkpoint) => {
    const value = measure.at?.(checkpoint, row) ?? null;
    return value === null ? [] : [{ x: checkpoint.round, value }];
  });
}

function panelOf(
  name: string,
  observations: readonly Observation[],
  spec: FigureSpec,
  legend: readonly LegendEntry[],
): Panel {
  const bySeries = grouped(observations, ({ series }) => series);
  const reference =
    spec.relativeTo === undefined ? null : grouped(bySeries.get(plain(spec.relativeTo)) ?? [], ({ x }) => x);
  const series: FigureSeries[] = [];
  for (const { name: seriesName, look } of legend) {
    const own = bySeries.get(seriesName) ?? [];
    const points = pointsOf(own, reference, spec);
    if (points.length === 0) continue;
    const kinds = new Set(own.map(({ kind }) => kind));
    const kind = kinds.size === 1 ? own[0]!.kind : null;
    series.push({ name: seriesName, look, kind, points, law: spec.kind === "loglog" ? lawOf(points) : null });
  }
  return { name, series };
}

function pointsOf(
  own: readonly Observation[],
  reference: ReadonlyMap<number | string, readonly Observation[]> | null,
  spec: FigureSpec,
): Point[] {
  const points: Point[] = [];
  for (const [x, here] of grouped(own, (observation) => observation.x)) {
    const bySeed = new Map(here.map(({ seed, value }) => [seed, value]));
    assert(
      bySeed.size === here.length,
      `figure ${spec.id}: each point has one cell of each seed (it needs a panel or series)`,
    );
    const { unit } = measureOf(spec.measure);
    const y = reference === null ? bounded([...bySeed.values()], unit) : relative(bySeed, reference.get(x) ?? []);
    if (y === null) continue;
    const prices = here.map(({ price }) => price).filter((price) => price !== null);
    points.push({ x, y, price: prices.length === 0 ? null : estimateMean(prices), bySeed });
  }
  if (points.every(({ x }) => typeof x === "number")) points.sort((a, b) => Number(a.x) - Number(b.x));
  return points;
}

/** The mean with its interval, cut where a share cannot be: the interval of few seeds knows no bounds. */
function bounded(values: readonly number[], unit: Unit): SeedEstimate {
  const mean = estimateMean(values);
  if (unit !== "share" || mean.low === null || mean.high === null) return mean;
  return { ...mean, low: Math.max(0, mean.low), high: Math.min(1, mean.high) };
}

/** mean(own) / mean(reference) over the seeds both have. */
function relative(bySeed: ReadonlyMap<number, number>, reference: readonly Observation[]): SeedEstimate | null {
  const both = reference.filter(({ seed }) => bySeed.has(seed));
  return ratioOf(
    both.map(({ seed }) => bySeed.get(seed)!),
    both.map(({ value }) => value),
  );
}

/** Fitted over the seeds that every point has. */
function lawOf(points: readonly Point[]): FigureSeries["law"] {
  const seeds = [...points[0]!.bySeed.keys()].filter((seed) => points.every(({ bySeed }) => bySeed.has(seed)));
  return powerLaw(
    points.map(({ x }) => Number(x)),
    points.map(({ bySeed }) => seeds.map((seed) => bySeed.get(seed)!)),
  );
}
