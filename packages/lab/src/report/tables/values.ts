import type { CsvValue } from "../files/csv.ts";
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
    ...spread(`${world.primary.name} difference`),
    ...spread(`${world.primary.name} ratio`),
    "p",
  ];
  const rows = world.policies.map(({ policy, kind, seeds, values, against }): CsvValue[] => [
    policy,
    kind,
    seeds,
    ...tabled.flatMap(({ name }) => [...numbers(values.get(name)!.estimate), values.get(name)!.known]),
    world.reference,
    ...numbers(against?.difference ?? null),
    ...numbers(against?.ratio ?? null),
    against?.p ?? null,
  ]);
  return { header, rows };
}

const numbers = (estimate: SeedEstimate | null): CsvValue[] =>
  estimate === null ? [null, null, null] : [estimate.value, estimate.low, estimate.high];
