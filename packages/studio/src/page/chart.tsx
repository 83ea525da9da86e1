import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Ink } from "../view/ink.ts";
import { ink } from "./ink.ts";

export interface Curve {
  readonly name: string;
  /** Index of a series colour. */
  readonly colour: number;
  readonly dash?: readonly number[];
}

export interface ChartProps {
  readonly title: string;
  /** What it says, in words. */
  readonly sentence: string;
  readonly curves: readonly Curve[];
  /** x, then a list for each curve; null where there is nothing to show. */
  readonly data: readonly (readonly (number | null)[] | Float64Array)[];
  readonly format?: (value: number) => string;
  readonly xFormat: (value: number) => string;
  /** The moment shown, where the data go on past it. */
  readonly mark?: number | null;
}

function optionsOf({ curves, format, xFormat }: ChartProps, colours: Ink, width: number): uPlot.Options {
  const axis = { stroke: colours.muted, font: colours.font, ticks: { show: false }, gap: 6 };
  const grid = { stroke: colours.line, width: 0.5 };
  return {
    width,
    height: 184,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    padding: [8, 18, 0, 0],
    scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(low, high) } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 70, values: (_, ticks) => ticks.map(xFormat) },
      { ...axis, grid, size: 58, space: 34, values: (_, ticks) => ticks.map(format ?? String) },
    ],
    series: [
      {},
      ...curves.map(({ name, colour, dash }) => ({
        label: name,
        stroke: colours.series[colour],
        width: 2,
        points: { show: false },
        ...(dash !== undefined && { dash: [...dash] }),
      })),
    ],
  };
}

/** From zero where that is not far, with some air above; never empty. */
function rangeOf(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const air = 0.06 * (high - low);
  const from = low >= 0 && low < high - low ? 0 : low - air;
  return high - from < 1e-9 ? [from, from + 1] : [from, high + air];
}

/** A chart with its sentence. The numbers themselves are in the export; the sentence says what they come to. */
export function Chart(props: ChartProps) {
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
    const observer = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height: 184 }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [colours, shape]);
  useEffect(() => plot.current?.setData(dataOf(props)));
  return (
    <section class="panel chart" aria-label={props.title}>
      <h3>{props.title}</h3>
      <p>{props.sentence}</p>
      <div class="plot" ref={place} aria-hidden="true" />
      <ul class="keys">
        {props.curves.map(({ name, colour, dash }) => (
          <li key={name}>
            <svg width="20" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="20"
                y2="4"
                stroke={colours.series[colour]}
                stroke-width="2.5"
                stroke-dasharray={dash?.join(" ")}
              />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

const dataOf = ({ data }: ChartProps): uPlot.AlignedData => data as unknown as uPlot.AlignedData;
