import type { FigureData, FigureSeries, Panel } from "../../report/figures/data.ts";
import { gather } from "../../report/figures/gather.ts";
import type { CellView, Figure } from "../../report/figures/spec.ts";
import { sentenceOf } from "../../report/sentences/sentence.ts";
import type { Run } from "../../results/read.ts";
import { tuned } from "../figures/tuned.ts";
import { VW, VW_REWARDS } from "./outside.ts";

/** How a kind of policy is called: kindred runs as it comes, of the others the best setting of each world. */
const NAMES: Readonly<Record<string, string>> = {
  kindred: "kindred, defaults",
  solo: "solo (alone), tuned",
  pooled: "pooled, tuned",
  club: "CLUB, tuned",
  dccb: "DCCB, tuned",
};

export function figures(run: Run): readonly Figure[] {
  const data = gather(run, {
    id: "real",
    title: "Reward on real data: the default policy and baselines tuned in hindsight",
    kind: "dots",
    measure: "rewardOverRandom",
    only: tuned(run),
    series: ({ row }: CellView) => NAMES[row.kind] ?? row.kind,
  });
  return [{ id: data.id, data: withOutside(data), sentence: sentenceOf(data) }];
}

/** A series of numbers that were taken from elsewhere: without an interval, and named so. */
function withOutside(data: FigureData): FigureData {
  const look = data.legend.length;
  const added = ({ name, series }: Panel): Panel => ({ name, series: [...series, ...outside(name, look)] });
  return { ...data, legend: [...data.legend, { name: VW, look }], panels: data.panels.map(added) };
}

function outside(panel: string, look: number): FigureSeries[] {
  const value = VW_REWARDS[panel];
  if (value === undefined) return [];
  const y = { value, low: null, high: null, count: 3 };
  return [{ name: VW, look, kind: null, points: [{ x: "", y, price: null, bySeed: new Map() }], law: null }];
}
