import { accelerator, type Fit } from "../numbers/accelerator.ts";
import { Factor } from "../numbers/factor.ts";
import { ln } from "../numbers/ln.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import type { Prior } from "./prior.ts";

/** What rounding to 32 bits may take from a pivot, as a part of the diagonal entry. */
const ROUNDING = 1e-5;

interface Model {
  readonly prior: Prior;
  readonly noise: number;
}

/** What has a value, and a place: the posterior mean of θ, less μ. */
interface Valued {
  readonly slot: Float64Array;
  take(value: number, centre: Float64Array): void;
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
  readonly #room: Room;
  readonly #first = first;
  readonly #second = second;
  /** ln det(S + R) − ln det R of the last fit. */
  logDeterminant = 0;
  /** v'ᵀ(S + R)⁻¹v' of the last fit. */
  explained = 0;

  constructor(readonly dimension: number) {
    this.#room = roomOf(dimension, makeRoom);
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

  /**
   * out[0] = the value of the sums `from` without `moved`, out[1] = that of `to` with them, either of which may be null; and the centres
   * of both.
   */
  ofMove(
    out: Float64Array,
    from: Float64Array | null,
    left: Float64Array,
    to: Float64Array | null,
    joined: Float64Array,
    moved: Float64Array,
    { prior, noise }: Model,
  ): void {
    const [first, second] = [this.#first, from === null ? this.#first : this.#second];
    if (from !== null) this.#look(first, from, moved, -1, left);
    if (to !== null) this.#look(second, to, moved, 1, joined);
    this.#fit(prior, from !== null && to !== null ? second : null);
    if (from !== null) out[0] = valueFound(first, noise);
    if (to !== null) out[1] = valueFound(second, noise);
  }

  /** Tells `part` the value and the centre of its sums. */
  value(part: Valued, { prior, noise }: Model): void {
    const { centre } = this.#room;
    part.take(this.of(part.slot, prior, noise, centre), centre);
  }

  /** Tells each of `parts` the value and the centre of its sums; and what is explained of each, where asked. */
  valueAll(parts: readonly Valued[], { prior, noise }: Model, explained: Float64Array | null = null): void {
    const [first, second] = [this.#first, this.#second];
    const { centre, other } = this.#room;
    for (let k = 0; k < parts.length; k += 2) {
      const [part, next] = [parts[k]!, parts[k + 1]];
      this.#look(first, part.slot, null, 1, centre);
      if (next !== undefined) this.#look(second, next.slot, null, 1, other);
      this.#fit(prior, next === undefined ? null : second, k > 0);
      part.take(valueFound(first, noise), centre);
      next?.take(valueFound(second, noise), other);
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
    const { sum } = this.#room;
    if (other === null) this.#factorise(base!, prior, fit);
    else {
      if (base === null) for (let k = 0; k < sum.length; k++) sum[k] = scale * other[k]!;
      else for (let k = 0; k < sum.length; k++) sum[k] = base[k]! + scale * other[k]!;
      this.#factorise(sum, prior, fit);
    }
    if (fit.centre === null) return;
    if (fit.logDeterminant < Infinity) this.#room.factor.backward(fit.centre, this.#room.solved);
    else fit.centre.fill(0);
  }

  #factorise(slot: Float64Array, { mean, ridge, pivots, overPivots }: Prior, fit: Fit): void {
    const d = this.dimension;
    const { factor, solved } = this.#room;
    const { lower, reciprocal } = factor;
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

/** What is looked at now, whoever asks: every call fills them in first. */
const first = emptyFit();
const second = emptyFit();

/** Of a fit that core does itself; nothing of it is used from one call to the next. */
interface Room {
  readonly sum: Float64Array;
  /** L, S + R = L Lᵀ (without its diagonal), and L⁻¹v'. */
  readonly factor: Factor;
  readonly solved: Float64Array;
  /** Posterior means of θ, less μ, of two sums. */
  readonly centre: Float64Array;
  readonly other: Float64Array;
}

const makeRoom = (dimension: number): Room => ({
  sum: new Float64Array(slotSize(dimension)),
  factor: new Factor(dimension),
  solved: new Float64Array(dimension),
  centre: new Float64Array(dimension),
  other: new Float64Array(dimension),
});

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
