import { within } from "../errors.ts";
import { accelerator } from "../numbers/accelerator.ts";
import { bestSplit, bitsOf, folded, MOST_CODE, Packer, Unpacker } from "../numbers/bits.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { traceOf, triangleSize } from "../numbers/packed.ts";
import { exponentOf, powerOfTwo } from "../numbers/powers.ts";
import type { Sums } from "./record.ts";
import { RoundedFactor, readFactor } from "./roundedFactor.ts";

/** The estimate that stays as it was is that of S + this share of its mean diagonal: about what rounding adds to S. */
const RIDGE = 3e-4;
/** Where L̃ᵀL̃ has less than this share of that ridge, y is not made up for it. */
const DAMPING = 0.1;
/** Arms below it are as good as nothing, and their squares leave the range of numbers. */
const LEAST_TRACE = 1e-30;
/** The furthest exponent of the last row: well within the range of numbers, well beyond that of rewards. */
const FURTHEST = 900;
/** Bits for that exponent, for the split of the last row, and for how many bits s takes. */
const EXPONENT_BITS = 11;
const SPLIT_BITS = 4;
const LENGTH_BITS = 5;
/** The last row's unit is at most this share of the noise: rounding adds a hundredth to the variance of y, or less. */
const NOISE_SHARE = 0.25;
/** And at least 2^−FINEST of the longest of y and s; 2^−FINE while there are too few observations to tell the noise. */
const FINEST = 14;
const FINE = 8;
/** Rounding makes sums of squares longer by less than this factor. */
export const WIDENING = 2;

/**
 * Sums in few bytes. What is written is the lower factor of Σ (x, r)(x, r)ᵀ,
 *
 *     [[S, v], [vᵀ, q]] = [[L, 0], [yᵀ, s]] [[L, 0], [yᵀ, s]]ᵀ,   S = L Lᵀ, v = L y, q = |y|² + s²,
 *
 * with L in a few bits a number (roundedFactor.ts). The noise in each number of y is σ, and s/√n tells σ; so the last row,
 * (y, s), has a unit of a quarter of that or less. Whatever is read, S is a covariance
 * and v fits it; nothing need be checked for that. With the y of the sums, so coarse an L would spoil the estimate; so v
 * changes with S: θ̂ = (S + ρI)⁻¹v = (S̃ + ρI)⁻¹ṽ, ρ a small ridge. Where much is known that keeps the estimate, where
 * little is known it keeps v, which counts when many records are added up. Then a record says to within a fifth how
 * sure its origin is in each direction; and what it is sure of, and how noisy rewards are, almost exactly.
 */
export class Compact {
  readonly #factor: RoundedFactor;
  /** y, then s. */
  readonly #last: Float64Array;
  /** Of S + ρI, then of L̃ᵀL̃ + a part of that; and what is solved by them. */
  readonly #ridged: Factor;
  readonly #solved: Float64Array;

  constructor(readonly dimension: number) {
    this.#factor = new RoundedFactor(dimension);
    this.#last = new Float64Array(dimension + 1);
    this.#ridged = new Factor(dimension);
    this.#solved = new Float64Array(dimension);
  }

  /** L | exponent, 11 bits | split, 4 bits | y where L has a column, Rice's code | bits of s, 5 bits | s. */
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
    const packer = new Packer(out);
    this.#factor.write(packer);
    this.#writeLast(packer, sums.count);
    packer.end();
  }

  /** y = z + ρ(L̃ᵀL̃)⁻¹z with z = L̃ᵀθ̂, so that L̃y = (S̃ + ρI)θ̂ as nearly as the columns of L̃ allow. */
  #adjust({ slot, squares }: Sums, trace: number): void {
    const { dimension: d } = this;
    const last = this.#last;
    const factor = this.#ridged;
    const ridge = (RIDGE * trace) / d;
    if (!factor.refactor(slot, 0, ridge)) return;
    const estimate = factor.solve(this.#solved, slot, triangleSize(d));
    last.fill(0, 0, d);
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) last[j]! += this.#factor.lower[at++]! * estimate[i]!;
    }
    if (factor.refactor(this.#factor.squareOfColumns(), 0, DAMPING * ridge)) {
      const more = factor.solve(this.#solved, last);
      for (let j = 0; j < d; j++) last[j]! += ridge * more[j]!;
    }
    const shrink = Math.sqrt((1.5 * squares) / squareOf(last));
    if (shrink < 1) for (let j = 0; j <= d; j++) last[j]! *= shrink;
  }

  #writeLast(packer: Packer, count: number): void {
    const { dimension: d } = this;
    const { pivots } = this.#factor;
    const exponent = this.#exponent(count);
    const unit = powerOfTwo(exponent);
    const codes: number[] = [];
    for (let j = 0; j < d; j++) if (pivots[j] === 1) codes.push(folded(Math.round(this.#last[j]! / unit)));
    const split = bestSplit(codes, (1 << SPLIT_BITS) - 1);
    packer.put(exponent + FURTHEST, EXPONENT_BITS);
    packer.put(split, SPLIT_BITS);
    for (const code of codes) packer.natural(code, split);
    const s = Math.round(this.#last[d]! / unit);
    packer.put(bitsOf(s), LENGTH_BITS);
    packer.put(s, bitsOf(s));
  }

  /** Of the last row's unit. */
  #exponent(count: number): number {
    let most = 0;
    for (const value of this.#last) most = Math.max(most, Math.abs(value));
    if (most === 0) return 0;
    const noise = this.#last[this.dimension]! / Math.sqrt(count);
    const rank = this.#factor.pivots.reduce((sum, pivot) => sum + pivot, 0);
    const fine = exponentOf(most) - (count > rank ? FINEST : FINE);
    const fits = noise > 0 && count > rank ? exponentOf(NOISE_SHARE * noise) : fine;
    return Math.max(-FURTHEST, fine, fits);
  }
}

/**
 * Fills `sums`, all zeros, with L and y in place of S and v, and returns q. What `square` makes of them is sound whatever the bytes; how
 * large it is is the caller's to check.
 */
export function readFactored(from: Reader, field: string, sums: Float64Array, dimension: number): number {
  const unpacker = new Unpacker(from, field);
  const pivots = new Uint8Array(dimension);
  readFactor(unpacker, sums, pivots);
  const exponent = unpacker.take(EXPONENT_BITS) - FURTHEST;
  const unit = powerOfTwo(within(() => `${field} exponent`, exponent, -FURTHEST, FURTHEST));
  const y = triangleSize(dimension);
  unpacker.numbers(sums, y, dimension, pivots, unpacker.take(SPLIT_BITS), unit);
  let squares = 0;
  for (let at = y; at < sums.length; at++) squares += sums[at]! * sums[at]!;
  const bits = within(() => `${field} bits`, unpacker.take(LENGTH_BITS), 0, bitsOf(MOST_CODE));
  const last = unpacker.take(bits) * unit;
  unpacker.end();
  return squares + last * last;
}

/** The trace of L Lᵀ, as `traceOf` has it. */
export function factoredTrace(sums: Float64Array, dimension: number): number {
  let trace = 0;
  for (let i = 0, at = 0; i < dimension; i++) {
    let square = 0;
    for (let k = 0; k <= i; k++, at++) square += sums[at]! * sums[at]!;
    trace += square;
  }
  return trace;
}

/** S = L Lᵀ and v = L y in the place of L and y: n²d/2 multiply-adds or so where n columns of L are not zero, which alone are looked at. */
export function square(sums: Float64Array, dimension: number): void {
  const faster = accelerator();
  if (faster !== null && dimension >= faster.leastDimension) faster.square(dimension, sums);
  else squarePlainly(sums, dimension);
}

function squarePlainly(sums: Float64Array, dimension: number): void {
  const triangle = triangleSize(dimension);
  const used = new Uint8Array(dimension);
  for (let i = 0, at = 0; i < dimension; i++) for (let k = 0; k <= i; k++) if (sums[at++] !== 0) used[k] = 1;
  // Rows of L without those columns, one behind another, and where each begins.
  const rows = new Float64Array(triangle);
  const y = sums.slice(triangle).filter((_, k) => used[k] === 1);
  const starts = new Int32Array(dimension + 1);
  for (let i = 0, from = 0, at = 0; i < dimension; starts[++i] = at) {
    for (let k = 0; k <= i; k++, from++) if (used[k] === 1) rows[at++] = sums[from]!;
  }
  for (let i = 0, at = 0; i < dimension; i++) {
    const own = starts[i]!;
    for (let j = 0; j <= i; j++) sums[at++] = product(rows, own, rows, starts[j]!, starts[j + 1]! - starts[j]!);
    sums[triangle + i] = product(rows, own, y, 0, starts[i + 1]! - own);
  }
}

function product(a: Float64Array, from: number, b: Float64Array, other: number, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += a[from + k]! * b[other + k]!;
  return sum;
}

function squareOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}
