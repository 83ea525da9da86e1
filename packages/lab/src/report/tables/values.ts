import { type CsvValue, csv } from "../files/csv.ts";
import type { SeedEstimate } from "../statistics/interval.ts";
import { tabled, type WorldSummary } from "../summary.ts";

/** A world's table with every digit: means, bounds, and the comparison with the reference. */
export function summaryRows(world: WorldSummary): { header: string[]; rows: CsvValue[][] } {
  const spread = (name: string): string[] => [name, `${name} low`, `${name} high`];
  const header = [
    "policy",
    "kind",
    "seeds",
    ...tabled.flatMap(({ name }) => [...spread(name), `${name} seeds`]),
    "reference",
    "compared by",
    ...spread("difference"),
    ...spread("ratio"),
    "p",
    "least p",
  ];
  const rows = world.policies.map(({ policy, kind, seeds, values, against }): CsvValue[] => [
    policy,
    kind,
    seeds,
    ...tabled.flatMap(({ name }) => [...numbers(values.get(name)!.estimate), values.get(name)!.known]),
    world.reference,
    world.primary.name,
    ...numbers(against?.difference ?? null),
    ...numbers(against?.ratio ?? null),
    against?.p ?? null,
    against?.leastP ?? null,
  ]);
  return { header, rows };
}

/** The tables of all worlds as one: a row for each world and policy. */
export function summaryCsv(worlds: readonly WorldSummary[]): string {
  const tables = worlds.map((world) => ({ world: world.world, ...summaryRows(world) }));
  const rows = tables.flatMap(({ world, rows }) => rows.map((row) => [world, ...row]));
  return csv(["world", ...tables[0]!.header], rows);
}

const numbers = (estimate: SeedEstimate | null): CsvValue[] =>
  estimate === null ? [null, null, null] : [estimate.value, estimate.low, estimate.high];
