import { ProtocolViolation } from "../errors.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { triangleSize } from "../numbers/packed.ts";
import { exponentOf, powerOfTwo } from "../numbers/powers.ts";
import type { Sums } from "./record.ts";
import { RoundedFactor } from "./roundedFactor.ts";

/** The estimate that stays as it was is that of S + this share of its mean diagonal: about what rounding adds to S. */
const RIDGE = 3e-4;
/** Where L̃ᵀL̃ has less than this share of that ridge, y is not made up for it. */
const DAMPING = 0.1;
/** Arms below it are as good as nothing, and their squares leave the range of numbers. */
const LEAST_TRACE = 1e-30;
/** The furthest exponent of the last row: well within the range of numbers, well beyond that of rewards. */
const FURTHEST = 900;
/** Rounding makes sums of squares longer by less than this factor. */
export const WIDENING = 2;

/**
 * Sums in few bytes. What is written is the lower factor of Σ (x, r)(x, r)ᵀ,
 *
 *     [[S, v], [vᵀ, q]] = [[L, 0], [yᵀ, s]] [[L, 0], [yᵀ, s]]ᵀ,   S = L Lᵀ, v = L y, q = |y|² + s²,
 *
 * with L in a few bits a number (roundedFactor.ts) and the last row, (y, s), in 16. Whatever is read, S is a covariance
 * and v fits it; nothing need be checked for that. With the y of the sums, so coarse an L would spoil the estimate; so v
 * changes with S: θ̂ = (S + ρI)⁻¹v = (S̃ + ρI)⁻¹ṽ, ρ a small ridge. Where much is known that keeps the estimate, where
 * little is known it keeps v, which counts when many records are added up. Then a record says to within a fifth how
 * sure its origin is in each direction; and what it is sure of, and how noisy rewards are, almost exactly.
 */
export class Compact {
  readonly #factor: RoundedFactor;
  /** y, then s. */
  readonly #last: Float64Array;

  constructor(readonly dimension: number) {
    this.#factor = new RoundedFactor(dimension);
    this.#last = new Float64Array(dimension + 1);
  }

  /** L | exponent u16 | y and s, u16 each; y only where L has a column. */
  write(out: Writer, sums: Sums): void {
    const { dimension: d } = this;
    const last = this.#last.fill(0);
    const trace = traceOf(sums.slot, d);
    if (trace < LEAST_TRACE) {
      last[d] = Math.sqrt(sums.squares);
      this.#factor.clear();
    } else {
      last[d] = Math.sqrt(Math.max(0, sums.squares - this.#factor.decompose(sums.slot, last)));
      this.#factor.round(sums.slot, trace);
      this.#adjust(sums, trace);
    }
    this.#factor.write(out);
    this.#writeLast(out);
  }

  /** Reads into `slot`, returns q. The sums are sound whatever the bytes; how large they are is the caller's to check. */
  read(from: Reader, field: string, slot: Float64Array): number {
    const { dimension: d } = this;
    const [factor, last] = [this.#factor, this.#last];
    factor.read(from, field);
    this.#readLast(from, field);
    factor.square(slot);
    const triangle = triangleSize(d);
    for (let i = 0, at = 0; i < d; i++) {
      let sum = 0;
      for (let k = 0; k <= i; k++) sum += factor.lower[at++]! * last[k]!;
      slot[triangle + i] = sum;
    }
    return squareOf(last);
  }

  /** y = z + ρ(L̃ᵀL̃)⁻¹z with z = L̃ᵀθ̂, so that L̃y = (S̃ + ρI)θ̂ as nearly as the columns of L̃ allow. */
  #adjust({ slot, squares }: Sums, trace: number): void {
    const { dimension: d } = this;
    const last = this.#last;
    const factor = new Factor(d);
    const ridge = (RIDGE * trace) / d;
    if (!factor.refactor(slot, 0, ridge)) return;
    const estimate = factor.solve(new Float64Array(d), slot, triangleSize(d));
    last.fill(0, 0, d);
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) last[j]! += this.#factor.lower[at++]! * estimate[i]!;
    }
    if (factor.refactor(this.#factor.squareOfColumns(), 0, DAMPING * ridge)) {
      const more = factor.solve(new Float64Array(d), last);
      for (let j = 0; j < d; j++) last[j]! += ridge * more[j]!;
    }
    const shrink = Math.sqrt((1.5 * squares) / squareOf(last));
    if (shrink < 1) for (let j = 0; j <= d; j++) last[j]! *= shrink;
  }

  #writeLast(out: Writer): void {
    const { dimension: d } = this;
    let most = 0;
    for (const value of this.#last) most = Math.max(most, Math.abs(value));
    const exponent = most === 0 ? 0 : Math.max(-FURTHEST, exponentOf(most) - 14);
    const unit = powerOfTwo(exponent);
    out.u16(exponent + 0x8000);
    for (let j = 0; j <= d; j++) {
      if (j < d && this.#factor.pivots[j] === 0) continue;
      out.u16(Math.max(-0x7fff, Math.min(0x7fff, Math.round(this.#last[j]! / unit))) + 0x8000);
    }
  }

  #readLast(from: Reader, field: string): void {
    const { dimension: d } = this;
    const exponent = from.u16(field) - 0x8000;
    if (Math.abs(exponent) > FURTHEST) {
      throw new ProtocolViolation("out-of-range", `${field} exponent`, exponent, `be within ${FURTHEST}`);
    }
    const unit = powerOfTwo(exponent);
    for (let j = 0; j <= d; j++) {
      this.#last[j] = j === d || this.#factor.pivots[j] === 1 ? (from.u16(field) - 0x8000) * unit : 0;
    }
  }
}

export function traceOf(slot: Float64Array, dimension: number): number {
  let trace = 0;
  for (let i = 0, at = 0; i < dimension; at += i + 2, i++) trace += slot[at]!;
  return trace;
}

function squareOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}
