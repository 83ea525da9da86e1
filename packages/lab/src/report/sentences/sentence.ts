import type { FigureData, Panel } from "../figures/data.ts";
import { numberText } from "../numbers.ts";
import { named, sentenceCase } from "../text.ts";
import { changes, powers } from "./parameter.ts";
import { prices } from "./price.ts";
import { ranking, rankings } from "./ranking.ts";
import { lastOf } from "./words.ts";

/** More panels than these are summed up in one sentence instead of having one each. */
const MOST_PANELS = 3;

/** What a figure shows, in words that are computed from its numbers. */
export function sentenceOf(data: FigureData): string {
  if (data.panels.length === 0) return `No run has a value of ${data.measure.title} yet.`;
  const sums = data.panels.length > MOST_PANELS && (ranks(data) || data.kind === "tradeoff");
  const sentences = sums ? [summedUp(data)] : data.panels.map(eachPanel(data));
  if (data.seeds.most === 1) sentences.push("One seed only, so no interval.");
  return sentences.map(sentenceCase).join(" ");
}

const ranks = ({ kind }: FigureData): boolean => kind === "curves" || kind === "dots";

const eachPanel =
  (data: FigureData) =>
  (panel: Panel): string => {
    const where = data.panels.length > 1 && panel.name !== "" ? `in ${named(panel.name)}` : "";
    return [where, panelSentence(data, panel)].filter((part) => part !== "").join(ranks(data) ? " " : ", ");
  };

function panelSentence(data: FigureData, panel: Panel): string {
  if (data.kind === "loglog") return powers(data, panel);
  if (data.kind === "against") return changes(data, panel);
  if (data.kind === "tradeoff") return prices(data, panel);
  if (data.kind === "dots") return `at the end ${ranking(data, panel.series)}`;
  return `after ${numberText(roundsOf(panel), 0)} rounds ${ranking(data, atEnd(panel).series)}`;
}

const roundsOf = ({ series }: Panel): number => Math.max(...series.map((one) => Number(lastOf(one).x)));

/** Only those that reached the last round are compared there. */
const atEnd = (panel: Panel): Panel => ({
  ...panel,
  series: panel.series.filter((series) => lastOf(series).x === roundsOf(panel)),
});

function summedUp(data: FigureData): string {
  if (data.kind !== "curves") return `at the end ${rankings(data, data.panels)}`;
  const rounds = new Set(data.panels.map(roundsOf));
  const when = rounds.size === 1 ? `after ${numberText([...rounds][0]!, 0)} rounds` : "at the end";
  return `${when} ${rankings(data, data.panels.map(atEnd))}`;
}
