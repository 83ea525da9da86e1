import { exp } from "../numbers/exp.ts";
import { lnGamma } from "../numbers/gamma.ts";
import { ln } from "../numbers/ln.ts";
import { powerOfTwo } from "../numbers/powers.ts";
import type { Random } from "../numbers/random.ts";

/**
 * The prior of a partition of m records into K groups of sizes n_k: a Chinese restaurant process,
 *
 *     p(partition | α) = α^K Γ(α)/Γ(α + m) · Π Γ(n_k)
 *
 * whose concentration α is learnt. A priori ln α is uniform on a grid from ½, where almost everybody is alike, to beyond 2m²,
 * where nobody is: neither is assumed.
 */
const LEAST_ALPHA = 0.5;

const alphaAt = (k: number): number => LEAST_ALPHA * powerOfTwo(k);

/** Of each α of the grid for m records, by m: ln α, ln Γ(α) and ln Γ(α + m), asked for many times in every round. */
const grids: (readonly (readonly [number, number, number])[])[] = [];
/** Beyond it grids are made each time: no view is so large. */
const MOST_KEPT = 4096;

function gridOf(records: number): readonly (readonly [number, number, number])[] {
  const kept = grids[records];
  if (kept !== undefined) return kept;
  const points = 3 + 2 * Math.ceil(ln(records + 1) / Math.LN2);
  const grid = Array.from({ length: points }, (_, k) => {
    const alpha = alphaAt(k);
    return [ln(alpha), lnGamma(alpha), lnGamma(alpha + records)] as const;
  });
  if (records <= MOST_KEPT) grids[records] = grid;
  return grid;
}

/** ln p(K groups of m records | α) for each α of the grid, but for the sizes. */
const lnWeights = (groups: number, records: number): number[] =>
  gridOf(records).map(([lnAlpha, before, after]) => groups * lnAlpha + before - after);

/** ln p(partition), with α summed out. */
export function lnPartition(sizes: readonly number[], records: number): number {
  const weights = lnWeights(sizes.length, records);
  const top = Math.max(...weights);
  let value = top + ln(weights.reduce((sum, weight) => sum + weightOf(weight - top), 0)) - ln(weights.length);
  for (const size of sizes) value += lnGamma(size);
  return value;
}

/** A draw of α from its posterior, where m records are in K groups. */
export function drawAlpha(groups: number, records: number, random: Random): number {
  const weights = lnWeights(groups, records);
  const top = Math.max(...weights);
  for (let k = 0; k < weights.length; k++) weights[k] = weightOf(weights[k]! - top);
  return alphaAt(draw(weights, random));
}

/** Below it a weight is lost beside that of 1, to which others are added. */
const LEAST_LOG = -40;

/** The weight that goes with `log`, of weights of which the largest is 1. */
export const weightOf = (log: number): number => (log < LEAST_LOG ? 0 : exp(log));

/** An index, below `count` where that is given, each with a chance in proportion to its weight. */
export function draw(weights: ArrayLike<number>, random: Random, count = weights.length): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += weights[k]!;
  let left = random.uniform() * total;
  for (let k = 0; k < count - 1; k++) {
    left -= weights[k]!;
    if (left < 0) return k;
  }
  return count - 1;
}
