import type { Result } from "../results/types.ts";
import { type Measure, measures } from "./measures.ts";
import { estimateMean, type SeedEstimate } from "./statistics/interval.ts";
import { type Paired, paired } from "./statistics/paired.ts";

/** A measure of one policy in one world. */
export interface MeasureSummary {
  /** Over the seeds that have a value; null if none has. */
  readonly estimate: SeedEstimate | null;
  /** Seeds that have a value, of all seeds that ran. */
  readonly known: number;
  readonly of: number;
  /** The best mean of all policies that have a value in every seed. */
  readonly best: boolean;
}

export interface PolicySummary {
  readonly policy: string;
  readonly kind: string;
  readonly seeds: number;
  /** By name of the measure. */
  readonly values: ReadonlyMap<string, MeasureSummary>;
  /** The world's primary measure against the reference's, over the seeds both have; null for the reference itself. */
  readonly against: Paired | null;
}

export interface WorldSummary {
  readonly world: string;
  readonly peers: number;
  readonly rounds: number;
  /** The most seeds any policy has. */
  readonly seeds: number;
  /** What policies are compared by: regret where the world knows it, else reward. */
  readonly primary: Measure;
  /** The policy the others are compared with: solo, or the first. */
  readonly reference: string;
  readonly policies: readonly PolicySummary[];
}

/** What a table shows, in this order. */
export const tabled: readonly Measure[] = [
  measures.regret,
  measures.reward,
  measures.rewardOverRandom,
  measures.bytes,
  measures.exchanges,
  measures.exactAtRound,
];

/** Worlds and policies in the order of their first result. */
export function summarise(results: readonly Result[]): WorldSummary[] {
  return [...grouped(results, ({ row }) => row.world)].map(([world, inWorld]) => summariseWorld(world, inWorld));
}

function summariseWorld(world: string, results: readonly Result[]): WorldSummary {
  const byPolicy = grouped(results, ({ row }) => row.policy);
  const primary = results.some(({ row }) => row.regret !== null) ? measures.regret : measures.reward;
  const solo = results.find(({ row }) => row.kind === "solo");
  const reference = (solo ?? results[0]!).row.policy;
  const policies = [...byPolicy].map(([policy, own]) => ({
    policy,
    kind: own[0]!.row.kind,
    seeds: own.length,
    values: new Map(tabled.map((measure) => [measure.name, summary(own, measure)])),
    against: policy === reference ? null : comparison(own, byPolicy.get(reference)!, primary),
  }));
  for (const measure of tabled) markBest(policies, measure);
  return {
    world,
    peers: results[0]!.row.peers,
    rounds: results[0]!.row.rounds,
    seeds: Math.max(...policies.map(({ seeds }) => seeds)),
    primary,
    reference,
    policies,
  };
}

function summary(results: readonly Result[], measure: Measure): MeasureSummary {
  const values = results.map(measure.of).filter((value) => value !== null);
  const estimate = values.length === 0 ? null : estimateMean(values);
  return { estimate, known: values.length, of: results.length, best: false };
}

function markBest(policies: readonly { values: Map<string, MeasureSummary> }[], measure: Measure): void {
  if (measure.better === null || policies.length < 2) return;
  // A mean over the lucky seeds alone is not comparable.
  const complete = policies.filter(({ values }) => {
    const { known, of } = values.get(measure.name)!;
    return known === of;
  });
  const means = complete.map(({ values }) => values.get(measure.name)!.estimate!.value);
  const best = measure.better === "less" ? Math.min(...means) : Math.max(...means);
  complete.forEach(({ values }, index) => {
    if (means[index] === best) values.set(measure.name, { ...values.get(measure.name)!, best: true });
  });
}

/** Null where no seed has both values. */
function comparison(own: readonly Result[], reference: readonly Result[], measure: Measure): Paired | null {
  const theirs = new Map(reference.map((result) => [result.row.seed, measure.of(result)]));
  const pairs = own
    .map((result) => [measure.of(result), theirs.get(result.row.seed) ?? null] as const)
    .filter((pair): pair is readonly [number, number] => pair[0] !== null && pair[1] !== null);
  if (pairs.length === 0) return null;
  return paired(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
  );
}

/** Groups in the order of their first member. */
export function grouped<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
