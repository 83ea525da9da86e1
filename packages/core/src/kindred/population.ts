import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { triangleSize } from "../numbers/packed.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import type { Sums } from "./record.ts";

/** Pseudo-observations behind the prior of σ². */
const NOISE_WEIGHT = 2;
/** The grid on which λ moves in a step: stay, or by this factor either way. */
const STEP = 0.6;
/** Groups that a step of λ looks at: all would cost too much for one round. */
const SAMPLE = 32;

/**
 * What θ are like before anything is known of them: θ ~ N(μ, b I), noise σ², learnt from records by empirical
 * Bayes. Each peer fits its own, from its own view. Scale-free: all starts from the mean square of the rewards seen.
 */
export class Population {
  readonly mean: Float64Array;
  /** σ². */
  noise = 1;
  /** λ = σ² / b. */
  ridge = 1;
  /** Mean variance of μ itself, at most b: how little is known of the mean. */
  doubt = 0;
  /** Mean square of the rewards at the last fit; 0 before the first. */
  #scale = 0;
  /** Where the last sample of records began. */
  #turn = 0;
  readonly #evidence: Evidence;
  readonly #inverse: Float64Array;
  readonly #precision: Float64Array;
  readonly #information: Float64Array;
  readonly #factor: Factor;
  readonly #column: Float64Array;

  constructor(readonly dimension: number) {
    this.mean = new Float64Array(dimension);
    this.#evidence = new Evidence(dimension);
    this.#inverse = new Float64Array(triangleSize(dimension));
    this.#precision = new Float64Array(triangleSize(dimension));
    this.#information = new Float64Array(dimension);
    this.#factor = new Factor(dimension);
    this.#column = new Float64Array(dimension);
  }

  /** The ridge of a θ of which nothing is known: σ² / (b + doubt). */
  get lambda(): number {
    return this.noise / (this.noise / this.ridge + this.doubt);
  }

  /** At most `steps` moves of λ and σ², then μ. No record counts for more than `most` observations of noise. */
  fit(records: readonly Sums[], steps: number, most = Infinity): void {
    let count = 0;
    let squares = 0;
    for (const record of records) {
      count += record.count;
      squares += record.squares;
    }
    if (count === 0 || !(squares > 0)) return;
    const scale = squares / count;
    if (this.#scale === 0) {
      this.noise = 0.5 * scale;
      this.doubt = 0.5 * scale;
    }
    this.#scale = scale;
    const some = this.#some(records);
    for (let step = 0; step < steps; step++) if (!this.#fitRidge(some, most)) break;
    this.#fitMean(records);
  }

  /** At most SAMPLE of the records, others each time. */
  #some(records: readonly Sums[]): readonly Sums[] {
    if (records.length <= SAMPLE) return records;
    this.#turn = (this.#turn + SAMPLE) % records.length;
    return Array.from({ length: SAMPLE }, (_, k) => records[(this.#turn + k) % records.length]!);
  }

  /**
   * One step on a grid of λ under the marginal likelihood, σ² profiled out, with a lognormal prior of b about half the
   * mean square reward. True if it moved.
   */
  #fitRidge(records: readonly Sums[], most: number): boolean {
    const shares = records.map(({ count }) => Math.min(1, most / count));
    const count = records.reduce((sum, record, k) => sum + shares[k]! * record.count, 0);
    let best = -Infinity;
    let bestRidge = this.ridge;
    let bestNoise = this.noise;
    const residuals = records.map((record) => residualSquares(record.squares, record.slot, this.mean));
    for (const factor of [1, STEP, 1 / STEP]) {
      const ridge = this.ridge * factor;
      let unexplained = 0;
      let logDeterminant = 0;
      for (let k = 0; k < records.length; k++) {
        this.#evidence.fit(records[k]!.slot, this.mean, ridge);
        // Sums that nobody can have seen; one of them must not decide for all.
        if (this.#evidence.logDeterminant === Infinity) continue;
        unexplained += shares[k]! * Math.max(0, residuals[k]! - this.#evidence.explained);
        logDeterminant += shares[k]! * this.#evidence.logDeterminant;
      }
      const noise = (unexplained + NOISE_WEIGHT * 0.25 * this.#scale) / (count + NOISE_WEIGHT);
      const off = ln(noise / ridge / (0.5 * this.#scale));
      const value = -0.5 * ((count + NOISE_WEIGHT) * ln(noise) + logDeterminant) - 0.125 * off * off;
      if (value > best) {
        best = value;
        bestRidge = ridge;
        bestNoise = noise;
      }
    }
    const moved = bestRidge !== this.ridge;
    this.ridge = Math.min(Math.max(bestRidge, 1e-6), 1e9);
    this.noise = Math.max(bestNoise, 1e-12);
    return moved;
  }

  /**
   * μ ~ N(0, ½ r̄² I), r̄² the mean square of the rewards: precision (2/r̄²) I + Σ J_g with J_g = (1/b)(I − λ(S_g + λI)⁻¹),
   * information Σ (1/b)(S_g + λI)⁻¹ v_g.
   */
  #fitMean(records: readonly Sums[]): void {
    const d = this.dimension;
    const variance = this.noise / this.ridge;
    this.#precision.fill(0);
    this.#information.fill(0);
    let used = 0;
    for (const record of records) {
      if (!this.#factor.refactor(record.slot, 0, this.ridge)) continue;
      this.#factor.solve(this.#column, record.slot, triangleSize(d));
      for (let i = 0; i < d; i++) this.#information[i]! += this.#column[i]! / variance;
      this.#addInverse();
      used += 1;
    }
    // So far it is Σ (S_g + λI)⁻¹.
    for (let k = 0; k < this.#precision.length; k++) this.#precision[k]! *= -this.ridge / variance;
    for (let i = 0, at = 0; i < d; at += i + 2, i++) this.#precision[at]! += used / variance;
    if (!this.#factor.refactor(this.#precision, 0, 2 / this.#scale)) return;
    this.#factor.solve(this.mean, this.#information);
    this.#factor.invert(this.#inverse);
    let trace = 0;
    for (let i = 0, at = 0; i < d; at += i + 2, i++) trace += this.#inverse[at]!;
    // Who has seen little shall not explore for the sake of a mean that all look for together.
    this.doubt = Math.min(trace / d, variance);
  }

  /** precision += (L Lᵀ)⁻¹ = XᵀX with X = L⁻¹, row by row: half the time of making the inverse first. */
  #addInverse(): void {
    const { lower, reciprocal } = this.#factor;
    const [inverse, precision] = [this.#inverse, this.#precision];
    for (let i = 0, row = 0; i < this.dimension; i++, row += i) {
      const scale = reciprocal[i]!;
      for (let j = 0; j < i; j++) inverse[row + j] = 0;
      for (let k = 0, other = 0; k < i; k++, other += k) {
        const l = lower[row + k]! * scale;
        for (let j = 0; j <= k; j++) inverse[row + j]! -= l * inverse[other + j]!;
      }
      inverse[row + i] = scale;
      for (let k = 0, at = 0; k <= i; k++) {
        const x = inverse[row + k]!;
        for (let j = 0; j <= k; j++) precision[at++]! += x * inverse[row + j]!;
      }
    }
  }

  write(out: Writer): void {
    out.f64s(this.mean);
    for (const value of [this.noise, this.ridge, this.doubt, this.#scale, this.#turn]) out.f64(value);
  }

  read(from: Reader): void {
    from.f64s("population", this.mean);
    this.noise = from.f64("population");
    this.ridge = from.f64("population");
    this.doubt = from.f64("population");
    this.#scale = from.f64("population");
    this.#turn = from.f64("population");
  }
}
