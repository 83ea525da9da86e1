import { extentOf, logTicks, pricesOf, roundedOut, tickText, withZero, ysOf, yUnit } from "./axes.ts";
import type { FigureData, FigureSeries, Panel, Point } from "./data.ts";
import { type Drawing, drawingOf, plotting } from "./drawing.ts";
import { axisMarks, frame, MARGINS, type PanelSize } from "./lines.ts";
import { curveStyleOf } from "./palette.ts";

/** Panels with one point for each series. */

const endOf = ({ points }: FigureSeries): Point => points.at(-1)!;

/** The names to the left, a dot and its interval to the right of each. */
export async function drawDots(data: FigureData, panel: Panel, size: PanelSize): Promise<Drawing> {
  const plot = await plotting();
  const log = data.xScale === "log";
  const values = ysOf(panel).filter((value) => !log || value > 0);
  const extent = log ? roundedOut(extentOf(values)) : withZero(extentOf(values));
  const ticks = log ? logTicks(extent) : 4;
  const names = panel.series.map(({ name }) => name);
  return drawingOf(plot, {
    ...frame(size),
    marginLeft: size.labelWidth,
    marginRight: MARGINS.right,
    x: { type: data.xScale === "log" ? "log" : "linear", domain: [extent.low, extent.high], nice: !log },
    y: { type: "point", domain: names, padding: 0.6 },
    marks: [
      plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1, ticks }),
      plot.axisX({
        color: "var(--muted)",
        tickSize: 0,
        label: data.xTitle,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: 34,
        tickFormat: (value: number) => tickText(value, yUnit(data)),
        ticks,
      }),
      plot.axisY({ color: "var(--ink)", tickSize: 0, label: null }),
      data.relativeTo === null ? null : plot.ruleX([1], { stroke: "var(--muted)", strokeDasharray: "3 3" }),
      ...panel.series.flatMap((series) => {
        const { colour, symbol } = curveStyleOf(series.look);
        const { y } = endOf(series);
        if (log && !(y.value > 0)) return [];
        const at = [{ name: series.name, value: y.value, low: y.low, high: y.high }];
        const range = { y: "name", x1: "low", x2: "high", stroke: colour, strokeWidth: 2 } as const;
        return [
          y.low === null ? null : plot.ruleY(at, range),
          plot.dot(at, { y: "name", x: "value", symbol, fill: colour, r: 5 }),
        ];
      }),
    ],
  });
}

/** What is gained upwards, what is paid to the right. */
export async function drawTradeoff(data: FigureData, panel: Panel, size: PanelSize): Promise<Drawing> {
  const plot = await plotting();
  const [logX, logY] = [data.xScale === "log", data.yScale === "log"];
  const xs = extentOf(pricesOf(panel).filter((value) => !logX || value > 0));
  const ys = extentOf(ysOf(panel).filter((value) => !logY || value > 0));
  const [x, y] = [logX ? roundedOut(xs) : withZero(xs), logY ? roundedOut(ys) : withZero(ys)];
  return drawingOf(plot, {
    ...frame(size),
    x: { type: logX ? "log" : "linear", domain: [x.low, x.high], nice: !logX, inset: 8 },
    y: { type: data.yScale, domain: [y.low, y.high], nice: !logY, inset: 8 },
    marks: [
      ...axisMarks(plot, data, logX ? logTicks(x) : null, logY ? logTicks(y) : null),
      ...panel.series.flatMap((series) => {
        const { colour, symbol } = curveStyleOf(series.look);
        const { y: gain, price } = endOf(series);
        if ((logX && !(price!.value > 0)) || (logY && !(gain.value > 0))) return [];
        const at = [
          { x: price!.value, y: gain.value, low: gain.low, high: gain.high, left: price!.low, right: price!.high },
        ];
        const bar = { stroke: colour, strokeWidth: 1.5 } as const;
        return [
          gain.low === null ? null : plot.ruleX(at, { x: "x", y1: "low", y2: "high", ...bar }),
          price!.low === null ? null : plot.ruleY(at, { y: "y", x1: "left", x2: "right", ...bar }),
          plot.dot(at, { x: "x", y: "y", symbol, fill: colour, stroke: "var(--paper)", strokeWidth: 1, r: 5.5 }),
        ];
      }),
    ],
  });
}
