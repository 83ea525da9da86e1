import type { Run } from "../../results/read.ts";
import type { WorldSummary } from "../summary.ts";

/** What a figure says, without its drawing. */
export interface FigureText {
  readonly id: string;
  readonly title: string;
  readonly sentence: string;
}

/** All of a report as one JSON document: what was run, what is missing, means with intervals, and every row. */
export function documentOf(run: Run, worlds: readonly WorldSummary[], figures: readonly FigureText[]): object {
  return {
    experiment: run.name,
    sources: run.sources.map(({ file, manifest: { experiment: _, ...rest } }) => ({ file, ...rest })),
    cells: run.cells,
    missing: run.missing,
    worlds: worlds.map((world) => ({
      ...world,
      primary: world.primary.name,
      policies: world.policies.map((policy) => ({ ...policy, values: Object.fromEntries(policy.values) })),
    })),
    figures: figures.map(({ id, title, sentence }) => ({ id, title, sentence })),
    rows: run.results.map(({ row }) => row),
  };
}
