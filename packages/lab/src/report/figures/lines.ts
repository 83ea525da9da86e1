import type * as Plot from "@observablehq/plot";
import { type Extent, extentOf, logTicks, roundedOut, tickText, withZero, ysOf, yUnit } from "./axes.ts";
import type { FigureData, FigureSeries, Panel } from "./data.ts";
import { type Drawing, drawingOf, plotting } from "./drawing.ts";
import { curveStyleOf } from "./palette.ts";

/** Panels with lines: a measure against rounds or against a parameter, intervals as bands. */

export interface PanelSize {
  readonly width: number;
  readonly height: number;
  /** Room to the right of the lines for their names. */
  readonly labelWidth: number;
}

export const MARGINS = { top: 10, left: 54, bottom: 40, right: 16 } as const;

export async function drawLines(data: FigureData, panel: Panel, size: PanelSize): Promise<Drawing> {
  const plot = await plotting();
  const y = yScale(data, panel);
  const x = xScale(data, panel);
  return drawingOf(plot, {
    ...frame(size),
    x: x.options,
    y: { type: data.yScale, domain: [y.low, y.high], nice: data.yScale === "linear" },
    marks: [
      ...axisMarks(plot, data, x.ticks, data.yScale === "log" ? logTicks(y) : null),
      data.relativeTo === null ? null : plot.ruleY([1], { stroke: "var(--muted)", strokeDasharray: "3 3" }),
      ...panel.series.map((series) => spread(plot, data, series)),
      ...panel.series.flatMap((series) => lineMarks(plot, data, series)),
    ],
  });
}

export const frame = ({ width, height, labelWidth }: PanelSize): Plot.PlotOptions => ({
  width,
  height,
  marginTop: MARGINS.top,
  marginLeft: MARGINS.left,
  marginBottom: MARGINS.bottom,
  marginRight: MARGINS.right + labelWidth,
});

function yScale(data: FigureData, panel: Panel): Extent {
  const values = data.yScale === "log" ? ysOf(panel).filter((value) => value > 0) : ysOf(panel);
  const extent = extentOf(data.relativeTo === null ? values : [...values, 1]);
  if (data.yScale === "log") return roundedOut(extent);
  return data.relativeTo === null ? withZero(extent) : extent;
}

function xScale(data: FigureData, panel: Panel): { options: Plot.ScaleOptions; ticks: (number | string)[] | null } {
  const xs = [...new Set(panel.series.flatMap(({ points }) => points.map(({ x }) => x)))];
  if (data.xScale === "ordinal" || xs.some((x) => typeof x === "string")) {
    return { options: { type: "point", domain: xs, padding: 0.3 }, ticks: null };
  }
  const numbers = (xs as number[]).filter((x) => data.xScale === "linear" || x > 0).sort((a, b) => a - b);
  const { low, high } = extentOf(numbers);
  const domain = data.kind === "curves" && data.xScale === "linear" ? [0, high] : [low, high];
  // A parameter has few values: those are what a reader looks for on the axis.
  const few = data.kind !== "curves" && numbers.length <= 8;
  const ticks = few ? numbers : data.xScale === "log" ? logTicks({ low, high }) : null;
  return { options: { type: data.xScale, domain }, ticks };
}

/** Faint lines across, numbers without tick marks, the title of x below; y's title stands above the panel. */
export function axisMarks(
  plot: typeof Plot,
  data: FigureData,
  xTicks: readonly (number | string)[] | null,
  yTicks: readonly number[] | null,
): Plot.Markish[] {
  const ticksOf = (ticks: readonly (number | string)[] | null, many: number) => ({
    ticks: ticks === null ? many : [...ticks],
  });
  const xText = (value: unknown): string =>
    typeof value === "number" ? tickText(value, data.price?.unit ?? "number") : `${value}`;
  const quiet = { color: "var(--muted)", tickSize: 0 } as const;
  return [
    plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, ...ticksOf(yTicks, 5) }),
    plot.axisX({
      ...quiet,
      label: data.xTitle,
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: 34,
      // Not `tickFormat`: on a logarithmic axis Plot leaves out the labels of some ticks that we chose to have.
      text: xText,
      ...ticksOf(xTicks, 5),
    }),
    plot.axisY({
      ...quiet,
      label: null,
      tickFormat: (value: number) => tickText(value, yUnit(data)),
      ...ticksOf(yTicks, 5),
    }),
  ];
}

interface Drawable {
  readonly x: number | string;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Points that the scales can show: a logarithm takes nothing at or below 0. */
function drawable(data: FigureData, { points }: FigureSeries): Drawable[] {
  return points
    .map(({ x, y }) => ({ x, y: y.value, low: y.low, high: y.high }))
    .filter(({ x, y }) => (data.xScale !== "log" || Number(x) > 0) && (data.yScale !== "log" || y > 0))
    .map((point) =>
      data.yScale === "log" && point.low !== null && point.low <= 0 ? { ...point, low: point.y } : point,
    );
}

/** The interval: a band where x is a number, else a bar. */
function spread(plot: typeof Plot, data: FigureData, series: FigureSeries): Plot.Markish {
  const { colour } = curveStyleOf(series.look);
  const points = drawable(data, series).filter(({ low }) => low !== null);
  if (points.some(({ x }) => typeof x === "string") || data.xScale === "ordinal") {
    return plot.ruleX(points, { x: "x", y1: "low", y2: "high", stroke: colour, strokeWidth: 1.5 });
  }
  return plot.areaY(points, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.14 });
}

function lineMarks(plot: typeof Plot, data: FigureData, series: FigureSeries): Plot.Markish[] {
  const { colour, dash, symbol } = curveStyleOf(series.look);
  const points = drawable(data, series);
  const stroke = {
    stroke: colour,
    strokeWidth: 1.8,
    ...(dash === null ? {} : { strokeDasharray: dash, strokeLinecap: "butt" as const }),
  };
  const line = plot.lineY(points, { x: "x", y: "y", ...stroke });
  if (data.kind === "curves") return [line];
  const dots = plot.dot(points, {
    x: "x",
    y: "y",
    symbol,
    fill: colour,
    stroke: "var(--paper)",
    strokeWidth: 1,
    r: 4.5,
  });
  const { law } = series;
  if (law === null) return [line, dots];
  const fitted = points.map(({ x }) => ({ x, y: law.scale * Number(x) ** law.exponent.value }));
  return [plot.lineY(fitted, { x: "x", y: "y", ...stroke }), dots];
}
