import type { Measure } from "../measures.ts";
import type { PowerLaw } from "../statistics/exponent.ts";
import type { SeedEstimate } from "../statistics/interval.ts";
import type { FigureSpec } from "./spec.ts";

/** The numbers of a figure, before anything is drawn or said. All names are plain text. */
export interface FigureData {
  readonly id: string;
  readonly title: string;
  readonly kind: FigureSpec["kind"];
  readonly measure: Measure;
  /** The measure on the x axis of a trade-off. */
  readonly price: Measure | null;
  readonly relativeTo: string | null;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xScale: "linear" | "log" | "ordinal";
  readonly yScale: "linear" | "log";
  /** All series in the order of the experiment. */
  readonly legend: readonly LegendEntry[];
  readonly panels: readonly Panel[];
  /** Seeds behind a point: fewest and most; 0 where there is no point. */
  readonly seeds: { readonly least: number; readonly most: number };
}

export interface LegendEntry {
  readonly name: string;
  /** Its colour, dash and shape: a policy has the same in all figures of a run. */
  readonly look: number;
}

export interface Panel {
  readonly name: string;
  readonly series: readonly FigureSeries[];
}

export interface FigureSeries {
  readonly name: string;
  /** As in the legend. */
  readonly look: number;
  /** The kind of policy, where all its rows are of one kind. */
  readonly kind: string | null;
  readonly points: readonly Point[];
  readonly law: PowerLaw | null;
}

export interface Point {
  readonly x: number | string;
  /** What is drawn: the mean over seeds, or the ratio to the reference. */
  readonly y: SeedEstimate;
  /** The price of a trade-off with its interval. */
  readonly price: SeedEstimate | null;
  /** The measure in each seed, for comparisons over common seeds. */
  readonly bySeed: ReadonlyMap<number, number>;
}
