import { studentReach } from "../numbers/normal.ts";

/**
 * What another policy would have earned per choice, from choices of the one that was logged.
 *
 * For choice i: w = π(a|x) / μ(a|x) where a was chosen, π is the target and μ the policy that logged; r the reward; q(x, b) a
 * model's guess at the reward of item b. All are means over i of some ψ, or ratios of two; their errors follow from
 * the variance of ψ, or of its linearisation.
 */
export interface Sample {
  /** w. */
  readonly weights: ArrayLike<number>;
  /** r. */
  readonly rewards: ArrayLike<number>;
  /** Σ_b π(b|x) q(x, b). */
  readonly direct: ArrayLike<number>;
  /** q(x, a). */
  readonly predicted: ArrayLike<number>;
  /** The number of the unit that each choice belongs to: from 0, without gaps. */
  readonly units: ArrayLike<number>;
}

/** A number, its standard error, and the interval that contains the truth with the confidence that was asked for. */
export interface Estimate {
  readonly value: number;
  readonly error: number;
  /** Degrees of freedom of the error: how well it is known itself. */
  readonly freedom: number;
  readonly low: number;
  readonly high: number;
}

/** Inverse propensity scoring (Horvitz and Thompson, 1952): mean of w r. Unbiased where propensities are right. */
export function ips({ weights, rewards, units }: Sample, reach: number): Estimate {
  return meanOf(times(weights, rewards), units, reach);
}

/**
 * Self-normalised (Swaminathan and Joachims, 2015): Σ w r / Σ w. Less variance for a bias of order 1/n. Its error is that of
 * the mean of w (r − V) / w̄, which a ratio is in first order.
 */
export function snips({ weights, rewards, units }: Sample, reach: number): Estimate {
  const value = ratio(weights, rewards);
  return withInterval(value, accuracyOf(selfNormalised(weights, rewards, value), units), reach);
}

/**
 * Doubly robust (Dudík, Langford and Li, 2011): mean of Σ_b π(b|x) q(x, b) + w (r − q(x, a)). Unbiased where propensities are
 * right, whatever the model; the better the model, the less it varies.
 */
export function doublyRobust(sample: Sample, reach: number): Estimate {
  return meanOf(robust(sample), sample.units, reach);
}

/** By how much the target would have earned more per choice than what was logged did, on the same choices: mean of ψ − r. */
export function gainOf(sample: Sample, reach: number): Estimate {
  const { rewards } = sample;
  return meanOf(
    robust(sample).map((psi, i) => psi - rewards[i]!),
    sample.units,
    reach,
  );
}

function robust({ weights, rewards, direct, predicted }: Sample): Float64Array {
  return Float64Array.from(weights, (w, i) => direct[i]! + w * (rewards[i]! - predicted[i]!));
}

/** φ = w (r − V) / w̄: they are 0 together. */
function selfNormalised(weights: ArrayLike<number>, rewards: ArrayLike<number>, value: number): Float64Array {
  const mean = total(weights) / weights.length;
  return Float64Array.from(weights, (w, i) => (w * (rewards[i]! - value)) / mean);
}

function ratio(weights: ArrayLike<number>, rewards: ArrayLike<number>): number {
  return total(times(weights, rewards)) / total(weights);
}

/** The mean of some values with its interval. */
export function meanOf(values: ArrayLike<number>, units: ArrayLike<number>, reach: number): Estimate {
  const value = total(values) / values.length;
  const off = Float64Array.from(values, (one) => one - value);
  return withInterval(value, accuracyOf(off, units), reach);
}

/** How well a number is known. */
export interface Accuracy {
  readonly error: number;
  readonly freedom: number;
}

/**
 * Of the mean of n values φ that are 0 together. u = Σ φ over the choices of a unit; over G units the error is
 * √( G/(G−1) · Σ u² ) / n (Liang and Zeger, 1986): with one choice in each, the sample's deviation over √n.
 *
 * Where few choices weigh much, that error is itself uncertain: it has 2G / (κ − (G−3)/(G−1)) degrees of freedom
 * (Satterthwaite, 1946), κ = G Σ u⁴ / (Σ u²)² being the kurtosis of u, and never more than G − 1, which normal values have.
 * One unit says nothing of others: then the error is infinite.
 */
export function accuracyOf(values: ArrayLike<number>, units: ArrayLike<number>): Accuracy {
  let count = 0;
  for (let i = 0; i < units.length; i++) count = Math.max(count, units[i]! + 1);
  if (count < 2) return { error: Infinity, freedom: 1 };
  const sums = new Float64Array(count);
  for (let i = 0; i < values.length; i++) sums[units[i]!]! += values[i]!;
  let [squares, fourths] = [0, 0];
  for (const sum of sums) {
    squares += sum * sum;
    fourths += sum * sum * sum * sum;
  }
  const error = Math.sqrt((count / (count - 1)) * squares) / values.length;
  const kurtosis = squares === 0 ? 3 : (count * fourths) / (squares * squares);
  const excess = kurtosis - (count - 3) / (count - 1);
  return { error, freedom: Math.min(count - 1, excess > 0 ? (2 * count) / excess : count - 1) };
}

/** value ± t · error; `reach` is the normal's, for the confidence that is wanted. */
export function withInterval(value: number, { error, freedom }: Accuracy, reach: number): Estimate {
  const half = studentReach(reach, freedom) * error;
  return { value, error, freedom, low: value - half, high: value + half };
}

/**
 * Of the difference of two independent estimates: errors add up in squares, with the degrees of freedom of Welch (1947),
 * (e₁² + e₂²)² / (e₁⁴/ν₁ + e₂⁴/ν₂).
 */
export function difference(one: Estimate, other: Estimate, reach: number): Estimate {
  const [a, b] = [one.error * one.error, other.error * other.error];
  const below = (a * a) / one.freedom + (b * b) / other.freedom;
  const freedom = below > 0 ? ((a + b) * (a + b)) / below : one.freedom + other.freedom;
  return withInterval(one.value - other.value, { error: Math.sqrt(a + b), freedom }, reach);
}

/** n_eff = (Σ w)² / Σ w² (Kish, 1965): so many choices of the target itself would say as much. */
export function effectiveSize(weights: ArrayLike<number>): number {
  const sum = total(weights);
  return sum === 0 ? 0 : (sum * sum) / total(times(weights, weights));
}

export function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

const times = (a: ArrayLike<number>, b: ArrayLike<number>): Float64Array =>
  Float64Array.from(a, (one, i) => one * b[i]!);
