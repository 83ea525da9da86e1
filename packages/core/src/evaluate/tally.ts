import { ConfigError } from "../errors.ts";
import {
  doublyRobust,
  type Estimate,
  effectiveSize,
  gainOf,
  ips,
  meanOf,
  type Sample,
  snips,
  total,
} from "./estimators.ts";
import type { LoggedMenu } from "./menu.ts";
import { impossibleItems, OverlapError, unknownPropensities } from "./overlap.ts";
import { checkProbability, checkTogether } from "./propensity.ts";
import type { Target } from "./targets.ts";
import { compact } from "./units.ts";

/** What a log says about one target. Values are rewards per choice, in the app's unit. */
export interface TargetReport {
  readonly target: string;
  /** Rewarded choices that it was judged by. */
  readonly choices: number;
  /** How often, on average, it would have chosen what was chosen. */
  readonly agreement: number;
  /** So many choices of the target itself would say as much. */
  readonly effective: number;
  readonly largestWeight: number;
  readonly ips: Estimate;
  readonly snips: Estimate;
  /** The one to read. */
  readonly dr: Estimate;
  /** What it would have earned more per choice than was earned in the same choices; doubly robust. */
  readonly gain: Estimate;
  /** What speaks against these numbers; empty where nothing does. */
  readonly notes: readonly string[];
}

/** What is known of one choice when it is made; the rest comes with its reward. */
export interface Judged {
  readonly weight: number;
  readonly direct: number;
  readonly agreement: number;
  /** Of the weight, before the choice was drawn: Σ_b π(b|x)² / μ(b|x) − 1. NaN where not all propensities are known. */
  readonly variance: number;
}

/** Below this an interval that rests on the central limit theorem promises too much. */
const FEW = 30;

/** Gathers what one target's estimates are made of. */
export class TargetTally {
  readonly #target: Target;
  readonly #sample = { weights: [], rewards: [], direct: [], predicted: [], units: [] } as {
    readonly [K in keyof Sample]: number[];
  };
  #agreement = 0;
  #variance = 0;
  #impossible = 0;
  #judged = 0;
  #unknown = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Null where the target is not asked, or the log cannot answer. */
  judge(menu: LoggedMenu, predicted: Float64Array): Judged | null {
    const { propensity, propensities, chosen } = menu.entry;
    const pi = this.#target.probabilities(menu);
    if (pi === null) return null;
    this.#check(pi, menu.count);
    if (propensity === null) {
      this.#unknown += 1;
      return null;
    }
    this.#judged += 1;
    let direct = 0;
    let squares = 0;
    for (let k = 0; k < menu.count; k++) {
      direct += pi[k]! * predicted[k]!;
      if (pi[k]! > 0) squares += (pi[k]! * pi[k]!) / (propensities?.[k] ?? Number.NaN);
    }
    if (squares === Infinity) this.#impossible += 1;
    return { weight: pi[chosen]! / propensity, direct, agreement: pi[chosen]!, variance: squares - 1 };
  }

  add({ weight, direct, agreement, variance }: Judged, predicted: number, reward: number, unit: number): void {
    const { weights, rewards, direct: sums, predicted: guesses, units } = this.#sample;
    weights.push(weight);
    rewards.push(reward);
    sums.push(direct);
    guesses.push(predicted);
    units.push(unit);
    this.#agreement += agreement;
    this.#variance += variance;
  }

  report(reach: number): TargetReport {
    const { name } = this.#target;
    const { weights, units } = this.#sample;
    const n = weights.length;
    if (this.#judged === 0 && this.#unknown > 0) throw unknownPropensities(name, this.#unknown);
    if (n < 2) throw new ConfigError(`choices that ${name} can be judged by`, n, "be at least 2, with their rewards");
    if (this.#impossible > 0) throw impossibleItems(name, this.#impossible, this.#judged);
    if (total(weights) === 0) {
      const why = `it agrees with none of the ${n} choices; log more of them, or with a larger explore.floor`;
      throw new OverlapError(name, n, n, "explore.floor", why);
    }
    const sample: Sample = { ...this.#sample, units: compact(units) };
    const effective = effectiveSize(weights);
    return {
      target: name,
      choices: n,
      agreement: this.#agreement / n,
      effective,
      largestWeight: weights.reduce((most, weight) => Math.max(most, weight), 0),
      ips: ips(sample, reach),
      snips: snips(sample, reach),
      dr: doublyRobust(sample, reach),
      gain: gainOf(sample, reach),
      notes: [...notesOn(effective, this.#unknown), ...this.#notesOnWeights(sample)],
    };
  }

  /**
   * E[w] = 1 whatever the target, where propensities are right. How far off the mean may be by chance follows from the
   * propensities, where all are known; from the sample it would be too little, for a great weight may be too rare to be in it.
   */
  #notesOnWeights({ weights, units }: Sample): string[] {
    const { value, error } = meanOf(weights, units, 1);
    const chance = Number.isNaN(this.#variance) ? error : Math.max(error, Math.sqrt(this.#variance) / weights.length);
    if (Math.abs(value - 1) <= 4 * chance) return [];
    return [`weights are ${value.toFixed(3)} on average where 1 is expected: the propensities look wrong`];
  }

  #check(pi: ArrayLike<number>, count: number): void {
    const field = `probabilities of ${this.#target.name}`;
    if (pi.length !== count) throw new ConfigError(field, `${pi.length} numbers`, `be ${count}, one for each item`);
    for (let k = 0; k < count; k++) checkProbability(`${field}[${k}]`, pi[k]);
    checkTogether(field, pi);
  }
}

function notesOn(effective: number, unknown: number): string[] {
  const notes: string[] = [];
  if (effective < FEW)
    notes.push(`only ${effective.toFixed(1)} effective choices: the intervals are not to be trusted below ${FEW}`);
  if (unknown > 0) notes.push(`${unknown} choices without a propensity were left out`);
  return notes;
}
