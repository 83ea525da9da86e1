import { extname, join } from "node:path";
import { ConfigError } from "@coterie/core";
import { assert } from "@coterie/core/internal";
import { writeWhole } from "../data/files.ts";
import { type Run, readRun } from "../results/read.ts";
import { defaultFigures } from "./figures/defaults.ts";
import { drawFigure } from "./figures/draw.ts";
import { gather } from "./figures/gather.ts";
import type { ComputedFigure, Figure, FigureSpec } from "./figures/spec.ts";
import { checkpointColumns, type FileColumn, momentsOf, runColumns } from "./files/columns.ts";
import { csv } from "./files/csv.ts";
import { documentOf } from "./files/document.ts";
import { figureCsv } from "./files/figure.ts";
import { checkpointsBeside } from "./files/names.ts";
import { parquet } from "./files/parquet.ts";
import { type PageFigure, page } from "./page/page.ts";
import { sentenceOf } from "./sentences/sentence.ts";
import { summarise } from "./summary.ts";
import { latexTables } from "./tables/latex.ts";
import { type Table, tableOf } from "./tables/table.ts";
import { summaryCsv } from "./tables/values.ts";
import { reportText } from "./terminal/report.ts";
import type { TerminalOptions } from "./terminal/style.ts";
import { slug } from "./text.ts";

/** What to write, and where. */
export interface ReportOptions extends TerminalOptions {
  /** Files to write; each is written whole or not at all. */
  readonly html?: string;
  readonly csv?: string;
  readonly parquet?: string;
  readonly json?: string;
  /** The tables with means and intervals: as LaTeX where the name ends in .tex, as CSV where it ends in .csv. */
  readonly tables?: string;
  /** A directory that takes one SVG for each figure. */
  readonly svg?: string;
  /** The figures of a run, where it has its own (a built-in experiment's); else those that suit any experiment. */
  readonly figures?: (run: Run) => readonly Figure[];
  /** One table of the whole run, where it has its own. */
  readonly table?: (run: Run) => Table | null;
}

/** What a report says, and what it wrote. */
export interface Report {
  /** For the terminal: tables, then what each figure says. */
  readonly text: string;
  /** Files written, in the order of writing. */
  readonly files: readonly string[];
  /** All of it as JSON. */
  readonly document: object;
}

/** Tables and figures of finished runs; several directories of one experiment are merged. */
export async function report(directories: readonly string[], options: ReportOptions = {}): Promise<Report> {
  const tablesAs = formatOf(options.tables);
  const run = await readRun(directories);
  if (run.results.length === 0) {
    throw new ConfigError("directory", directories.join(", "), "hold at least one finished run");
  }
  const worlds = summarise(run.results);
  const figures = await Promise.all(figuresOf(run, options).map((spec) => drawn(run, spec)));
  const table = options.table?.(run) ?? null;
  const document = documentOf(run, worlds, figures);
  const files: string[] = [];
  const write = async (path: string, contents: string | Uint8Array): Promise<void> => {
    await writeWhole(path, contents);
    files.push(path);
  };
  if (options.html !== undefined) await write(options.html, page(run, worlds, figures, table));
  if (options.svg !== undefined) {
    for (const { id, svg } of figures) await write(join(options.svg, `${slug(id)}.svg`), `${svg}\n`);
  }
  if (tablesAs === ".csv") await write(options.tables!, summaryCsv(worlds));
  if (tablesAs === ".tex") await write(options.tables!, latexTables(table === null ? worlds.map(tableOf) : [table]));
  await writeTables(run, options, write);
  if (options.json !== undefined) await write(options.json, `${JSON.stringify(document, null, 2)}\n`);
  return { text: reportText(run, worlds, figures, table, options), files, document };
}

function formatOf(path: string | undefined): ".tex" | ".csv" | null {
  if (path === undefined) return null;
  const extension = extname(path).toLowerCase();
  if (extension === ".tex" || extension === ".csv") return extension;
  throw new ConfigError("--tables", path, "end in .tex or .csv");
}

function figuresOf(run: Run, options: ReportOptions): readonly Figure[] {
  const own = options.figures?.(run) ?? [];
  const figures = own.length > 0 ? own : defaultFigures(run);
  const names = new Set(figures.map(({ id }) => slug(id)));
  assert(names.size === figures.length, "each figure of a run has an id of its own");
  return figures;
}

async function drawn(run: Run, figure: Figure): Promise<PageFigure> {
  const { data, sentence } = "data" in figure ? figure : read(run, figure);
  const [inline, svg] = await Promise.all([
    drawFigure(data, { sentence, alone: false }),
    drawFigure(data, { sentence, alone: true }),
  ]);
  return { id: data.id, title: data.title, sentence, inline, svg, csv: figureCsv(data) };
}

function read(run: Run, spec: FigureSpec): ComputedFigure {
  const data = gather(run, spec);
  return { id: spec.id, data, sentence: spec.sentence?.(data, run) ?? sentenceOf(data) };
}

type Write = (path: string, contents: string | Uint8Array) => Promise<void>;

/** One row for each run, and beside it one for each checkpoint. */
async function writeTables(run: Run, options: ReportOptions, write: Write): Promise<void> {
  const moments = momentsOf(run.results);
  if (options.csv !== undefined) {
    await write(options.csv, csvOf(runColumns, run.results));
    await write(checkpointsBeside(options.csv), csvOf(checkpointColumns, moments));
  }
  if (options.parquet !== undefined) {
    await write(options.parquet, parquet(runColumns, run.results));
    await write(checkpointsBeside(options.parquet), parquet(checkpointColumns, moments));
  }
}

function csvOf<T>(columns: readonly FileColumn<T>[], items: readonly T[]): string {
  return csv(
    columns.map(({ name }) => name),
    items.map((item) => columns.map(({ of }) => of(item))),
  );
}
