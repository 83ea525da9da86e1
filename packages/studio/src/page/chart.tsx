import { curveStyleOf, extentOf, tickText, type Unit, withZero } from "@coterie/lab";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { clock } from "../model/words.ts";
import type { Ink } from "../view/ink.ts";
import { ink } from "./ink.ts";

export interface Curve {
  readonly name: string;
  /** Which look of the lab's figures it has: colour and dashes. */
  readonly look: number;
}

export interface ChartProps {
  readonly title: string;
  /** What it says, in words. */
  readonly sentence: string;
  readonly curves: readonly Curve[];
  /** x, then a list for each curve; null where there is nothing to show. */
  readonly data: readonly (readonly (number | null)[] | Float64Array)[];
  /** Of what is drawn upwards; a number unless told. */
  readonly unit?: Unit;
  readonly xFormat: (value: number) => string;
  /** Of the drawing, in pixels. */
  readonly height?: number;
}

const HEIGHT = 184;
/** Steps between the ticks of a clock, in seconds. */
const CLOCK_STEPS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];

/**
 * Looks, ranges and the text of ticks are those of the lab's reports, so that a curve reads the same in both. What they are
 * drawn on is not: a report's figure is an SVG that is whole without a script and prints well, and a live curve is painted anew
 * several times a second.
 */
function optionsOf(props: ChartProps, colours: Ink, width: number): uPlot.Options {
  const { curves, unit = "number", xFormat, height = HEIGHT } = props;
  const axis = { stroke: colours.muted, font: colours.font, ticks: { show: false }, gap: 6 };
  const grid = { stroke: colours.line, width: 0.5 };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    padding: [8, 18, 0, 0],
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(low, high) } },
    axes: [
      {
        ...axis,
        ...(xFormat === clock && { incrs: CLOCK_STEPS }),
        grid: { show: false },
        size: 28,
        space: 70,
        values: (_, ticks) => ticks.map(xFormat),
      },
      { ...axis, grid, size: 58, space: 34, values: (_, ticks) => ticks.map((tick) => tickText(tick, unit)) },
    ],
    series: [
      {},
      ...curves.map(({ name, look }) => {
        const { hue, dash } = curveStyleOf(look);
        const line = dash === null ? {} : { dash: dash.split(" ").map(Number) };
        return { label: name, stroke: colours.series[hue], width: 2, points: { show: false }, ...line };
      }),
    ],
  };
}

/** A report's range, with some air above; from zero where nothing has happened yet. */
function rangeOf(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null) return [0, 1];
  if (least === most && least >= 0) return [0, 1.25 * least || 1];
  const { low, high } = withZero(extentOf([least, most]));
  return [low, high + 0.06 * (high - low)];
}

/** The drawing of a chart, and what its curves are called. */
export function Plot(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const colours = ink.value;
  const shape = props.curves.map(({ name }) => name).join();
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const made = new uPlot(optionsOf(latest.current, colours, current.clientWidth), dataOf(latest.current), current);
    plot.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: current.clientWidth, height: latest.current.height ?? HEIGHT }),
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [colours, shape]);
  useEffect(() => plot.current?.setData(dataOf(props)));
  return (
    <>
      <div class="plot" ref={place} style={{ height: `${props.height ?? HEIGHT}px` }} aria-hidden="true" />
      <ul class="keys" aria-label="Curves">
        {props.curves.map(({ name, look }) => (
          <li key={name}>
            <Sample look={look} />
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A chart with its sentence. The numbers themselves are in the export; the sentence says what they come to. */
export const Chart = (props: ChartProps) => (
  <section class="panel chart" aria-label={props.title}>
    <h3>{props.title}</h3>
    <p>{props.sentence}</p>
    <Plot {...props} />
  </section>
);

/** A piece of a curve. */
function Sample({ look }: { look: number }) {
  const { colour, dash } = curveStyleOf(look);
  return (
    <svg width="20" height="8" aria-hidden="true">
      <line x1="0" y1="4" x2="20" y2="4" stroke={colour} stroke-width="2.5" stroke-dasharray={dash ?? undefined} />
    </svg>
  );
}

const dataOf = ({ data }: ChartProps): uPlot.AlignedData => data as unknown as uPlot.AlignedData;
