import type { FigureData, Panel } from "../../report/figures/data.ts";
import { gather } from "../../report/figures/gather.ts";
import type { Figure } from "../../report/figures/spec.ts";
import { numberText } from "../../report/numbers.ts";
import { compared, inRelation, isClear } from "../../report/sentences/comparison.ts";
import { listed, named } from "../../report/text.ts";
import type { Run } from "../../results/read.ts";

const PUBLISHED = "dccb as published";

/** Each policy at the end, then the paper's claim: DCCB as good as CLUB, both above CB-NoSharing and CB-InstSharing. */
function sentence(data: FigureData): string {
  const ends = data.panels.map((panel) => `${named(panel.name)}: ${listed(atTheEnd(panel))}.`);
  const claims = data.panels.map((panel) => `on ${named(panel.name)} ${standing(panel, data)}`);
  return `Reward over random at the end, highest first. ${ends.join(" ")} The paper has dccb about as good as club and both above solo and pooled; here dccb as published has ${claims.join("; ")}.`;
}

const endOf = (panel: Panel, policy: string) => panel.series.find(({ name }) => name === policy)?.points.at(-1);

function atTheEnd({ series }: Panel): string[] {
  return series
    .filter(({ kind }) => kind !== "random")
    .map(({ name, points }) => ({ name, value: points.at(-1)!.y.value }))
    .sort((a, b) => b.value - a.value)
    .map(({ name, value }) => `${name} ${numberText(value, 2)}`);
}

function standing(panel: Panel, { measure }: FigureData): string {
  const own = endOf(panel, PUBLISHED);
  const parts = ["club", "solo", "pooled"].flatMap((other) => {
    const theirs = endOf(panel, other);
    const comparison = own === undefined || theirs === undefined ? null : compared(own, theirs);
    if (comparison === null) return [];
    return [`${inRelation(comparison, measure, other)}${isClear(comparison) === false ? ", no clear difference" : ""}`];
  });
  return parts.length === 0 ? "nothing to compare" : listed(parts);
}

/** Early on some seeds have no value yet, because random has not earned enough; a mean over the others is another mean. */
function fromAllSeeds(data: FigureData): FigureData {
  const { most } = data.seeds;
  const panels = data.panels.map(({ name, series }) => ({
    name,
    series: series
      .map((own) => ({ ...own, points: own.points.filter(({ y }) => y.count === most) }))
      .filter(({ points }) => points.length > 0),
  }));
  return { ...data, panels, seeds: { least: most, most } };
}

export function figures(run: Run): readonly Figure[] {
  const data = fromAllSeeds(
    gather(run, {
      id: "reward-over-random",
      title: "Reward over random, as in the paper's figure",
      kind: "curves",
      measure: "rewardOverRandom",
    }),
  );
  return [{ id: data.id, data, sentence: sentence(data) }];
}
