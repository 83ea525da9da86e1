import { exp } from "../numbers/exp.ts";
import { ln } from "../numbers/ln.ts";
import { slotSize } from "../numbers/packed.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { type Group, worthTrying } from "./group.ts";
import type { Groupings } from "./groupings.ts";
import type { Own, Start } from "./own.ts";

/** A change is believed where its log Bayes factor is above ln n + SURE, n the observations of the era. */
const SURE = 5;
/** A start is compared with the present one when it has this many observations, then whenever it has grown by this factor. */
const LEAST = 4;
const GROWN = 1.1;

/**
 * Whether a peer's taste has changed: Bayesian detection of one change point. Of the observations of an era (all), those
 * since a later start (since) and those before it (before) have the log Bayes factor
 *
 *     B = E(before) + E(since) − E(all)
 *
 * for two tastes against one, where E is the log marginal likelihood of sums under what peers are like: a draw from the
 * population, or the θ of a group,
 *
 *     E(j) = ln [ α exp(value(j)) + Σ_g size(g) exp(value(g + j) − value(g)) ] − ln(α + m),   m records, the first grouping.
 *
 * The era begins anew at the start with the largest B, where that is above ln n + 5. If nothing changes, the chance
 * that exp(B) of a given start ever exceeds a bound is at most one over that bound (Ville's inequality); that of the start
 * before observation k must exceed k e⁵, so a false alarm within n observations has a chance of at most (1 + ln n) e⁻⁵. One reward that is far off must not look like a
 * change: what the worst predicted one of those since can add to B beyond three standard deviations, ½ (w e²/σ² − 9), is
 * taken off, and of the worst one of all what its leverage on those before allows, min(1, d/n_before). Own sums are scaled by w = min(1, σ²/σ_own²): rewards that vary more than the population's
 * do not look like a change.
 */
export class Change {
  readonly #evidence: Evidence;
  readonly #all: Float64Array;
  readonly #part: Float64Array;
  readonly #before: Float64Array;
  readonly #centre: Float64Array;
  readonly #tried: Group[] = [];

  constructor(
    readonly dimension: number,
    readonly groups: Groupings,
  ) {
    this.#evidence = new Evidence(dimension);
    this.#all = new Float64Array(slotSize(dimension));
    this.#part = new Float64Array(slotSize(dimension));
    this.#before = new Float64Array(slotSize(dimension));
    this.#centre = new Float64Array(dimension);
  }

  /** The start since which the taste is another one; null where nothing speaks for a change. */
  find(own: Own): Start | null {
    const due = own.later.filter(({ count, tested }) => count >= LEAST && count >= tested * GROWN);
    if (due.length === 0) return null;
    const { prior, noise } = this.groups.population.even;
    const evidence = this.#evidence;
    const scale = this.#scale(own);
    const all = scaled(this.#all, own.slot, scale);
    const value = evidence.of(all, prior, noise);
    const threshold = ln(own.count) + SURE;
    let together: number | null = null;
    let best: Start | null = null;
    let most = threshold;
    for (const start of due) {
      start.tested = start.count;
      const part = scaled(this.#part, start.slot, scale);
      const before = difference(this.#before, all, part);
      // Two factorisations tell most starts; no group explains them better than without what a θ of their own costs.
      const apart = evidence.of(before, prior, noise);
      evidence.fit(part, prior);
      if (!(apart - value + evidence.explained / (2 * noise) > threshold)) continue;
      together ??= this.#mixture(all);
      const factor = this.#mixture(before) + this.#mixture(part) - together - this.#outliers(own, start, scale / noise);
      if (!(factor > most)) continue;
      most = factor;
      best = start;
    }
    return best;
  }

  /** What single rewards, the worst of those since and of all, may add to B; `precision` is w/σ². */
  #outliers(own: Own, start: Start, precision: number): number {
    const leverage = Math.min(1, this.dimension / (own.count - start.count));
    return excess(precision * start.worst) + leverage * excess(precision * own.worst);
  }

  /** min(1, σ²/σ_own²), where own rewards and d of the population's tell σ_own². */
  #scale({ slot, squares, count }: Own): number {
    const { mean, even } = this.groups.population;
    const { prior, noise } = even;
    this.#evidence.fit(slot, prior);
    const rest = Math.max(0, residualSquares(squares, slot, mean) - this.#evidence.explained);
    return Math.min(1, (noise * (count + this.dimension)) / (rest + noise * this.dimension));
  }

  /** E of the sums `slot`. */
  #mixture(slot: Float64Array): number {
    const { population, entries, all } = this.groups;
    const { prior, noise } = population.even;
    const { list, alpha } = all[0]!;
    const alone = this.#evidence.of(slot, prior, noise, this.#centre);
    if (alone === -Infinity) return alone;
    worthTrying(this.#tried, list, this.#centre, null);
    const logs = [ln(alpha) + alone];
    for (const group of this.#tried) {
      if (group.value === -Infinity) continue;
      logs.push(ln(group.size) + this.#evidence.ofSum(group.slot, slot, prior, noise) - group.value);
    }
    const top = Math.max(...logs);
    return top + ln(logs.reduce((sum, log) => sum + exp(log - top), 0)) - ln(alpha + entries.size);
  }
}

/** What a squared error may add to a log likelihood, beyond that of three standard deviations. */
const excess = (square: number): number => 0.5 * Math.max(0, square - 9);

/** out = scale · values. */
function scaled(out: Float64Array, values: Float64Array, scale: number): Float64Array {
  for (let k = 0; k < out.length; k++) out[k] = scale * values[k]!;
  return out;
}

/** out = a − b. */
function difference(out: Float64Array, a: Float64Array, b: Float64Array): Float64Array {
  for (let k = 0; k < out.length; k++) out[k] = a[k]! - b[k]!;
  return out;
}
