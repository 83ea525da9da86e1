import { ConfigError } from "@coterie/core";
import type { Figure } from "../report/figures/spec.ts";
import type { Table } from "../report/tables/table.ts";
import type { Run } from "../results/read.ts";
import { type Experiment, parseExperiment } from "../running/parse.ts";
import { bounds } from "./bounds/experiment.ts";
import type { BuiltIn } from "./builtIn.ts";
import { delay } from "./delay/experiment.ts";
import { discovery } from "./discovery/experiment.ts";
import { growth } from "./growth/experiment.ts";
import { kindred } from "./kindred/experiment.ts";
import { kindredClusters } from "./kindred-clusters/experiment.ts";
import { life } from "./life/experiment.ts";
import { lifeData } from "./life-data/experiment.ts";
import { lifeRandom } from "./life-random/experiment.ts";
import { mixing } from "./mixing/experiment.ts";
import { pairings } from "./pairings/experiment.ts";
import { paperFigure } from "./paper-figure/experiment.ts";
import { paperTable } from "./paper-table/experiment.ts";
import { quick } from "./quick/experiment.ts";
import { radius } from "./radius/experiment.ts";
import { real } from "./real/experiment.ts";
import { scale } from "./scale/experiment.ts";
import { scaleKindred } from "./scale-kindred/experiment.ts";
import { threshold } from "./threshold/experiment.ts";

/** The experiments that come with the lab, in the order in which they are listed. */
export const builtIns: readonly BuiltIn[] = [
  quick,
  real,
  paperFigure,
  paperTable,
  bounds,
  mixing,
  delay,
  pairings,
  radius,
  threshold,
  growth,
  scale,
  scaleKindred,
  kindred,
  kindredClusters,
  life,
  lifeData,
  lifeRandom,
  discovery,
];

/** A built-in experiment by its name, or null. */
export function builtIn(name: string): Experiment | null {
  const found = builtIns.find((entry) => entry.name === name);
  return found === undefined ? null : parseExperiment(found.document);
}

/** The figures of its own that a finished run has: none, unless it is a built-in experiment's. */
export function figuresOf(run: Run): readonly Figure[] {
  return entryOf(run)?.figures?.(run) ?? [];
}

/** What a run or an experiment is told by. */
type Told = Pick<Run, "name" | "experiment" | "results">;

/** The one table of the whole run; null unless it is of a built-in experiment that has one. */
export function tableOf(run: Told): Table | null {
  return entryOf(run)?.table?.(run.results) ?? null;
}

function entryOf({ name, experiment }: Told): BuiltIn | null {
  const found = builtIns.find((entry) => entry.name === name);
  return found !== undefined && sameNames(experiment, found.document) ? found : null;
}

/** Figures go by the names of worlds and policies; sizes, rounds, seeds and options may be anyone's. */
function sameNames(run: unknown, document: object): boolean {
  const [theirs, ours] = [namesOf(run), namesOf(document)];
  return theirs !== null && theirs === ours;
}

function namesOf(document: unknown): string | null {
  try {
    const { worlds, policies } = parseExperiment(document);
    return JSON.stringify([worlds.map(({ name }) => name), policies.map(({ name }) => name)]);
  } catch (error) {
    // Of another version, or not made of worlds and policies: then the figures are not for it.
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
