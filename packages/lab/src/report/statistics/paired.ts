import { Random } from "@coterie/core";
import { assert } from "@coterie/core/internal";
import { estimate, estimateMean, meanOf, type SeedEstimate } from "./interval.ts";

/** Two policies over the seeds they share: `a` against `b`. */
export interface Paired {
  readonly count: number;
  /** mean(a − b) */
  readonly difference: SeedEstimate;
  /** mean(a) / mean(b); null unless every resample of b has a positive mean. */
  readonly ratio: SeedEstimate | null;
  /** Two-sided, of the sign-flip test that a and b are exchangeable within each seed; null with one seed. */
  readonly p: number | null;
  /** The smallest p that so many seeds can give, however large the difference; null with one seed. */
  readonly leastP: number | null;
}

/** Up to so many seeds all 2^n flips are tried; beyond, FLIPS random ones. */
const EXACT = 14;
const FLIPS = 9999;

/** a[k] and b[k] come from the same seed. */
export function paired(a: readonly number[], b: readonly number[]): Paired {
  assert(a.length === b.length && a.length > 0, "paired values come in pairs, at least one");
  const differences = a.map((value, index) => value - b[index]!);
  return {
    count: a.length,
    difference: estimateMean(differences),
    ratio: ratioOf(a, b),
    p: a.length < 2 ? null : signFlip(differences),
    leastP: a.length < 2 ? null : leastP(a.length),
  };
}

/** All differences of one sign: of 2^n flips only the two with all signs alike reach as far. */
export const leastP = (seeds: number): number => (seeds > EXACT ? 1 / (1 + FLIPS) : 2 ** (1 - seeds));

/** Ratio of the means, both taken over the same resample of seeds. */
export function ratioOf(a: readonly number[], b: readonly number[]): SeedEstimate | null {
  // A denominator that could be 0 or below in some resample makes a ratio that says nothing.
  if (b.length === 0 || Math.min(...b) <= 0) return null;
  return estimate(a.length, (picks, from, count) => meanOf(a, picks, from, count) / meanOf(b, picks, from, count));
}

/** P( |Σ ± d| >= |Σ d| ) over independent fair signs. */
export function signFlip(differences: readonly number[]): number {
  const count = differences.length;
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  // The sum of the same numbers in another order of signs may differ in the last bits.
  const bar = observed - 1e-12 * differences.reduce((sum, value) => sum + Math.abs(value), 0);
  if (count > EXACT) return sampledFlips(differences, bar);
  let reached = 0;
  for (let signs = 0; signs < 2 ** count; signs++) {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += (signs >> k) & 1 ? -differences[k]! : differences[k]!;
    if (Math.abs(sum) >= bar) reached++;
  }
  return reached / 2 ** count;
}

/** (1 + how many random flips reach the bar) / (1 + flips): never 0, as no such test can be. */
function sampledFlips(differences: readonly number[], bar: number): number {
  const random = Random.seeded(1).fork("sign flips").fork(differences.length);
  let reached = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0;
    for (const difference of differences) sum += random.uint32() >>> 31 ? -difference : difference;
    if (Math.abs(sum) >= bar) reached++;
  }
  return (1 + reached) / (1 + FLIPS);
}
