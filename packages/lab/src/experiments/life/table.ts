import { number } from "../../report/numbers.ts";
import type { Estimate } from "../../report/statistics/interval.ts";
import { ratioOf } from "../../report/statistics/paired.ts";
import { grouped } from "../../report/summary.ts";
import type { Column, Table, TableCell } from "../../report/tables/table.ts";
import type { Result } from "../../results/types.ts";

const NOTHING: TableCell = { text: "–", detail: null, part: null, best: false, order: null };

/** Where room is short, ratios lose their intervals before any column goes. */
const COLUMNS: readonly Column[] = [
  { title: "world", numeric: false, rank: 0 },
  { title: "over solo", numeric: true, rank: 2 },
  { title: "over the oracle", numeric: true, rank: 2 },
  { title: "over the best baseline", numeric: true, rank: 2 },
  { title: "which is", numeric: false, rank: 1 },
];

/** Regret by seed of one policy in one world. */
type BySeed = ReadonlyMap<number, number>;

/** A row for each world: kindred's regret as a multiple of what others have in the same seeds. */
export function lifeTable(results: readonly Result[]): Table {
  const worlds = grouped(results, ({ row }) => row.world);
  const rows = [...worlds].map(([world, own]) => rowOf(world, own));
  const seeds = new Set(results.map(({ row }) => row.seed)).size;
  return {
    name: "Regret of kindred as a multiple of others'",
    caption: `${worlds.size} worlds, ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    columns: COLUMNS,
    rows,
    notes: [
      "Below 1 kindred has less regret. Ratios of means over the seeds both have, with 95 % intervals.",
      "The best baseline has the least mean regret of solo, pooled, club and dccb in that world, found in hindsight.",
      "Where peers join late the figure is their own regret.",
    ],
  };
}

function rowOf(world: string, results: readonly Result[]): TableCell[] {
  const policies = new Map(
    [...grouped(results, ({ row }) => row.policy)].map(([policy, own]) => [policy, regrets(own)] as const),
  );
  const kindred = policies.get("kindred");
  const over = (name: string): TableCell => ratioCell(kindred, policies.get(name));
  const best = bestBaseline(policies);
  return [
    named(world),
    over("solo"),
    over("oracle"),
    best === null ? NOTHING : over(best),
    best === null ? NOTHING : named(best),
  ];
}

const regrets = (results: readonly Result[]): BySeed =>
  new Map(
    results.flatMap(({ row }) => {
      const regret = row.newcomerRegret ?? row.regret;
      return regret === null ? [] : [[row.seed, regret] as const];
    }),
  );

/** The one with the least mean; the oracle is none, for it is told what others must find out. */
function bestBaseline(policies: ReadonlyMap<string, BySeed>): string | null {
  let best: { readonly name: string; readonly mean: number } | null = null;
  for (const [name, bySeed] of policies) {
    if (name === "kindred" || name === "oracle" || bySeed.size === 0) continue;
    let sum = 0;
    for (const regret of bySeed.values()) sum += regret;
    const mean = sum / bySeed.size;
    if (best === null || mean < best.mean) best = { name, mean };
  }
  return best?.name ?? null;
}

function ratioCell(own: BySeed | undefined, reference: BySeed | undefined): TableCell {
  if (own === undefined || reference === undefined) return NOTHING;
  const seeds = [...own.keys()].filter((seed) => reference.has(seed));
  const ratio = ratioOf(
    seeds.map((seed) => own.get(seed)!),
    seeds.map((seed) => reference.get(seed)!),
  );
  return ratio === null ? NOTHING : estimateCell(ratio);
}

/** Two places, whatever the width of the interval: rows are compared with one another. */
function estimateCell({ value, low, high }: Estimate): TableCell {
  const shown = (ratio: number): string => number(ratio, Math.abs(ratio) < 10 ? 2 : 1);
  const detail = low === null || high === null ? null : `${shown(low)} to ${shown(high)}`;
  return { text: shown(value), detail, part: null, best: false, order: value };
}

const named = (name: string): TableCell => ({ text: name, detail: null, part: null, best: false, order: name });
