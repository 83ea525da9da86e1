import type { Reader, Writer } from "../numbers/bytes.ts";

/** z² of the score interval of a click: two standard errors. The logarithm of MOSS alone is too little in the first tries. */
const CLICK_LOG = 4;
/** Rewards that take more values than this are no clicks; further values are not remembered. */
const CLICKS = 2;

/**
 * How a reward varies about its mean x·θ. Records hold the sums of a Gaussian model, so a likelihood is here what its
 * variance says (a quasi-likelihood). One that needs other sums is a policy of its own: docs/guides/policy.md.
 *
 * To add one, write it here and say in `SeenRewards` when own rewards follow it. What `SeenRewards` remembers for that is part of a
 * peer's state: raise `LAYOUT` of policies/kindred.ts, else testing/kept.test.ts fails.
 */
export interface RewardLikelihood {
  /** Whether a peer's residuals tell how noisy its rewards are (noises.ts). Not where the variance follows from the mean. */
  readonly tellsNoise: boolean;
  /** The least that may stand for the logarithm in the bonus of a neglected arm (bonus.ts). */
  readonly leastLog: number;
  /** β = √(width · Var r) of an arm with this mean; `noise` is σ², the variance of all rewards about their means. */
  bonus(mean: number, width: number, noise: number): number;
}

/** The same variance whatever the mean. */
export const gaussian: RewardLikelihood = {
  tellsNoise: true,
  leastLog: 0,
  bonus: (_mean, width, noise) => Math.sqrt(width * noise),
};

/**
 * β = √(width · Var(mean + β)), where rewards are `low` or `high` and so vary by p(1 − p) if they are `high` with the chance p:
 * the variance that the arm would have, were its mean at the bound (the score interval of Wilson). An arm that nobody
 * clicked in a few tries may well be one that is clicked now and then; by the variance of what was seen it would be sure that it is not.
 */
export function clicks(low: number, high: number): RewardLikelihood {
  const range = high - low;
  return {
    tellsNoise: false,
    leastLog: CLICK_LOG,
    bonus(mean, width) {
      const p = Math.min(Math.max((mean - low) / range, 0), 1);
      const half = (0.5 - p) * width;
      return (range * (half + Math.sqrt(half * half + (1 + width) * width * p * (1 - p)))) / (1 + width);
    },
  };
}

/** Tells from a peer's own rewards which likelihood they follow: those that took at most two values so far are clicks. */
export class SeenRewards {
  /** The first three values, in ascending order. */
  #values: number[] = [];
  likelihood = likelihoodOf(this.#values);

  add(reward: number): void {
    if (this.#values.length > CLICKS || this.#values.includes(reward)) return;
    this.#values.push(reward);
    this.#values.sort((a, b) => a - b);
    this.likelihood = likelihoodOf(this.#values);
  }

  write(out: Writer): void {
    out.u32(this.#values.length);
    for (const value of this.#values) out.f64(value);
  }

  read(from: Reader): void {
    this.#values = Array.from({ length: from.u32("own") }, () => from.f64("own"));
    this.likelihood = likelihoodOf(this.#values);
  }
}

function likelihoodOf([low, high, more]: readonly number[]): RewardLikelihood {
  if (more !== undefined) return gaussian;
  return low === undefined || high === undefined ? { ...gaussian, tellsNoise: false } : clicks(low, high);
}
