import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";
import type { Prior } from "./prior.ts";

/** What rounding to 32 bits may take from a pivot, as a part of the diagonal entry. */
const ROUNDING = 1e-5;

/**
 * How well sums (S, v) fit one θ ~ N(μ, σ²R⁻¹), r = x·θ + N(0, σ²). With v' = v − Sμ, the part of ln p(r) that does
 * not cancel when sums are put together or taken apart is
 *
 *     ½ [ v'ᵀ(S + R)⁻¹v' / σ² − ln det(S + R) + ln det R ]
 *
 * One Cholesky factorisation of S + R and one forward solve: d³/6 + 2d² multiply-adds.
 */
export class Evidence {
  readonly #sum: Float64Array;
  /** L of the last fit, S + R = L Lᵀ (without its diagonal). */
  readonly #factor: Factor;
  /** L⁻¹v' of the last fit. */
  readonly #solved: Float64Array;
  /** ln det(S + R) − ln det R of the last fit. */
  logDeterminant = 0;
  /** v'ᵀ(S + R)⁻¹v' of the last fit. */
  explained = 0;

  constructor(readonly dimension: number) {
    this.#sum = new Float64Array(slotSize(dimension));
    this.#factor = new Factor(dimension);
    this.#solved = new Float64Array(dimension);
  }

  /** The value of the sums `slot`. */
  of(slot: Float64Array, prior: Prior, noise: number): number {
    this.fit(slot, prior);
    return 0.5 * (this.explained / noise - this.logDeterminant);
  }

  /** The value of the sums `slot + scale · other`. */
  ofSum(slot: Float64Array, other: Float64Array, prior: Prior, noise: number, scale = 1): number {
    const sum = this.#sum;
    for (let k = 0; k < sum.length; k++) sum[k] = slot[k]! + scale * other[k]!;
    return this.of(sum, prior, noise);
  }

  /** The value of the sums `scale · slot`. */
  ofScaled(slot: Float64Array, scale: number, prior: Prior, noise: number): number {
    const sum = this.#sum;
    for (let k = 0; k < sum.length; k++) sum[k] = scale * slot[k]!;
    return this.of(sum, prior, noise);
  }

  /** out = (S + R)⁻¹v' of the last fit: the posterior mean of θ, less μ; 0 for sums that nobody can have seen. */
  centre(out: Float64Array): void {
    if (this.logDeterminant < Infinity) this.#factor.backward(out, this.#solved);
    else out.fill(0);
  }

  fit(slot: Float64Array, { mean, ridge, pivots }: Prior): void {
    const d = this.dimension;
    const { lower, reciprocal } = this.#factor;
    const solved = this.#solved;
    shift(solved, slot, mean, d);
    let explained = 0;
    let product = 1;
    let log = 0;
    let row = 0;
    for (let i = 0; i < d; i++) {
      let other = 0;
      const diagonal = slot[row + i]! + ridge[row + i]!;
      const least = pivots[i]!;
      let pivot = diagonal;
      let rest = solved[i]!;
      let j = 0;
      // Four columns at a time, then two: each entry of this row is read once for all of them, and no sum waits for another.
      for (; j + 3 < i; j += 4) {
        const second = other + j + 1;
        const third = second + j + 2;
        const fourth = third + j + 3;
        let a = slot[row + j]! + ridge[row + j]!;
        let b = slot[row + j + 1]! + ridge[row + j + 1]!;
        let c = slot[row + j + 2]! + ridge[row + j + 2]!;
        let e = slot[row + j + 3]! + ridge[row + j + 3]!;
        for (let k = 0; k < j; k++) {
          const l = lower[row + k]!;
          a -= l * lower[other + k]!;
          b -= l * lower[second + k]!;
          c -= l * lower[third + k]!;
          e -= l * lower[fourth + k]!;
        }
        a *= reciprocal[j]!;
        b = (b - a * lower[second + j]!) * reciprocal[j + 1]!;
        c = (c - a * lower[third + j]! - b * lower[third + j + 1]!) * reciprocal[j + 2]!;
        e = (e - a * lower[fourth + j]! - b * lower[fourth + j + 1]! - c * lower[fourth + j + 2]!) * reciprocal[j + 3]!;
        lower[row + j] = a;
        lower[row + j + 1] = b;
        lower[row + j + 2] = c;
        lower[row + j + 3] = e;
        pivot -= a * a + b * b;
        pivot -= c * c + e * e;
        rest -= a * solved[j]! + b * solved[j + 1]!;
        rest -= c * solved[j + 2]! + e * solved[j + 3]!;
        other = fourth + j + 4;
      }
      for (; j + 1 < i; j += 2) {
        const next = other + j + 1;
        let a = slot[row + j]! + ridge[row + j]!;
        let b = slot[row + j + 1]! + ridge[row + j + 1]!;
        for (let k = 0; k < j; k++) {
          const l = lower[row + k]!;
          a -= l * lower[other + k]!;
          b -= l * lower[next + k]!;
        }
        a *= reciprocal[j]!;
        b = (b - a * lower[next + j]!) * reciprocal[j + 1]!;
        lower[row + j] = a;
        lower[row + j + 1] = b;
        pivot -= a * a + b * b;
        rest -= a * solved[j]! + b * solved[j + 1]!;
        other = next + j + 2;
      }
      if (j < i) {
        let last = slot[row + j]! + ridge[row + j]!;
        for (let k = 0; k < j; k++) last -= lower[row + k]! * lower[other + k]!;
        last *= reciprocal[j]!;
        lower[row + j] = last;
        pivot -= last * last;
        rest -= last * solved[j]!;
      }
      if (!(pivot >= least)) {
        // In exact numbers no pivot is below R's. Rounded sums may miss it by a little; others nobody can have seen.
        if (!(pivot >= least - ROUNDING * diagonal)) {
          this.logDeterminant = Infinity;
          this.explained = 0;
          return;
        }
        pivot = least;
      }
      const inverse = 1 / Math.sqrt(pivot);
      reciprocal[i] = inverse;
      rest *= inverse;
      solved[i] = rest;
      explained += rest * rest;
      // One logarithm for several pivots, as long as the product stays in range.
      product *= pivot / least;
      if (product > 1e200) {
        log += ln(product);
        product = 1;
      }
      row += i + 1;
    }
    this.explained = explained;
    this.logDeterminant = log + ln(product);
  }
}

/** out = v − Sμ. */
export function shift(out: Float64Array, slot: Float64Array, mean: Float64Array, d: number): void {
  const triangle = triangleSize(d);
  for (let i = 0; i < d; i++) out[i] = slot[triangle + i]!;
  for (let i = 0, at = 0; i < d; i++) {
    const mi = mean[i]!;
    let sum = 0;
    for (let j = 0; j < i; j++, at++) {
      sum += slot[at]! * mean[j]!;
      out[j]! -= slot[at]! * mi;
    }
    out[i]! -= sum + slot[at++]! * mi;
  }
}

/** q' = Σ (r − x·μ)² = q − 2v·μ + μᵀSμ. */
export function residualSquares(squares: number, slot: Float64Array, mean: Float64Array): number {
  const d = mean.length;
  const triangle = triangleSize(d);
  let rest = squares;
  for (let i = 0, at = 0; i < d; i++) {
    const mi = mean[i]!;
    let sum = 0;
    for (let j = 0; j < i; j++) sum += slot[at++]! * mean[j]!;
    rest += mi * (2 * sum + slot[at++]! * mi - 2 * slot[triangle + i]!);
  }
  return Math.max(rest, 0);
}
