import { ln } from "../numbers/ln.ts";
import type { RewardLikelihood } from "./rewardLikelihood.ts";

/** Others who try arms as well, and whose tries are not among mine. */
export interface Others {
  /** Their records: those expected not to share my θ. */
  readonly records: number;
  /** λ = σ²/b: the θ of peers vary by b. */
  readonly ridge: number;
}

/** What a peer's choices and observations have been, as far as the bonus of an arm depends on it. */
export interface Explored {
  /** n, the observations behind what is believed, and q, how many directions they are about. */
  readonly count: number;
  readonly directions: number;
  /** σ². */
  readonly noise: number;
  /** s, the share of choices whose arm was chosen before (repeats.ts). */
  readonly repeated: number;
  readonly others: Others;
  /** How rewards vary about their means. */
  readonly likelihood: RewardLikelihood;
}

/**
 * What is added to the mean of an arm x in a choice among `arms`: max(explore, s) standard deviations of x·θ. Arms that vary
 * explore by themselves, a fixed menu (s = 1) does not.
 *
 * It is more where x has been neglected. With the leverage ℓ = xᵀ(S + I)⁻¹x of n observations S about q directions,
 * n/min(arms, q) observations of x is what choosing at random would have made, and 1/ℓ is how many were made. Where one
 * menu comes again and again, their ratio grows with every choice of another arm, and so does the bonus
 *
 *     √(s V ln(nℓ/min(arms, q))),          V = max(Var x·θ, σ²ℓ / (1 + m)),      m others (`triers`).
 *
 * Alone (m = 0) on a fixed menu it is that of MOSS (Audibert and Bubeck): no arm is given up for ever. The variance
 * Var x·θ is less than σ²ℓ, by what is believed of a θ before it is seen. One peer cannot know that; m others have tried
 * it as well. The likelihood of rewards may ask for more than the logarithm in σ²ℓ ln(…) where that is small.
 *
 * `deviation` is √(Var x·θ), `leverage` ℓ, `square` |x|². The likelihood of rewards says what takes the place of σ² where their variance follows from the mean.
 */
export function bonusOf(
  explored: Explored,
  mean: number,
  deviation: number,
  leverage: number,
  explore: number,
  arms: number,
  square: number,
): number {
  const { count, directions, noise, repeated, others, likelihood } = explored;
  const usual = Math.max(explore, repeated) * deviation;
  const neglect = (count * leverage) / Math.min(arms, directions);
  const log = neglect > 1 ? ln(neglect) : 0;
  const often = repeated * log;
  const least = repeated * Math.max(log, likelihood.leastLog);
  const width = (least * leverage) / (1 + triers(others, leverage, square));
  const alone = likelihood.bonus(mean, width, noise);
  return Math.max(usual, Math.sqrt(often) * deviation, alone);
}

/**
 * For how many peers like me the tries of others count, m. Were the θ of all of them known, x·θ of mine would still vary by b|x|²: together they
 * tell no more than λ/|x|² tries of my own. Each has tried x about as often as I, 1/ℓ times, so they stand for 1/(1/records + |x|²/(λℓ)).
 * What those have tried who share my θ is in S, and so in ℓ.
 */
function triers({ records, ridge }: Others, leverage: number, square: number): number {
  return records > 0 && square > 0 ? 1 / (1 / records + square / (ridge * leverage)) : 0;
}
