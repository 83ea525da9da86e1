import { accelerator, type Fit } from "../numbers/accelerator.ts";
import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";
import type { Prior } from "./prior.ts";

/** What rounding to 32 bits may take from a pivot, as a part of the diagonal entry. */
const ROUNDING = 1e-5;

interface Model {
  readonly prior: Prior;
  readonly noise: number;
}

/** What has a value, and a place: the posterior mean of θ, less μ. */
interface Valued {
  value: number;
  readonly centre: Float64Array;
}

/**
 * How well sums (S, v) fit one θ ~ N(μ, σ²R⁻¹), r = x·θ + N(0, σ²). With v' = v − Sμ, the part of ln p(r) that does
 * not cancel when sums are put together or taken apart is
 *
 *     ½ [ v'ᵀ(S + R)⁻¹v' / σ² − ln det(S + R) + ln det R ]
 *
 * One Cholesky factorisation of S + R and one forward solve: d³/6 + 2d² multiply-adds. Where there is an accelerator it is
 * done there, two sums at a time, with the same bits.
 */
export class Evidence {
  readonly #sum: Float64Array;
  /** L of the last fit, S + R = L Lᵀ (without its diagonal). */
  readonly #factor: Factor;
  /** L⁻¹v' of the last fit. */
  readonly #solved: Float64Array;
  readonly #first = emptyFit();
  readonly #second = emptyFit();
  /** ln det(S + R) − ln det R of the last fit. */
  logDeterminant = 0;
  /** v'ᵀ(S + R)⁻¹v' of the last fit. */
  explained = 0;

  constructor(readonly dimension: number) {
    this.#sum = new Float64Array(slotSize(dimension));
    this.#factor = new Factor(dimension);
    this.#solved = new Float64Array(dimension);
  }

  /** The value of the sums `slot`; `centre` becomes (S + R)⁻¹v', the posterior mean of θ, less μ. */
  of(slot: Float64Array, prior: Prior, noise: number, centre: Float64Array | null = null): number {
    this.#look(this.#first, slot, null, 1, centre);
    return this.#valued(prior, noise);
  }

  /** The value of the sums `slot + scale · other`. */
  ofSum(slot: Float64Array, other: Float64Array, prior: Prior, noise: number, scale = 1): number {
    this.#look(this.#first, slot, other, scale, null);
    return this.#valued(prior, noise);
  }

  /** The value of the sums `scale · slot`. */
  ofScaled(slot: Float64Array, scale: number, prior: Prior, noise: number, centre: Float64Array | null = null): number {
    this.#look(this.#first, null, slot, scale, centre);
    return this.#valued(prior, noise);
  }

  /** out[k] = the value of the sums `parts[k].slot + scale · other` of the first `count` parts, − scale for the part `less`. */
  ofSums(
    out: Float64Array,
    parts: readonly { readonly slot: Float64Array }[],
    count: number,
    other: Float64Array,
    scale: number,
    { prior, noise }: Model,
    less: object | null = null,
  ): void {
    const [first, second] = [this.#first, this.#second];
    for (let k = 0; k < count; k += 2) {
      const part = parts[k]!;
      this.#look(first, part.slot, other, part === less ? -scale : scale, null);
      const next = k + 1 < count ? parts[k + 1] : undefined;
      if (next !== undefined) this.#look(second, next.slot, other, next === less ? -scale : scale, null);
      this.#fit(prior, next === undefined ? null : second, k > 0);
      out[k] = valueFound(first, noise);
      if (next !== undefined) out[k + 1] = valueFound(second, noise);
    }
  }

  /** Fills in the value and the centre of each of `parts`, whose sums are `slot`; and what is explained of each, where asked. */
  valueAll(
    parts: readonly (Valued & { readonly slot: Float64Array })[],
    { prior, noise }: Model,
    explained: Float64Array | null = null,
  ): void {
    const [first, second] = [this.#first, this.#second];
    for (let k = 0; k < parts.length; k += 2) {
      const [part, next] = [parts[k]!, parts[k + 1]];
      this.#look(first, part.slot, null, 1, part.centre);
      if (next !== undefined) this.#look(second, next.slot, null, 1, next.centre);
      this.#fit(prior, next === undefined ? null : second, k > 0);
      part.value = valueFound(first, noise);
      if (next !== undefined) next.value = valueFound(second, noise);
      if (explained === null) continue;
      explained[k] = first.explained;
      if (next !== undefined) explained[k + 1] = second.explained;
    }
  }

  /** Fits each of `sums`, `scale` times: what is found goes to `found`, `explained` and `logDeterminant` in turn. */
  fitAll(found: Float64Array, sums: readonly { readonly slot: Float64Array }[], prior: Prior, scale = 1): void {
    const [first, second] = [this.#first, this.#second];
    for (let k = 0; k < sums.length; k += 2) {
      this.#lookScaled(first, sums[k]!.slot, scale);
      const next = sums[k + 1];
      if (next !== undefined) this.#lookScaled(second, next.slot, scale);
      this.#fit(prior, next === undefined ? null : second, k > 0);
      found[2 * k] = first.explained;
      found[2 * k + 1] = first.logDeterminant;
      if (next === undefined) continue;
      found[2 * k + 2] = second.explained;
      found[2 * k + 3] = second.logDeterminant;
    }
  }

  fit(slot: Float64Array, prior: Prior, centre: Float64Array | null = null): void {
    this.#look(this.#first, slot, null, 1, centre);
    this.#fit(prior, null);
  }

  #lookScaled(fit: Fit, slot: Float64Array, scale: number): void {
    if (scale === 1) this.#look(fit, slot, null, 1, null);
    else this.#look(fit, null, slot, scale, null);
  }

  #look(
    fit: Fit,
    base: Float64Array | null,
    other: Float64Array | null,
    scale: number,
    centre: Float64Array | null,
  ): void {
    fit.base = base;
    fit.other = other;
    fit.scale = scale;
    fit.centre = centre;
  }

  #valued(prior: Prior, noise: number): number {
    this.#fit(prior, null);
    return valueFound(this.#first, noise);
  }

  #fit(prior: Prior, second: Fit | null, again = false): void {
    const faster = accelerator();
    if (faster !== null && this.dimension >= faster.leastDimension) {
      faster.evidence(this.dimension, prior, this.#first, second, again);
    } else {
      this.#plain(prior, this.#first);
      if (second !== null) this.#plain(prior, second);
    }
    this.explained = this.#first.explained;
    this.logDeterminant = this.#first.logDeterminant;
  }

  #plain(prior: Prior, fit: Fit): void {
    const { base, other, scale } = fit;
    const sum = this.#sum;
    if (other === null) this.#factorise(base!, prior, fit);
    else {
      if (base === null) for (let k = 0; k < sum.length; k++) sum[k] = scale * other[k]!;
      else for (let k = 0; k < sum.length; k++) sum[k] = base[k]! + scale * other[k]!;
      this.#factorise(sum, prior, fit);
    }
    if (fit.centre === null) return;
    if (fit.logDeterminant < Infinity) this.#factor.backward(fit.centre, this.#solved);
    else fit.centre.fill(0);
  }

  #factorise(slot: Float64Array, { mean, ridge, pivots, overPivots }: Prior, fit: Fit): void {
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
          fit.logDeterminant = Infinity;
          fit.explained = 0;
          return;
        }
        pivot = least;
      }
      // A root and a division that need not wait for each other.
      const inverse = Math.sqrt(pivot) * (1 / pivot);
      reciprocal[i] = inverse;
      rest *= inverse;
      solved[i] = rest;
      explained += rest * rest;
      // One logarithm for several pivots, as long as the product stays in range.
      product *= pivot * overPivots[i]!;
      if (product > 1e200) {
        log += ln(product);
        product = 1;
      }
      row += i + 1;
    }
    fit.explained = explained;
    fit.logDeterminant = log + ln(product);
  }
}

const emptyFit = (): Fit => ({ base: null, other: null, scale: 1, centre: null, explained: 0, logDeterminant: 0 });

const valueFound = ({ explained, logDeterminant }: Fit, noise: number): number =>
  valueOfFit(explained, logDeterminant, noise);

/** The value of sums of which v'ᵀ(S + R)⁻¹v' is `explained`, and ln det(S + R) − ln det R `logDeterminant`. */
export const valueOfFit = (explained: number, logDeterminant: number, noise: number): number =>
  0.5 * (explained / noise - logDeterminant);

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
  return Math.max(shiftedSquares(squares, slot, mean), 0);
}

/** q − 2v·μ + μᵀSμ for any q. */
export function shiftedSquares(squares: number, slot: Float64Array, mean: Float64Array): number {
  const d = mean.length;
  const triangle = triangleSize(d);
  let rest = squares;
  for (let i = 0, at = 0; i < d; i++) {
    const mi = mean[i]!;
    let sum = 0;
    for (let j = 0; j < i; j++) sum += slot[at++]! * mean[j]!;
    rest += mi * (2 * sum + slot[at++]! * mi - 2 * slot[triangle + i]!);
  }
  return rest;
}
