import type { Result } from "../../results/types.ts";
import { extentOf, tickText, withZero } from "../figures/axes.ts";
import { valuesAlong } from "../figures/gather.ts";
import { spreadOut } from "../figures/names.ts";
import { type Measure, type MeasureName, measureOf } from "../measures.ts";
import { numberText } from "../numbers.ts";
import { grouped } from "../summary.ts";
import { plain } from "../text.ts";
import { Canvas, letterOf } from "./canvas.ts";
import { bold, clipped, DEFAULT_WIDTH, faint, padded, painted, type TerminalOptions, widthOf } from "./style.ts";

export interface ChartOptions extends TerminalOptions {
  /** Lines of text that the lines are drawn in. */
  readonly height?: number;
}

interface Line {
  readonly name: string;
  readonly index: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A measure against rounds for the terminal, one chart for each world; empty where no run has it. */
export function terminalChart(
  results: readonly Result[],
  measure: MeasureName | Measure,
  options: ChartOptions = {},
): string {
  const what = measureOf(measure);
  const charts: string[] = [];
  for (const [world, inWorld] of grouped(results, ({ row }) => row.world)) {
    const lines = linesOf(inWorld, what);
    if (lines.length > 0) charts.push(chart(`${plain(world)}: ${what.title}`, lines, what, options));
  }
  return charts.join("\n");
}

/** The mean over seeds at each round. */
function linesOf(results: readonly Result[], measure: Measure): Line[] {
  return [...grouped(results, ({ row }) => row.policy)].flatMap(([policy, own], index) => {
    const values = own.flatMap((result) => valuesAlong(result, measure));
    const points = [...grouped(values, ({ x }) => x)].map(([x, here]) => ({
      x,
      y: here.reduce((sum, { value }) => sum + value, 0) / here.length,
    }));
    points.sort((a, b) => a.x - b.x);
    return points.length === 0 ? [] : [{ name: plain(policy), index, points }];
  });
}

interface Scale {
  readonly log: boolean;
  /** Top, middle and bottom. */
  readonly ticks: readonly [number, number, number];
  /** 0 at the bottom, 1 at the top. */
  readonly share: (value: number) => number;
}

/** Linear, unless the ends of the lines lie so far apart that the lower ones would be pressed into one row. */
function scaleOf(lines: readonly Line[]): Scale {
  const { low: least, high: most } = extentOf(lines.flatMap(({ points }) => points.map(({ y }) => y)));
  const ends = lines.map(({ points }) => points.at(-1)!.y);
  const log = least > 0 && Math.max(...ends) > 8 * Math.min(...ends);
  const { low, high } = log ? { low: least, high: most } : withZero({ low: least, high: most });
  const middle = log ? Math.sqrt(low * high) : (low + high) / 2;
  const share = (value: number): number =>
    log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return { log, ticks: [high, middle, low], share };
}

function chart(title: string, lines: readonly Line[], measure: Measure, options: ChartOptions): string {
  const { width = DEFAULT_WIDTH, colour = false, height = 12 } = options;
  const { log, ticks, share } = scaleOf(lines);
  const rows = Math.max(3, height);
  const texts = ticks.map((tick) => tickText(tick, measure.unit));
  const left = Math.max(...texts.map(widthOf)) + 1;
  const longest = Math.max(...lines.map(({ name }) => widthOf(name))) + 3;
  const right = Math.min(longest, Math.floor(width / 3));
  const canvas = new Canvas(Math.max(10, width - left - right - 2), rows);
  const rounds = Math.max(...lines.map(({ points }) => points.at(-1)!.x));
  for (const { index, points } of lines) {
    points.forEach((point, k) => {
      const before = points[k - 1] ?? point;
      canvas.line(index, before.x / rounds, share(before.y), point.x / rounds, share(point.y));
    });
  }
  const names = namesBeside(lines, rows, share, right, colour);
  const axis = new Map([0, Math.round((rows - 1) / 2), rows - 1].map((row, k) => [row, texts[k]!]));
  const body = Array.from({ length: rows }, (_, row) => {
    const scale = faint(`${padded(axis.get(row) ?? "", left - 1, true)} │`, colour);
    return `${scale}${canvas.row(row, colour)} ${names[row] ?? ""}`.trimEnd();
  });
  const foot = [
    `${" ".repeat(left)}└${"─".repeat(canvas.columns)}`,
    padded(`${numberText(rounds, 0)} rounds`, left + 1 + canvas.columns, true),
  ].map((line) => faint(line, colour));
  const heading = bold(log ? `${title} (logarithmic)` : title, colour);
  return `${[heading, ...body, ...foot, ...unnamed(lines, rows)].join("\n")}\n`;
}

/** The name of each line in the row nearest to its end, one for each row. */
function namesBeside(
  lines: readonly Line[],
  rows: number,
  share: (value: number) => number,
  width: number,
  colour: boolean,
): (string | undefined)[] {
  const fitting = lines.slice(0, rows);
  const wanted = fitting.map(({ points }) => Math.round((1 - share(points.at(-1)!.y)) * (rows - 1)));
  const places = spreadOut(wanted, 1, 0, rows - 1);
  const names = new Array<string | undefined>(rows);
  fitting.forEach(({ name, index }, k) => {
    const mark = colour ? "" : `${letterOf(index)} `;
    names[places[k]!] = painted(clipped(`${mark}${name}`, width), index, colour);
  });
  return names;
}

/** Names that found no row, below the chart. */
function unnamed(lines: readonly Line[], rows: number): string[] {
  const rest = lines.slice(rows).map(({ name, index }) => `${letterOf(index)} ${name}`);
  return rest.length === 0 ? [] : [rest.join(", ")];
}
