import type { Table } from "../../report/tables/table.ts";
import type { Result } from "../../results/types.ts";
import { type Comparison, ratioTable } from "../tables/ratios.ts";
import { flipNote } from "./flip.ts";

const COMPARISON: Comparison = {
  name: "Regret of kindred as a multiple of others'",
  of: (row) => row.newcomerRegret ?? row.regret,
  better: "less",
  over: [
    { title: "over solo", kinds: new Set(["solo"]) },
    { title: "over the oracle", kinds: new Set(["oracle"]) },
    // The oracle is no baseline: it is told what others must find out.
    { title: "over the best baseline", kinds: new Set(["solo", "pooled", "club", "dccb"]) },
  ],
  notes: [
    "Below 1 kindred has less regret. Ratios of means over the seeds both have, with 95 % intervals.",
    "The best baseline has the least mean regret of solo, pooled, club and dccb in that world, found in hindsight.",
    "Where peers join late the figure is their own regret.",
  ],
};

/** A row for each world: kindred's regret as a multiple of what others have in the same seeds. */
export function lifeTable(results: readonly Result[]): Table {
  const table = ratioTable(COMPARISON, results);
  const note = flipNote(results);
  return note === null ? table : { ...table, notes: [...table.notes, note] };
}
