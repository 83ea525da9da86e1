import { numberText } from "../../report/numbers.ts";
import type { SeedEstimate } from "../../report/statistics/interval.ts";
import { ratioOf } from "../../report/statistics/paired.ts";
import { grouped } from "../../report/summary.ts";
import type { ReportColumn, Table, TableCell } from "../../report/tables/table.ts";
import type { Result, Row } from "../../results/types.ts";

/** What a table of ratios compares kindred by, and with whom. */
export interface Comparison {
  readonly name: string;
  /** What each run came to; null where it is not known. */
  readonly of: (row: Row) => number | null;
  readonly better: "less" | "more";
  /**
   * A column each: kindred over the best policy of some kinds, found in hindsight. Which one that was is said of the last
   * of them.
   */
  readonly over: readonly Reference[];
  readonly notes: readonly string[];
}

interface Reference {
  readonly title: string;
  readonly kinds: ReadonlySet<string>;
}

const NOTHING: TableCell = { text: "–", detail: null, part: null, best: false, order: null };

/** A policy in one world, and its value by seed. */
interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly bySeed: ReadonlyMap<number, number>;
}

/** A row for each world: what kindred came to as a multiple of what others came to in the same seeds. */
export function ratioTable(comparison: Comparison, results: readonly Result[]): Table {
  const worlds = grouped(results, ({ row }) => row.world);
  const seeds = new Set(results.map(({ row }) => row.seed)).size;
  return {
    name: comparison.name,
    caption: `${worlds.size} worlds, ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    columns: columnsOf(comparison),
    rows: [...worlds].map(([world, own]) => rowOf(comparison, world, own)),
    notes: comparison.notes,
  };
}

/** Where room is short, ratios lose their intervals before any column goes. */
const columnsOf = ({ over }: Comparison): ReportColumn[] => [
  { title: "world", numeric: false, rank: 0 },
  ...over.map(({ title }) => ({ title, numeric: true, rank: 2 })),
  { title: "which is", numeric: false, rank: 1 },
];

function rowOf(comparison: Comparison, world: string, results: readonly Result[]): TableCell[] {
  const entries = [...grouped(results, ({ row }) => row.policy)].map(([name, own]) => entryOf(comparison, name, own));
  const kindred = entries.find(({ name }) => name === "kindred");
  const references = comparison.over.map(({ kinds }) => bestOf(comparison, entries, kinds));
  const last = references.at(-1);
  return [
    named(world),
    ...references.map((reference) => ratioCell(kindred, reference)),
    last === undefined ? NOTHING : named(last.name),
  ];
}

function entryOf({ of }: Comparison, name: string, results: readonly Result[]): Entry {
  const bySeed = new Map<number, number>();
  for (const { row } of results) {
    const value = of(row);
    if (value !== null) bySeed.set(row.seed, value);
  }
  return { name, kind: results[0]!.row.kind, bySeed };
}

/** Of the entries of these kinds the one with the best mean. */
function bestOf({ better }: Comparison, entries: readonly Entry[], kinds: ReadonlySet<string>): Entry | undefined {
  const sign = better === "less" ? 1 : -1;
  let best: { readonly entry: Entry; readonly score: number } | undefined;
  for (const entry of entries) {
    if (!kinds.has(entry.kind) || entry.bySeed.size === 0) continue;
    let sum = 0;
    for (const value of entry.bySeed.values()) sum += value;
    const score = (sign * sum) / entry.bySeed.size;
    if (best === undefined || score < best.score) best = { entry, score };
  }
  return best?.entry;
}

function ratioCell(own: Entry | undefined, reference: Entry | undefined): TableCell {
  if (own === undefined || reference === undefined) return NOTHING;
  const seeds = [...own.bySeed.keys()].filter((seed) => reference.bySeed.has(seed));
  const ratio = ratioOf(
    seeds.map((seed) => own.bySeed.get(seed)!),
    seeds.map((seed) => reference.bySeed.get(seed)!),
  );
  return ratio === null ? NOTHING : estimateCell(ratio);
}

/** Two places, whatever the width of the interval: rows are compared with one another. */
function estimateCell({ value, low, high }: SeedEstimate): TableCell {
  const shown = (ratio: number): string => numberText(ratio, Math.abs(ratio) < 10 ? 2 : 1);
  const detail = low === null || high === null ? null : `${shown(low)} to ${shown(high)}`;
  return { text: shown(value), detail, part: null, best: false, order: value };
}

const named = (name: string): TableCell => ({ text: name, detail: null, part: null, best: false, order: name });
