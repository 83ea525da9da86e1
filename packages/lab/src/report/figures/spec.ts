import type { Run } from "../../results/read.ts";
import type { Row } from "../../results/types.ts";
import type { Measure, MeasureName } from "../measures.ts";
import type { FigureData } from "./data.ts";

/**
 * A figure as data. A built-in experiment has one file with its own:
 *
 *     export const figures: FigureSpec[] = [
 *       { id: "regret-by-peers", title: "Regret per peer falls as peers join", kind: "loglog",
 *         measure: "regret", x: "row.peers", xTitle: "peers" },
 *     ];
 *
 * What a figure says in words is computed from its numbers; `sentence` replaces that where an experiment knows better.
 */
export type FigureSpec = Curves | Against | LogLog | Dots | Tradeoff;

/** What a reading may look at: the row, and the experiment's own entries of the world and the policy. */
export interface CellView {
  readonly row: Row;
  readonly world: unknown;
  readonly policy: unknown;
}

/** A value of a cell: a path (`row.peers`, `world.noise`, `policy.threshold.factor`) or a function. Null leaves it out. */
export type CellValue = string | ((cell: CellView) => string | number | null);

interface Common {
  /** Short and unique: the name of its files. */
  readonly id: string;
  readonly title: string;
  readonly measure: MeasureName | Measure;
  /** Which rows take part; all by default. */
  readonly only?: (row: Row) => boolean;
  /** What gets a panel of its own; `row.world` by default. */
  readonly panel?: CellValue;
  /** What gets a line of its own; `row.policy` by default. */
  readonly series?: CellValue;
  /** Draws ratios to this series (same panel, x and seeds) instead of the values themselves. */
  readonly relativeTo?: string;
  /** Instead of the computed one. */
  readonly sentence?: (data: FigureData, run: Run) => string;
}

/** A measure against rounds. */
export interface Curves extends Common {
  readonly kind: "curves";
  readonly xScale?: "linear" | "log";
  readonly yScale?: "linear" | "log";
}

/** A measure at the end against a parameter; an ordinal one keeps the order of the experiment. */
export interface Against extends Common {
  readonly kind: "against";
  readonly x: CellValue;
  readonly xTitle: string;
  readonly xScale?: "linear" | "log" | "ordinal";
  readonly yScale?: "linear" | "log";
}

/** As `against`, both axes logarithmic, with the fitted power of each line. */
export interface LogLog extends Common {
  readonly kind: "loglog";
  readonly x: CellValue;
  readonly xTitle: string;
}

/** A measure at the end, one dot with its interval for each series. */
export interface Dots extends Common {
  readonly kind: "dots";
  readonly xScale?: "linear" | "log";
}

/** One measure at the end against another: what is gained for what is paid. */
export interface Tradeoff extends Common {
  readonly kind: "tradeoff";
  readonly price: MeasureName | Measure;
  readonly xScale?: "linear" | "log";
  readonly yScale?: "linear" | "log";
}

/** Numbers that no row holds, worked out by a pure function of the run: of its rows, or of its experiment alone. */
export interface ComputedFigure {
  readonly id: string;
  readonly data: FigureData;
  readonly sentence: string;
}

/** A figure of the rows, or one that was worked out. */
export type Figure = FigureSpec | ComputedFigure;
