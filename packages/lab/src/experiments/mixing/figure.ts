import type { Pairing } from "@coterie/core/internal";
import type { FigureData } from "../../report/figures/data.ts";
import type { ComputedFigure, Figure } from "../../report/figures/spec.ts";
import type { Measure } from "../../report/measures.ts";
import { numberText } from "../../report/numbers.ts";
import { sentenceCase } from "../../report/text.ts";
import type { Run } from "../../results/read.ts";
import { parseExperiment } from "../../running/parse.ts";
import { mixingBound } from "../../theory/mixing.ts";
import { exactPoint, type FigureLine, figureOf, type LinesOf, measuredPoint } from "../figures/series.ts";
import { type Spreads, spreadsByAge } from "./spread.ts";

const AGES = 16;
const LEMMA = "the lemma, |V|/2^age";

const spread: Measure = {
  name: "spread",
  title: "mean (w − 1)²",
  meaning: "spread of the weights w of observations in a slot; 0 when all count alike",
  unit: "number",
  better: "less",
  of: () => null,
};

/** One panel for each size, one line for each pairing of the experiment; the runs' own seeds. */
function spreadFigure(run: Run): ComputedFigure {
  const { worlds, policies, seeds } = parseExperiment(run.experiment);
  const sizes = [...new Set(worlds.map(({ config }) => config.peers))];
  const pairings = [...new Set(policies.map(({ policy }) => (policy.options as { pairing?: Pairing }).pairing))];
  const panels = sizes.map((peers): LinesOf => {
    const lines = pairings.flatMap((pairing) => (pairing === undefined ? [] : linesOf(peers, pairing, seeds)));
    const lemma = agesFrom((age) => exactPoint(age, mixingBound(peers, age)));
    return { name: `${peers} peers`, lines: [...lines, { name: LEMMA, points: lemma }] };
  });
  const data = figureOf(
    {
      id: "weights-by-age",
      title: "How even a slot's weights are, by the rounds it has been mixed",
      kind: "curves",
      measure: spread,
      xTitle: "age of the slot: rounds mixed",
      yTitle: spread.title,
      xScale: "linear",
      yScale: "log",
    },
    panels,
  );
  return { id: data.id, data, sentence: sentence(data) };
}

const agesFrom = <T>(point: (age: number) => T): T[] => Array.from({ length: AGES + 1 }, (_, age) => point(age));

/** The mean over all weights, and under permutations, for which the lemma is proved, that of peers' own apart. */
function linesOf(peers: number, pairing: Pairing, seeds: readonly number[]): FigureLine[] {
  const runs = new Map(seeds.map((seed) => [seed, spreadsByAge(peers, pairing, AGES, seed)]));
  const along = (which: keyof Spreads) =>
    agesFrom((age) => measuredPoint(age, new Map([...runs].map(([seed, spreads]) => [seed, spreads[which][age]!]))));
  const lines = [{ name: pairing, points: along("all") }];
  return pairing === "permutation" ? [...lines, { name: "permutation, own only", points: along("own") }] : lines;
}

/** By what a round multiplies the spread, over the ages where it is not yet rounding; and whether it keeps to the lemma. */
function sentence({ panels }: FigureData): string {
  const parts = panels.map(({ name, series }) => {
    const lemma = series.find((line) => line.name === LEMMA)!;
    const each = series.filter((line) => line !== lemma);
    const words = each.map(({ name: line, points }) => {
      const [first, last] = [points[1]!.y.value, points[AGES / 2]!.y.value];
      const rate = numberText((last / first) ** (1 / (AGES / 2 - 1)), 2);
      const above = points.filter(({ y }, age) => (y.low ?? y.value) > lemma.points[age]!.y.value).length;
      return `${line} ${rate}${above === 0 ? "" : `, clearly above the lemma at ${above} of ${AGES + 1} ages`}`;
    });
    return `with ${name}, ${words.join("; ")}`;
  });
  return `The lemma has the spread halve with every round a slot is mixed; what it is multiplied by a round, measured. ${parts.map(sentenceCase).join(". ")}.`;
}

export const figures = (run: Run): readonly Figure[] => [
  spreadFigure(run),
  {
    id: "disagreement",
    title: "How far apart the estimates of peers with one taste are",
    kind: "curves",
    measure: "disagreement",
    yScale: "log",
  },
];
