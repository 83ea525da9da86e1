import { type Run, runOf } from "../../results/read.ts";
import type { Result } from "../../results/types.ts";
import { cellsOf } from "../../running/cells.ts";
import { type Experiment, parseExperiment } from "../../running/parse.ts";
import { runCell } from "../../running/runCell.ts";
import { createWorld } from "../../worlds/create.ts";

/** Runs a document to its end, in this thread; a clock that ticks once a look makes every run take a second. */
export async function runSmall(document: object): Promise<Run> {
  const experiment = parseExperiment(document);
  const results: Result[] = [];
  let now = 0;
  for (const cell of cellsOf(experiment)) {
    const world = await createWorld(cell.world.config, cell.seed, cell.world.rounds);
    results.push(runCell(cell, world, { checkpoints: experiment.checkpoints, clock: () => now++ }));
  }
  return inMemory(experiment, results);
}

/** The run of one seed alone, from a run of several: a cell depends on its own seed only, so none has to be run again. */
export function ofOneSeed(run: Run, seed: number): Run {
  const results = run.results.filter(({ row }) => row.seed === seed).map((result, cell) => ({ ...result, cell }));
  return inMemory(parseExperiment({ ...(run.experiment as object), seeds: [seed] }), results);
}

function inMemory(experiment: Experiment, results: readonly Result[]): Run {
  const manifest = {
    format: 1,
    version: "0.1.0",
    engine: { node: "v20.0.0", platform: "linux", arch: "x64" },
    created: "2026-01-02T03:04:05.000Z",
    experiment: experiment.source,
    name: experiment.name,
    cells: cellsOf(experiment).length,
    shard: { index: 1, of: 1 },
  } as const;
  return runOf([{ file: "small/manifest.json", manifest }], results);
}
