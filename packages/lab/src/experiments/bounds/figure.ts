import type { FigureData, Panel, Point } from "../../report/figures/data.ts";
import { gather } from "../../report/figures/gather.ts";
import type { ComputedFigure, Figure } from "../../report/figures/spec.ts";
import { numberText } from "../../report/numbers.ts";
import { listed, named, sentenceCase } from "../../report/text.ts";
import type { Run } from "../../results/read.ts";
import type { Row } from "../../results/types.ts";
import { parseExperiment } from "../../running/parse.ts";
import { theorem1Bound, usefulFrom } from "../../theory/bounds.ts";
import type { ClustersConfig } from "../../worlds/clusters/config.ts";
import { exactPoint, type FigureLine, measuredPoint, withLines } from "../figures/series.ts";
import { rough } from "../figures/words.ts";
import { type Applied, boundsOf, chanceOf, TRIVIAL } from "./lines.ts";

interface Subject {
  readonly world: ClustersConfig;
  readonly policy: string;
  readonly delta: number;
  readonly applied: readonly Applied[];
}

/** Which policies have a bound, by world. */
function subjectsOf(run: Run): Map<string, Subject[]> {
  const { worlds, policies } = parseExperiment(run.experiment);
  const subjects = new Map<string, Subject[]>();
  for (const { name, config: world } of worlds) {
    if (world.kind !== "clusters") continue;
    const own = policies.flatMap(({ name: policy, policy: { kind, options } }) => {
      const delta = (options as { radius?: { delta?: number } }).radius?.delta;
      const applied = delta === undefined ? [] : boundsOf(kind, world, delta);
      return applied.length === 0 ? [] : [{ world, policy, delta: delta!, applied }];
    });
    subjects.set(name, own);
  }
  return subjects;
}

function boundsFigure(run: Run): ComputedFigure {
  const subjects = subjectsOf(run);
  const bounded = (row: Row): boolean => subjects.get(row.world)?.some(({ policy }) => policy === row.policy) ?? false;
  const measured = gather(run, {
    id: "regret-and-bounds",
    title: "The paper's bounds beside the measured regret",
    kind: "curves",
    measure: "regret",
    xScale: "log",
    yScale: "log",
    only: bounded,
  });
  const data = withLines(measured, (world) =>
    (subjects.get(world) ?? []).flatMap(({ policy, applied }) =>
      applied.map((bound) => lineOf(run, measured, world, policy, bound)),
    ),
  );
  return { id: data.id, data, sentence: sentence(data, subjects) };
}

/** A bound at the rounds its policy was looked at; where it asks for C, each seed has its own. */
function lineOf(run: Run, data: FigureData, world: string, policy: string, bound: Applied): FigureLine {
  const panel = data.panels.find(({ name }) => name === world);
  const xs = panel?.series.find(({ name }) => name === policy)?.points.map(({ x }) => Number(x)) ?? [];
  if (!bound.needsFound) return { name: bound.name, points: xs.map((x) => exactPoint(x, bound.at(x, 1))) };
  const rows = run.results.map(({ row }) => row).filter((row) => row.world === world && row.policy === policy);
  const found = rows.flatMap(({ seed, exactAtRound }) =>
    exactAtRound === null ? [] : [[seed, exactAtRound] as const],
  );
  if (found.length === 0) return { name: bound.name, points: [] };
  return {
    name: bound.name,
    points: xs.map((x) => measuredPoint(x, new Map(found.map(([seed, at]) => [seed, bound.at(x, at)])))),
  };
}

const endOf = (panel: Panel, name: string): Point | undefined =>
  panel.series.find((series) => series.name === name)?.points.at(-1);

function sentence(data: FigureData, subjects: ReadonlyMap<string, readonly Subject[]>): string {
  const parts = data.panels.map((panel) => {
    const own = (subjects.get(panel.name) ?? []).flatMap((subject) => standing(panel, subject));
    const rounds = Number(panel.series[0]!.points.at(-1)!.x);
    return sentenceCase(`in ${named(panel.name)} after ${numberText(rounds, 0)} rounds ${listed(own)}.`);
  });
  return `${parts.join(" ")}${usefulness(subjects)}`;
}

/** "dcb's regret is 260, Theorem 1 allows 3.1·10⁸ (1.2·10⁶ times as much)" */
function standing(panel: Panel, { policy, applied }: Subject): string[] {
  const measured = endOf(panel, policy);
  if (measured === undefined) return [];
  const allowed = applied
    .filter(({ name }) => name !== TRIVIAL)
    .map(({ name, needsFound }) => {
      const bound = endOf(panel, name);
      if (bound === undefined) return needsFound ? `${name} cannot be said, as the clusters were not found` : name;
      return `${name} allows ${rough(bound.y.value)} (${rough(bound.y.value / measured.y.value)} times as much)`;
    });
  return [`${policy} has a regret of ${rough(measured.y.value)} where ${listed(allowed)}`];
}

/** From which round on Theorem 1 says anything at all. */
function usefulness(subjects: ReadonlyMap<string, readonly Subject[]>): string {
  const all = [...subjects.values()].flat();
  const first = all.find(({ applied }) => applied.some(({ name }) => name === "Theorem 1"));
  if (first === undefined) return "";
  const from = usefulFrom(theorem1Bound, chanceOf(first.world, first.delta));
  const when = from === null ? "at no number of rounds" : `only from ${rough(from)} rounds on`;
  return ` Theorem 1 is below what any policy can lose, 2‖θ‖ a peer and round, ${when}.`;
}

export const figures = (run: Run): readonly Figure[] => [boundsFigure(run)];
