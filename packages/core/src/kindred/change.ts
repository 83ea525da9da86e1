import { exp } from "../numbers/exp.ts";
import { ln } from "../numbers/ln.ts";
import { slotSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import { Evidence, residualSquares, shiftedSquares, valueOfFit } from "./evidence.ts";
import type { Group } from "./group.ts";
import type { Groupings } from "./groupings.ts";
import { ALONE_ODDS } from "./guard.ts";
import { gaussianShare } from "./noises.ts";
import type { OwnSums, Start } from "./own.ts";
import { Prior } from "./prior.ts";

/** A change is believed where its log Bayes factor is above ln n + SURE, n the observations of the era. */
const SURE = 5;
/** A start is compared with the present one when it has this many observations, then whenever it has grown by this factor. */
const LEAST = 4;
const GROWN = 1.25;
/** Starts are looked through once so many observations have come: a 64th of those of the era, but never many, so that no era is too long to end. */
const lookAfter = (count: number): number => Math.min(8, count / 64);
/** What rounding may take from squares, as a part of all own ones. */
const SLACK = 1e-9;

interface Room {
  readonly all: Float64Array;
  readonly part: Float64Array;
  readonly before: Float64Array;
  readonly centre: Float64Array;
  /** explained and ln det before each start. */
  found: Float64Array;
  /** What one would believe alone. */
  readonly alone: Prior;
}

const makeRoom = (dimension: number): Room => ({
  all: new Float64Array(slotSize(dimension)),
  part: new Float64Array(slotSize(dimension)),
  before: new Float64Array(slotSize(dimension)),
  centre: new Float64Array(dimension),
  found: new Float64Array(0),
  alone: new Prior(new Float64Array(dimension)),
});

/** Groups that are tried; of no meaning from one call to the next. */
const worth: Group[] = [];

/**
 * Whether a peer's taste has changed: Bayesian detection of one change point. Of the observations of an era (all), those
 * since a later start (since) and those before it (before) have the log Bayes factor
 *
 *     B = E(before) + E(since) − E(all)
 *
 * for two tastes against one, where E is the log marginal likelihood of sums under what peers are like: a draw from the
 * population, or the θ of a group (m records, the first grouping); or, with the guard's prior odds ε, what one would believe alone,
 *
 *     E(j) = ln [ p(j) + ε exp(s · alone(j)) ] − ln(1 + ε)
 *     p(j) = [ α exp(value(j)) + Σ_g size(g) exp(value(g + j) − value(g)) ] / (α + m)
 *
 * Alone is there because a population that is learnt from few records lies close to one's own taste of before: a taste that
 * is far from it would be believed only after dozens of observations. alone(j) is a Gaussian likelihood relative to what μ̂ leaves
 * unexplained. Its power s = 2/(κ − 1), at most 1, κ the kurtosis of own rewards, keeps three rare clicks in a row from looking like a change.
 *
 * The era begins anew at the start with the largest B, where that is above ln n + 5. If nothing changes, the chance
 * that exp(B) of a given start ever exceeds a bound is at most 1 + ε over that bound (Ville's inequality); that of the start
 * before observation k must exceed k e⁵, so a false alarm within n observations has a chance of at most (1 + ε)(1 + ln n) e⁻⁵. One reward that is far off must not look like a
 * change: what the worst predicted one of those since can add to B beyond three standard deviations, ½ (w e²/σ² − 9), is
 * taken off, and of the worst one of all what its leverage on those before allows, min(1, d/n_before). Own sums are scaled by w = min(1, σ²/σ_own²): rewards that vary more than the population's
 * do not look like a change.
 */
export class Change {
  readonly #evidence: Evidence;
  readonly #room: Room;
  /** The power of its likelihood. */
  #power = 1;

  constructor(
    readonly dimension: number,
    readonly groups: Groupings,
  ) {
    this.#evidence = new Evidence(dimension);
    this.#room = roomOf(dimension, makeRoom);
  }

  /** The start since which the taste is another one; null where nothing speaks for a change. */
  find(own: OwnSums): Start | null {
    if (own.count - own.tested < lookAfter(own.tested)) return null;
    own.tested = own.count;
    const due = own.later.filter((start) => isDue(start, own));
    if (due.length === 0) return null;
    this.groups.refresh();
    const { mean, even } = this.groups.population;
    const { prior, noise } = even;
    const evidence = this.#evidence;
    const scale = this.#scale(own);
    this.#power = gaussianShare(own.kurtosis);
    const room = this.#room;
    const all = scaled(room.all, own.slot, scale);
    // What was found for the scale is that of own sums as they are.
    if (scale !== 1) evidence.fit(all, prior);
    const value = valueOfFit(evidence.explained, evidence.logDeterminant, noise);
    if (room.found.length < 2 * due.length) room.found = new Float64Array(2 * due.length);
    const { found } = room;
    evidence.fitAll(found, due, prior, scale);
    const left = shiftedSquares(own.squares, own.slot, mean);
    const threshold = ln(own.count) + SURE;
    let together: number | null = null;
    let best: Start | null = null;
    let most = threshold;
    for (let k = 0; k < due.length; k++) {
      const start = due[k]!;
      start.tested = own.countSince(start);
      const apart = valueOfFit(found[2 * k]!, found[2 * k + 1]!, noise);
      // What μ̂ leaves unexplained since. No θ explains more: for most starts that is enough to know.
      const since = scale * (left - shiftedSquares(start.squares, start.slot, mean));
      if (!(apart - value + (since + SLACK * scale * own.squares) / (2 * noise) > threshold)) continue;
      const before = scaled(room.before, start.slot, scale);
      const part = difference(room.part, all, before);
      if (!(apart - value + this.#most(part, since) > threshold)) continue;
      together ??= this.#mixture(all);
      const leverage = Math.min(1, this.dimension / start.count);
      const outlier = leverage * excess((scale / noise) * own.worst);
      const factor = this.#mixture(before) - outlier + this.#mixture(part, (scale / noise) * start.worst) - together;
      if (!(factor > most)) continue;
      most = factor;
      best = start;
    }
    return best;
  }

  /** No group explains the sums `part` better than this: a θ of their own, without what it costs, or what one would believe alone. */
  #most(part: Float64Array, unexplained: number): number {
    const { prior, noise } = this.groups.population.even;
    this.#evidence.fit(part, prior);
    const explained = this.#evidence.explained / (2 * noise);
    // `unexplained` is more than `#valueAlone` can be; where that is no more there is no need to ask.
    return (this.#power * unexplained) / (2 * noise) > explained
      ? Math.max(explained, this.#valueAlone(part))
      : explained;
  }

  /** min(1, σ²/σ_own²), where own rewards and d of the population's tell σ_own². */
  #scale({ slot, squares, count }: OwnSums): number {
    const { mean, even } = this.groups.population;
    const { prior, noise } = even;
    this.#evidence.fit(slot, prior);
    const rest = Math.max(0, residualSquares(squares, slot, mean) - this.#evidence.explained);
    return Math.min(1, (noise * (count + this.dimension)) / (rest + noise * this.dimension));
  }

  /** The value of the sums `slot` to somebody alone, θ ~ N(0, σ²I), relative to what μ̂ leaves unexplained of them. */
  #valueAlone(slot: Float64Array): number {
    const { mean, even } = this.groups.population;
    const value = this.#evidence.of(slot, this.#room.alone, even.noise);
    return this.#power * (value + shiftedSquares(0, slot, mean) / (2 * even.noise));
  }

  /** E of the sums `slot`, without what the worst predicted of their rewards, w e²/σ², adds to it beyond three standard deviations. */
  #mixture(slot: Float64Array, worst = 0): number {
    const { population, list: records, all } = this.groups;
    const { prior, noise } = population.even;
    const { alpha } = all[0]!;
    const { centre } = this.#room;
    const drawn = this.#evidence.of(slot, prior, noise, centre);
    if (drawn === -Infinity) return drawn;
    const tried = all[0]!.worthTrying(worth, centre, 0, null);
    const known = alpha + records.length;
    const alone = this.#valueAlone(slot) - excess(this.#power * worst) + excess(worst);
    const logs = [ln(alpha) + drawn, ln(ALONE_ODDS * known) + alone];
    for (let k = 0; k < tried; k++) {
      const group = worth[k]!;
      if (group.value === -Infinity) continue;
      logs.push(ln(group.size) + this.#evidence.ofSum(group.slot, slot, prior, noise) - group.value);
    }
    const top = Math.max(...logs);
    return top + ln(logs.reduce((sum, log) => sum + exp(log - top), 0)) - ln((1 + ALONE_ODDS) * known) - excess(worst);
  }
}

function isDue(start: Start, own: OwnSums): boolean {
  const since = own.countSince(start);
  return since >= LEAST && since >= start.tested * GROWN;
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
