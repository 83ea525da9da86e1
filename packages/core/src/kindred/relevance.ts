import type { Reader, Writer } from "../numbers/bytes.ts";
import { triangleSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Work } from "../work.ts";
import { Diagonal } from "./diagonal.ts";
import { Inverses } from "./inverses.ts";
import { type Even, OVER, STEPS } from "./lowRank.ts";
import type { MarginalLikelihood } from "./marginalLikelihood.ts";
import { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";

/** What the log likelihood must gain for each free parameter: about what the Bayesian information criterion asks of 50 records. */
const COST = 2;
/** The least variance of a feature, as a part of their mean. */
const LEAST = 0.01;

/**
 * Tastes that differ in some features more than in others: θ ~ N(μ, diag(v)), as in automatic relevance determination. By EM,
 * over-relaxed: under one v a record has the posterior N(m_j, V_j) of its θ − μ; the next v is
 *
 *     v_i + 1.9 (M_ii − v_i),     M = mean of m_j m_jᵀ + V_j
 *
 * and then b, the mean of v, moves on a grid under the likelihood of another sample. It is worth having where the log likelihood
 * of all records gains more over b₀ I than 2 for each of the d − 1 free parameters: with 1, Akaike's, it is found by chance where
 * there are few tastes, and of one-hot items, and costs regret there.
 */
export class Relevance {
  readonly shape: Diagonal;
  /** λ = σ²/b and σ². */
  ridge = 1;
  noise = 1;
  /** What the log likelihood of all records gains, less what it must gain; 0 where it does not. */
  gain = 0;
  readonly #variances: Float64Array;
  readonly #moments: Float64Array;
  /** What it gains for each record, over the samples looked at so far. */
  #gained = 0;
  readonly #sum: Float64Array;
  readonly #matrix: Float64Array;
  readonly #inverses: Inverses;
  readonly #tried: Prior;

  constructor(readonly mean: Float64Array) {
    const d = mean.length;
    this.shape = new Diagonal(d);
    this.#variances = sharedNumbers(d);
    this.#moments = sharedNumbers(d);
    this.#sum = sharedNumbers(triangleSize(d));
    this.#matrix = sharedNumbers(triangleSize(d));
    this.#inverses = new Inverses(d);
    this.#tried = new Prior(mean);
  }

  /** A step of EM for the `sample` of the `records` there are; then b, and what is gained, by the likelihood of another one. */
  *fitting(sample: readonly Sums[], likelihood: MarginalLikelihood, records: number, even: Even): Work {
    this.gain = 0;
    if (!this.shape.suits(records)) return;
    const begun = this.#moments[0]! > 0;
    if (!begun) {
      this.#variances.fill(even.noise / even.ridge);
      this.noise = even.noise;
    }
    yield;
    this.#step(sample, records);
    const value = yield* this.#fitMean(likelihood);
    if (!(value > -Infinity)) {
      // No variances come of such records.
      this.#moments.fill(0);
      return;
    }
    const judged = likelihood.records.length;
    const share = begun ? judged / records : 1;
    this.#gained += share * ((value - even.value) / judged - this.#gained);
    this.gain = Math.max(0, records * this.#gained - COST * (this.mean.length - 1));
  }

  /** One step of EM. */
  #step(sample: readonly Sums[], records: number): void {
    const [variances, moments, sum] = [this.#variances, this.#moments, this.#sum];
    const b = this.shape.shareOut(variances);
    // m_j m_jᵀ + V_j of each, V = σ²(S + R)⁻¹ and m = (S + R)⁻¹(v − Sμ).
    sum.fill(0);
    const used = this.#inverses.add(sum, sample, this.#set(this.noise / b).ridge, this.mean, this.noise);
    if (used === 0) return;
    // Other records are looked at each time; those that are not looked at now still count.
    const share = moments[0]! > 0 ? Math.min(1, used / records) : 1;
    for (let i = 0, at = 0; i < this.mean.length; i++, at += i + 1) {
      moments[i]! += share * (sum[at]! / used - moments[i]!);
      variances[i] = Math.max(variances[i]! + OVER * (moments[i]! - variances[i]!), LEAST * b);
    }
  }

  /** One step on the grid of b: the value there, −∞ where there is none. */
  *#fitMean(likelihood: MarginalLikelihood): Work<number> {
    const b = this.shape.shareOut(this.#variances);
    let best = -Infinity;
    if (!(b > 0 && b < Infinity)) return best;
    const { noise } = this;
    let factor = 1;
    for (const step of STEPS) {
      yield;
      const ridge = noise / (b * step);
      const value = likelihood.of(this.#set(ridge), ridge);
      if (!(value > best)) continue;
      best = value;
      factor = step;
      this.ridge = ridge;
      this.noise = likelihood.noise;
    }
    for (let i = 0; i < this.mean.length; i++) this.#variances[i]! *= factor;
    return best;
  }

  /** R = λ diag(1/s). */
  #set(ridge: number): Prior {
    this.#matrix.fill(0);
    this.shape.addInverseTo(this.#matrix, ridge);
    this.#tried.setRidge(this.#matrix);
    return this.#tried;
  }

  write(out: Writer): void {
    for (const values of [this.shape.shares, this.#variances, this.#moments]) out.f64s(values);
    for (const value of [this.ridge, this.noise, this.gain, this.#gained]) out.f64(value);
  }

  read(from: Reader): void {
    for (const values of [this.shape.shares, this.#variances, this.#moments]) from.f64s("population", values);
    this.ridge = from.f64("population");
    this.noise = from.f64("population");
    this.gain = from.f64("population");
    this.#gained = from.f64("population");
  }
}
