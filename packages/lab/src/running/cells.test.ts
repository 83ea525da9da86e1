import { describe, expect, it } from "vitest";
import { missingCells } from "../results/reading/cells.ts";
import { cellsOf, cellsOfShard, parseShard } from "./cells.ts";
import { parseExperiment } from "./parse.ts";

const experiment = parseExperiment({
  name: "e",
  worlds: [{ kind: "clusters", peers: 2, clusters: 1, dimension: 2, arms: 2, noise: 0 }],
  policies: [{ kind: "random" }, { kind: "solo" }],
  rounds: 1,
  seeds: [5, 6, 7],
});

describe("cells and shards", () => {
  it("lists worlds × policies × seeds, the seeds running fastest", () => {
    expect(cellsOf(experiment).map(({ index, policy, seed }) => [index, policy.name, seed])).toEqual([
      [0, "random", 5],
      [1, "random", 6],
      [2, "random", 7],
      [3, "solo", 5],
      [4, "solo", 6],
      [5, "solo", 7],
    ]);
  });

  it("leaves out policies that a world does not name", () => {
    const plain = { kind: "clusters", peers: 2, clusters: 1, dimension: 2, arms: 2, noise: 0 };
    const document = experiment.source as object;
    const worlds = [{ ...plain, name: "few", policies: ["solo"] }, plain];
    const made = cellsOf(parseExperiment({ ...document, worlds }));
    expect(made.map(({ world, policy }) => `${world.name} ${policy.name}`)).toEqual([
      ...["few solo", "few solo", "few solo"],
      ...["clusters random", "clusters random", "clusters random"],
      ...["clusters solo", "clusters solo", "clusters solo"],
    ]);
    expect(made.map(({ index }) => index)).toEqual(Array.from({ length: 9 }, (_, k) => k));
    // A report finds the same cells in the document alone.
    const missing = missingCells({ ...document, worlds }, made.length, []);
    expect(missing.map(({ world, policy, seed }) => [world, policy, seed])).toEqual(
      made.map(({ world, policy, seed }) => [world.name, policy.name, seed]),
    );
  });

  it("gives every cell to exactly one shard", () => {
    const cells = cellsOf(experiment);
    for (const of of [1, 2, 4, 9]) {
      const shards = Array.from({ length: of }, (_, k) => cellsOfShard(cells, { index: k + 1, of }));
      expect(
        shards
          .flat()
          .map(({ index }) => index)
          .sort(),
      ).toEqual([0, 1, 2, 3, 4, 5]);
    }
  });

  it("reads K/N, Slurm and Kubernetes", () => {
    expect(parseShard("2/4", {})).toEqual({ index: 2, of: 4 });
    const slurm = { SLURM_ARRAY_TASK_ID: "7", SLURM_ARRAY_TASK_MIN: "5", SLURM_ARRAY_TASK_COUNT: "4" };
    expect(parseShard("auto", slurm)).toEqual({ index: 3, of: 4 });
    expect(parseShard("auto", { JOB_COMPLETION_INDEX: "0", COTERIE_SHARDS: "8" })).toEqual({ index: 1, of: 8 });
  });

  it.each([
    ["0/4", {}],
    ["5/4", {}],
    ["2", {}],
    ["auto", {}],
    ["auto", { SLURM_ARRAY_TASK_ID: "1" }],
    ["auto", { JOB_COMPLETION_INDEX: "8", COTERIE_SHARDS: "8" }],
  ])("refuses %s with %j", (text, environment) => {
    expect(() => parseShard(text, environment)).toThrow(/must/);
  });
});
