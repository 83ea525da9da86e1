import type { Table } from "../../report/tables/table.ts";
import type { Result } from "../../results/types.ts";
import { type Comparison, ratioTable } from "../tables/ratios.ts";

const COMPARISON: Comparison = {
  name: "Reward over random of kindred as a multiple of others'",
  of: (row) => row.rewardOverRandom,
  better: "more",
  over: [
    { title: "over the best solo", kinds: new Set(["solo"]) },
    { title: "over the best baseline", kinds: new Set(["solo", "pooled", "club"]) },
  ],
  notes: [
    "Above 1 kindred earns more. Ratios of means over the seeds both have, with 95 % intervals.",
    "The best baseline has the highest mean reward of solo, pooled and club with all their settings in that world, found in hindsight.",
  ],
};

/** A row for each dataset: kindred's reward over random as a multiple of what others have in the same seeds. */
export const lifeDataTable = (results: readonly Result[]): Table => ratioTable(COMPARISON, results);
