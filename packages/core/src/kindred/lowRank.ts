import type { Reader, Writer } from "../numbers/bytes.ts";
import { leadingEigenvectors, orthonormalise } from "../numbers/eigen.ts";
import { addIdentity, addScaled, traceOf, triangleSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Work } from "../work.ts";
import { Components } from "./components.ts";
import { EACH } from "./covarianceShape.ts";
import { Inverses } from "./inverses.ts";
import type { MarginalLikelihood } from "./marginalLikelihood.ts";
import { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";

/** Components at most. */
const MOST = 3;
/** What the log likelihood must gain for each free parameter. */
const COST = 1.25;
/** How far a step goes, of what EM says: below 2 it converges where EM does, and about twice as fast. */
export const OVER = 1.9;
/** Steps of subspace iteration in a step of EM. */
const TURNS = 4;
/** The grid on which b moves in a fit: stay, or by this factor either way. */
export const STEPS = [1, 0.6, 1 / 0.6];

/** θ ~ N(μ, b₀ I), b₀ = σ²/λ, and the value of that under the likelihood: what components are judged against. */
export interface Even {
  readonly ridge: number;
  readonly noise: number;
  readonly value: number;
}

/** Whether so many θ can speak for so many components. */
const enough = (thetas: number, components: number): boolean => thetas >= EACH * (components + 1);

/**
 * Tastes that differ in a few directions more than in others: θ ~ N(μ, b I + Σ_k (v_k − b) u_k u_kᵀ), k = 1 .. q, as in
 * probabilistic principal component analysis, but with each θ known through its record only. By EM: under a covariance B a
 * record has the posterior N(m_j, V_j) of its θ − μ; v_k and u_k become the leading eigenvalues and eigenvectors of
 *
 *     B + 1.9 (M − B),     M = mean of m_j m_jᵀ + V_j
 *
 * 1.9 because EM is slow where records are short. In B the variance of other directions is b₀: with one as small as b may
 * be, directions that are not yet among the u_k would hardly be found. b itself moves on a grid under the likelihood, and is
 * never less than what is not known of the u_k adds to the variance elsewhere, about q σ²/(n s) with n records and s the
 * mean of tr S/d.
 *
 * q is the number of components for which the log likelihood gains most over b₀ I, less 1.25 for each free parameter,
 * dq − q(q − 1)/2 of them; 0 where none gains. Akaike's criterion has 1. But the largest of d variances that are truly the
 * same comes out so much larger that the likelihood gains up to 1 for each parameter.
 */
export class LowRank {
  readonly shape: Components;
  /** λ = σ²/b and σ², where components are in use. */
  ridge = 1;
  noise = 1;
  /** What the log likelihood of all records gains by those in use, less what it must gain; 0 where none are. */
  gain = 0;
  /** Components to choose from, all that there may be; their v_k, and M. */
  readonly #all: Components;
  readonly #variances: Float64Array;
  readonly #moment: Float64Array;
  /** What q = 1, 2, … components gain for each record, over the samples looked at so far. */
  readonly #gains: Float64Array;
  /** b; 0 before the first fit. */
  #rest = 0;
  readonly #sum: Float64Array;
  readonly #matrix: Float64Array;
  readonly #inverses: Inverses;
  readonly #tried: Prior;

  constructor(readonly mean: Float64Array) {
    const d = mean.length;
    const most = Math.max(0, Math.min(MOST, d - 2));
    this.shape = new Components(d, most);
    this.#all = new Components(d, most);
    this.#variances = sharedNumbers(most);
    this.#gains = sharedNumbers(most);
    this.#moment = sharedNumbers(triangleSize(d));
    this.#sum = sharedNumbers(triangleSize(d));
    this.#matrix = sharedNumbers(triangleSize(d));
    this.#inverses = new Inverses(d);
    this.#tried = new Prior(mean);
  }

  /**
   * A step of EM for each sample of the `records` there are; then b, and how many components to use, by the likelihood of
   * another sample: on records that they were fitted to just now components look better than they are.
   */
  *fitting(samples: readonly (readonly Sums[])[], likelihood: MarginalLikelihood, records: number, even: Even): Work {
    const noise = this.shape.rank > 0 ? this.noise : even.noise;
    this.shape.rank = 0;
    this.gain = 0;
    if (this.#all.most === 0 || !enough(records, 1)) return;
    const variance = even.noise / even.ridge;
    if (this.#rest === 0) this.#begin(variance);
    for (const sample of samples) {
      yield;
      this.#step(sample, records, variance, noise);
    }
    const least = this.#least(likelihood.records, records, noise);
    if (least < Infinity && this.#variances.every((value) => value < Infinity)) {
      yield* this.#fitRest(likelihood, noise, least);
      yield* this.#choose(likelihood, records, even, noise);
    } else {
      // No covariance comes of such records.
      this.#rest = 0;
    }
  }

  /** Any directions to begin with, none of them a multiple of another, and the same variance in all. */
  #begin(variance: number): void {
    const { basis } = this.#all;
    for (let k = 0; k < basis.length; k++) basis[k] = ((k * 0.618033988749895) % 1) - 0.5;
    orthonormalise(basis, this.mean.length);
    this.#variances.fill(variance);
    this.#moment.fill(0);
    this.#gains.fill(0);
    this.#rest = variance;
  }

  /** One step of EM, for b₀ = `variance`. */
  #step(sample: readonly Sums[], records: number, variance: number, noise: number): void {
    const d = this.mean.length;
    const [all, moment, target] = [this.#all, this.#moment, this.#matrix];
    all.stretch(this.#variances, all.most, variance);
    // m_j m_jᵀ + V_j of each, V = σ²(S + R)⁻¹ and m = (S + R)⁻¹(v − Sμ).
    this.#sum.fill(0);
    const used = this.#inverses.add(this.#sum, sample, this.#set(all, noise / variance).ridge, this.mean, noise);
    // Other records are looked at each time; those that are not looked at now still count.
    const share = traceOf(moment, d) === 0 ? 1 : Math.min(1, used / records);
    for (let k = 0; k < moment.length; k++) moment[k]! += share * (this.#sum[k]! / used - moment[k]!);
    target.fill(0);
    addIdentity(target, 0, d, (1 - OVER) * variance);
    all.addTo(target, (1 - OVER) * variance);
    addScaled(target, 0, moment, 0, target.length, OVER);
    leadingEigenvectors(target, d, all.basis, this.#variances, TURNS);
  }

  /** The least that b may be: q σ²/(n s). */
  #least(sample: readonly Sums[], records: number, noise: number): number {
    const d = this.mean.length;
    const seen = sample.reduce((sum, { slot }) => sum + traceOf(slot, d), 0) / sample.length / d;
    return (this.#all.most * noise) / (records * seen);
  }

  /** One step on the grid of b, with all components. */
  *#fitRest(likelihood: MarginalLikelihood, noise: number, least: number): Work {
    const [all, from] = [this.#all, this.#rest];
    let best = -Infinity;
    for (const factor of STEPS) {
      yield;
      const b = Math.max(from * factor, least);
      all.stretch(this.#variances, all.most, b);
      const value = this.#value(all, likelihood, noise / b);
      if (!(value > best)) continue;
      best = value;
      this.#rest = b;
    }
  }

  *#choose(likelihood: MarginalLikelihood, records: number, even: Even, noise: number): Work {
    const d = this.mean.length;
    const [chosen, most] = [this.shape, this.#all.most];
    const sample = likelihood.records.length;
    const share = this.#gains[0] === 0 ? 1 : sample / records;
    const variances = this.#variances.map((value) => Math.max(value, this.#rest));
    // The whole variance, of which each component takes its part from the rest.
    let rest = variances.reduce((sum, value) => sum + value, this.#rest * (d - most));
    chosen.basis.set(this.#all.basis);
    let best = 0;
    let rank = 0;
    let parameters = 0;
    for (let q = 1; q <= most && enough(records, q); q++) {
      yield;
      rest -= variances[q - 1]!;
      parameters += d - q + 1;
      const ridge = (noise * (d - q)) / rest;
      chosen.stretch(variances, q, noise / ridge);
      const value = this.#value(chosen, likelihood, ridge);
      this.#gains[q - 1]! += share * ((value - even.value) / sample - this.#gains[q - 1]!);
      const gain = records * this.#gains[q - 1]! - COST * parameters;
      if (!(gain > best)) continue;
      best = gain;
      rank = q;
      this.ridge = ridge;
      this.noise = likelihood.noise;
    }
    this.gain = best;
    chosen.stretch(variances, rank, noise / this.ridge);
  }

  #value(components: Components, likelihood: MarginalLikelihood, ridge: number): number {
    return likelihood.of(this.#set(components, ridge), ridge / components.spread);
  }

  /** R = λ(I + Σ w u uᵀ)⁻¹. */
  #set(components: Components, ridge: number): Prior {
    this.#matrix.fill(0);
    components.addInverseTo(this.#matrix, ridge);
    this.#tried.setRidge(this.#matrix);
    return this.#tried;
  }

  write(out: Writer): void {
    out.u8(this.shape.rank);
    for (const values of [this.shape.basis, this.shape.weights]) out.f64s(values);
    for (const values of [this.#all.basis, this.#variances, this.#gains, this.#moment]) out.f64s(values);
    for (const value of [this.ridge, this.noise, this.gain, this.#rest]) out.f64(value);
  }

  read(from: Reader): void {
    this.shape.rank = Math.min(from.u8("population"), this.shape.most);
    for (const values of [this.shape.basis, this.shape.weights]) from.f64s("population", values);
    for (const values of [this.#all.basis, this.#variances, this.#gains, this.#moment]) from.f64s("population", values);
    this.ridge = from.f64("population");
    this.noise = from.f64("population");
    this.gain = from.f64("population");
    this.#rest = from.f64("population");
  }
}
