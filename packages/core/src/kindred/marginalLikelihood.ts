import { ln } from "../numbers/ln.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import type { Prior } from "./prior.ts";
import type { Sums } from "./record.ts";

/** Pseudo-observations behind the prior of σ². */
const NOISE_WEIGHT = 2;

/**
 * The marginal likelihood of records, each of a θ of its own, with σ² profiled out. For R = σ²Σ⁻¹, Σ the covariance of θ,
 *
 *     σ² = (Σ_j w_j (q'_j − v'_jᵀ(S_j + R)⁻¹v'_j) + 2 s) / (n + 2),      n = Σ_j w_j n_j
 *     value = −½ [ (n + 2) ln σ² + Σ_j w_j (ln det(S_j + R) − ln det R) ] + ln of the prior of the mean variance of θ
 *
 * with v' and q' what is left of v and q where μ is taken off, w_j ≤ 1 so that no record counts for more than it may, and
 * s a quarter of the mean square of the rewards.
 */
export class MarginalLikelihood {
  /** σ² of the last R that was tried. */
  noise = 1;
  /** Records it looks at. */
  records: readonly Sums[] = [];
  /** w_j. */
  #shares = new Float64Array(0);
  #residuals = new Float64Array(0);
  #count = 0;
  #scale = 1;
  /** What is explained of each, and its ln det. */
  #found = new Float64Array(0);
  readonly #evidence: Evidence;

  constructor(dimension: number) {
    this.#evidence = new Evidence(dimension);
  }

  /** Takes records in which no one counts for more than `most` observations; `scale` is the rewards' mean square. */
  take(records: readonly Sums[], mean: Float64Array, most: number, scale: number): void {
    this.records = records;
    if (this.#shares.length < records.length) {
      this.#shares = new Float64Array(records.length);
      this.#residuals = new Float64Array(records.length);
      this.#found = new Float64Array(2 * records.length);
    }
    this.#count = 0;
    for (let k = 0; k < records.length; k++) {
      const { squares, slot, count } = records[k]!;
      const share = Math.min(1, most / count);
      this.#shares[k] = share;
      this.#count += share * count;
      this.#residuals[k] = residualSquares(squares, slot, mean);
    }
    this.#scale = scale;
  }

  /** The value of R; the mean variance of θ is σ²/`ridge`. */
  of(prior: Prior, ridge: number): number {
    let unexplained = 0;
    let logDeterminant = 0;
    const found = this.#found;
    this.#evidence.fitAll(found, this.records, prior);
    for (let k = 0; k < this.records.length; k++) {
      // Sums that nobody can have seen; one of them must not decide for all.
      if (found[2 * k + 1] === Infinity) continue;
      unexplained += this.#shares[k]! * Math.max(0, this.#residuals[k]! - found[2 * k]!);
      logDeterminant += this.#shares[k]! * found[2 * k + 1]!;
    }
    this.noise = (unexplained + NOISE_WEIGHT * 0.25 * this.#scale) / (this.#count + NOISE_WEIGHT);
    const about = hunch(this.noise / ridge, 0.5 * this.#scale, 2);
    return -0.5 * ((this.#count + NOISE_WEIGHT) * ln(this.noise) + logDeterminant) + about;
  }
}

/** ln of the prior of what is learnt on a grid: lognormal about `middle`, `width` the standard deviation of the logarithm. */
export function hunch(value: number, middle: number, width: number): number {
  const off = ln(value / middle) / width;
  return -0.5 * off * off;
}
