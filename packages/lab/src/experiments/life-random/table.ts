import { numberText } from "../../report/numbers.ts";
import { grouped } from "../../report/summary.ts";
import type { Table } from "../../report/tables/table.ts";
import type { Result } from "../../results/types.ts";
import { lifeTable } from "../life/table.ts";

/** What no world should have more of, as a multiple of solo's regret. */
const BOUND = 1.05;

/** The table of `life`, and what its worlds came to taken together. */
export function lifeRandomTable(results: readonly Result[]): Table {
  const table = lifeTable(results);
  const note = summary(results);
  return note === null ? table : { ...table, notes: [...table.notes, note] };
}

/** Null where no world has both kindred and solo. */
function summary(results: readonly Result[]): string | null {
  const ratios = [...grouped(results, ({ row }) => row.world)]
    .map(([world, own]) => ({ world, ratio: regretOf(own, "kindred") / regretOf(own, "solo") }))
    .filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio));
  if (ratios.length === 0) return null;
  const middle = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  const above = ratios.filter(({ ratio }) => ratio > BOUND).length;
  const worst = ratios.reduce((most, each) => (each.ratio > most.ratio ? each : most));
  return (
    `Geometric mean over solo in ${ratios.length} worlds: ${numberText(middle, 2)}. Above ${BOUND} in ${above} of them, ` +
    `most in ${worst.world}: ${numberText(worst.ratio, 2)}.`
  );
}

function regretOf(results: readonly Result[], policy: string): number {
  return results.reduce((sum, { row }) => (row.policy === policy ? sum + (row.regret ?? 0) : sum), 0);
}
