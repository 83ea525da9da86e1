import type { FigureData, FigureSeries } from "../../report/figures/data.ts";
import { gather } from "../../report/figures/gather.ts";
import type { ComputedFigure, Figure, LogLog } from "../../report/figures/spec.ts";
import { type Measure, measures } from "../../report/measures.ts";
import { numberText } from "../../report/numbers.ts";
import { listed, named, sentenceCase } from "../../report/text.ts";
import type { Run } from "../../results/read.ts";
import type { Checkpoint, Result } from "../../results/types.ts";
import { exactPoint, type FigureLine, figureOf, type LinesOf, withLines } from "../figures/series.ts";
import { withInterval } from "../figures/words.ts";
import {
  bytesPerRound,
  bytesThen,
  lateRegret,
  linesByRounds,
  middleSize,
  regretThen,
  TRACKING,
  tastes,
  trackingLine,
} from "./growth.ts";
import { paperExponent, type Quantity } from "./paper.ts";

const ONE_TASTE = "one taste";

/** The figures whose fitted powers make up the table. */
function parts(run: Run): readonly { readonly quantity: Quantity; readonly data: FigureData }[] {
  const byPeers = (id: string, title: string, measure: Measure): FigureData => {
    const spec: LogLog = { id, title, kind: "loglog", measure, panel: tastes, x: "row.peers", xTitle: "peers" };
    // Solo sends nothing: there is no power of nothing.
    return gather(run, measure === bytesPerRound ? { ...spec, only: ({ kind }) => kind !== "solo" } : spec);
  };
  const bytes = byPeers("bytes-by-peers", "Bytes per round against peers", bytesPerRound);
  return [
    { quantity: "regret by peers", data: byPeers("regret-by-peers", "Regret against peers", measures.regret) },
    {
      quantity: "late regret by peers",
      data: byPeers("late-regret-by-peers", "Regret of the second half against peers", lateRegret),
    },
    {
      quantity: "regret by rounds",
      data: byRounds(run, "regret-by-rounds", "Regret against rounds", measures.regret, regretThen),
    },
    { quantity: "bytes by peers", data: withLines(bytes, (world) => [trackingLine(run, world)]) },
    {
      quantity: "bytes by rounds",
      data: byRounds(run, "bytes-by-rounds", "Bytes per round against rounds", bytesPerRound, bytesThen),
    },
  ];
}

function byRounds(
  run: Run,
  id: string,
  title: string,
  measure: Measure,
  value: (result: Result, checkpoint: Checkpoint) => number | null,
): FigureData {
  const about = { id, title: `${title}, ${middleSize(run)} peers`, kind: "loglog", measure } as const;
  const axes = { xTitle: "rounds", yTitle: measure.title, xScale: "log", yScale: "log" } as const;
  const worlds = [...new Set(run.results.map(tastes))];
  return figureOf(
    { ...about, ...axes },
    worlds.map((name) => ({ name, lines: linesByRounds(run, name, value) })),
  );
}

/** "solo 0.99 (0.97 to 1.01; the paper: 1)" */
function beside(quantity: Quantity, world: string, { name, law }: FigureSeries): string | null {
  if (law === null) return null;
  const paper = paperExponent(quantity, name, world === ONE_TASTE);
  const measured = withInterval(law.exponent);
  if (paper === null) return `${name} ${measured}`;
  const said = `the paper: ${numberText(paper, paper % 1 === 0 ? 0 : 1)}`;
  return measured.endsWith(")") ? `${name} ${measured.slice(0, -1)}; ${said})` : `${name} ${measured} (${said})`;
}

function sentence(quantity: Quantity, { panels, measure, xTitle }: FigureData): string {
  const each = panels.map(({ name, series }) => {
    const words = series.map((own) => beside(quantity, name, own)).filter((text) => text !== null);
    return words.length === 0 ? "" : `in ${named(name)} ${listed(words)}`;
  });
  const said = each.filter((text) => text !== "");
  if (said.length === 0) return `Too few points to fit a power of ${xTitle}.`;
  return sentenceCase(`powers of ${xTitle} in ${measure.title}: ${said.join("; ")}.`);
}

/** The table: measured exponents with their intervals, the paper's below each. */
function tableFigure(run: Run, all: ReturnType<typeof parts>): ComputedFigure {
  const panels = all.flatMap(({ quantity, data }): LinesOf[] =>
    data.panels.map(({ name, series }) => ({
      name: `${quantity}, ${name}`,
      lines: series.flatMap((own) => dotsOf(quantity, name, own)),
    })),
  );
  const about = { id: "exponents", title: "The paper's table: powers of peers and rounds", kind: "dots" } as const;
  const axes = { xTitle: "exponent", yTitle: "", xScale: "linear", yScale: "linear" } as const;
  const data = figureOf({ ...about, measure: exponent, ...axes }, panels);
  const bytes = all.find(({ quantity }) => quantity === "bytes by peers")!.data.panels[0];
  const seeds = all[0]!.data.seeds;
  return { id: data.id, data: { ...data, seeds }, sentence: trackingCost(bytes?.series ?? [], middleSize(run)) };
}

const exponent: Measure = {
  name: "exponent",
  title: "exponent",
  meaning: "power of peers or rounds fitted to the means over seeds, and the paper's beside it",
  unit: "number",
  better: null,
  of: () => null,
};

/** Where the paper says nothing, nothing is beside it. */
function dotsOf(quantity: Quantity, world: string, { name, law }: FigureSeries): FigureLine[] {
  const paper = paperExponent(quantity, name, world === ONE_TASTE);
  if (law === null || paper === null) return [];
  return [
    { name, points: [{ x: "", y: law.exponent, price: null, bySeed: new Map() }] },
    { name: `${name}, the paper`, like: name, points: [exactPoint("", paper)] },
  ];
}

/** What tracking who knows what costs beside what DCB sends anyway. */
function trackingCost(series: readonly FigureSeries[], size: number): string {
  const at = (name: string) =>
    series.find((own) => own.name === name)?.points.find(({ x }) => x === size)?.y.value ?? null;
  const [tracking, dcb] = [at(TRACKING), at("dcb")];
  if (tracking === null || dcb === null)
    return "Fitted powers of peers and of rounds beside those of the paper's table.";
  const share = numberText(tracking / dcb, 3);
  return `Fitted powers of peers and of rounds beside those of the paper's table. At ${size} peers, tracking who knows what would add ${share} times the bytes that dcb sends; it grows with the square of the number of peers, dcb hardly faster than the number.`;
}

export const figures = (run: Run): readonly Figure[] => {
  const all = parts(run);
  return [
    tableFigure(run, all),
    ...all.map(({ quantity, data }) => ({ id: data.id, data, sentence: sentence(quantity, data) })),
  ];
};
