import { assert } from "@coterie/core/internal";
import type { FigureData, FigureSeries, Point } from "../../report/figures/data.ts";
import { powerLaw } from "../../report/statistics/exponent.ts";
import { estimateMean } from "../../report/statistics/interval.ts";

/** Numbers for figures that the rows alone do not hold. */

/** What an x has in each seed. */
export function measuredPoint(x: number | string, bySeed: ReadonlyMap<number, number>): Point {
  return { x, y: estimateMean([...bySeed.values()]), price: null, bySeed };
}

/** A value that is not measured, so without an interval. */
export function exactPoint(x: number | string, value: number): Point {
  return { x, y: { value, low: null, high: null, count: 1 }, price: null, bySeed: new Map() };
}

/** The power of x that the points follow, over the seeds that all of them have. */
export function fitted(points: readonly Point[]): FigureSeries["law"] {
  const seeds = [...(points[0]?.bySeed.keys() ?? [])].filter((seed) => points.every(({ bySeed }) => bySeed.has(seed)));
  return powerLaw(
    points.map(({ x }) => Number(x)),
    points.map(({ bySeed }) => seeds.map((seed) => bySeed.get(seed)!)),
  );
}

/** A line of a computed figure. */
export interface FigureLine {
  readonly name: string;
  readonly points: readonly Point[];
  readonly law?: FigureSeries["law"];
  /** Another line of the figure that it shares colour and shape with. */
  readonly like?: string;
}

export interface LinesOf {
  readonly name: string;
  readonly lines: readonly FigureLine[];
}

type About = Pick<FigureData, "id" | "title" | "kind" | "measure" | "xTitle" | "yTitle" | "xScale" | "yScale">;

/** A figure of given lines: lines of one name look the same in all panels. */
export function figureOf(about: About, panels: readonly LinesOf[]): FigureData {
  const all = panels.flatMap(({ lines }) => lines);
  const names = [...new Set(all.map(({ name }) => name))];
  const looks = [...new Set(all.map(({ name, like }) => like ?? name))];
  const lookOf = ({ name, like }: FigureLine): number => looks.indexOf(like ?? name);
  const points = all.flatMap((line) => line.points);
  const counts = points.filter(({ bySeed }) => bySeed.size > 0).map(({ y }) => y.count);
  return {
    ...about,
    price: null,
    relativeTo: null,
    legend: names.map((name) => ({ name, look: lookOf(all.find((line) => line.name === name)!) })),
    panels: panels
      .map(({ name, lines }) => ({
        name,
        series: lines
          .filter((line) => line.points.length > 0)
          .map((line) => ({ law: null, ...line, look: lookOf(line), kind: null })),
      }))
      .filter(({ series }) => series.length > 0),
    seeds: { least: Math.min(...counts), most: Math.max(...counts) },
  };
}

/** The same figure with further lines in its panels. */
export function withLines(data: FigureData, more: (panel: string) => readonly FigureLine[]): FigureData {
  const added = new Map(data.panels.map(({ name }) => [name, more(name).filter(({ points }) => points.length > 0)]));
  const names = [...new Set([...added.values()].flat().map(({ name }) => name))];
  const first = Math.max(-1, ...data.legend.map(({ look }) => look)) + 1;
  assert(
    !data.legend.some(({ name }) => names.includes(name)),
    `figure ${data.id}: an added line has a name of its own`,
  );
  const lookOf = (name: string): number => first + names.indexOf(name);
  return {
    ...data,
    legend: [...data.legend, ...names.map((name) => ({ name, look: lookOf(name) }))],
    panels: data.panels.map(({ name, series }) => ({
      name,
      series: [
        ...series,
        ...added.get(name)!.map((line) => ({ law: null, ...line, look: lookOf(line.name), kind: null })),
      ],
    })),
  };
}
