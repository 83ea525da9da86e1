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

/** Of each α of the grid for m records. */
interface Grid {
  readonly lnAlpha: Float64Array;
  /** ln Γ(α), and ln Γ(α + m). */
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** By m: asked for many times in every round. */
const grids: Grid[] = [];
/** Beyond it grids are made each time: no view is so large. */
const MOST_KEPT = 4096;

function gridOf(records: number): Grid {
  const kept = grids[records];
  if (kept !== undefined) return kept;
  const alphas = Float64Array.from({ length: 3 + 2 * Math.ceil(ln(records + 1) / Math.LN2) }, (_, k) => alphaAt(k));
  const grid = {
    lnAlpha: alphas.map(ln),
    before: alphas.map(lnGamma),
    after: alphas.map((alpha) => lnGamma(alpha + records)),
  };
  if (records <= MOST_KEPT) grids[records] = grid;
  return grid;
}

/** Weights of each α, the largest of them 1, and the log of that. Nothing of it is used from one call to the next. */
const weights = new Float64Array(3 + 2 * 53);
let top = 0;

/** Fills `weights` by ln p(K groups of m records | α) for each α of the grid, but for the sizes. How many there are. */
function weigh(groups: number, records: number): number {
  const { lnAlpha, before, after } = gridOf(records);
  const points = lnAlpha.length;
  top = -Infinity;
  for (let k = 0; k < points; k++) {
    const log = groups * lnAlpha[k]! + before[k]! - after[k]!;
    weights[k] = log;
    if (log > top) top = log;
  }
  for (let k = 0; k < points; k++) weights[k] = weightOf(weights[k]! - top);
  return points;
}

/** ln p(partition), with α summed out. */
export function lnPartition(sizes: readonly number[], records: number): number {
  const points = weigh(sizes.length, records);
  let sum = 0;
  for (let k = 0; k < points; k++) sum += weights[k]!;
  let value = top + ln(sum) - ln(points);
  for (const size of sizes) value += lnGamma(size);
  return value;
}

/** A draw of α from its posterior, where m records are in K groups. */
export function drawAlpha(groups: number, records: number, random: Random): number {
  const points = weigh(groups, records);
  return alphaAt(draw(weights, random, points));
}

/** Below it a weight is lost beside that of 1, to which others are added. */
const LEAST_LOG = -40;

/** The weight that goes with `log`, of weights of which the largest is 1. */
export const weightOf = (log: number): number => (log < LEAST_LOG ? 0 : exp(log));

/** An index, below `count` where that is given, each with a chance in proportion to its weight. */
export function draw(weights: Float64Array, random: Random, count = weights.length): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += weights[k]!;
  let left = random.uniform() * total;
  for (let k = 0; k < count - 1; k++) {
    left -= weights[k]!;
    if (left < 0) return k;
  }
  return count - 1;
}
