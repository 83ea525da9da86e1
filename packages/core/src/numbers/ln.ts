import { double, HIGH, words } from "./double.ts";

/**
 * Natural logarithm, sine and cosine of our own.
 *
 * The language leaves the last bits of `Math.log`, `Math.sin` and `Math.cos` to the engine, and one bit is enough to
 * turn a choice. These use only + - * / on doubles, which every engine rounds alike.
 */

// ln 2 in two parts: the first has 32 trailing zero bits, so that `exponent * LN2_HIGH` is exact.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/**
 * x = 2^exponent · mantissa with mantissa in (√½, √2]: returns the exponent and leaves the mantissa in `double[0]`.
 */
function split(x: number): number {
  let exponent = 0;
  double[0] = x;
  if (x < 2.2250738585072014e-308) {
    double[0] = x * 18014398509481984; // 2^54 lifts a subnormal into the normal range
    exponent = -54;
  }
  exponent += (words[HIGH]! >>> 20) - 1023;
  words[HIGH] = (words[HIGH]! & 0x000fffff) | 0x3ff00000;
  if (double[0]! <= Math.SQRT2) return exponent;
  double[0] = double[0]! * 0.5;
  return exponent + 1;
}

/** 2/(2k + 1), k = 0, 1, … */
const ATANH = Float64Array.from({ length: 12 }, (_, k) => 2 / (2 * k + 1));

/**
 * ln m for m in (√½, √2] plus exponent · ln 2.
 *
 * ln m = 2 atanh(s) = 2 (s + s³/3 + s⁵/5 + …), s = (m-1)/(m+1), |s| <= 0.172: twelve terms reach 2^-60.
 */
function combine(exponent: number, mantissa: number): number {
  const f = mantissa - 1;
  const s = f / (2 + f);
  const z = s * s;
  let tail = 0;
  for (let k = 11; k > 0; k--) tail = tail * z + ATANH[k]!;
  tail *= z;
  // 2s = f - s f, which keeps the bits of f that the division dropped.
  return exponent * LN2_HIGH + (f - (s * f - s * tail - exponent * LN2_LOW));
}

/** ln x, within 1 ulp or so, for x > 0; -Infinity at 0, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  return combine(split(x), double[0]!);
}

/** log2 x, exact at powers of two: a buffer's length is compared with 4·log2 t as a real number. */
export function log2(x: number): number {
  if (!(x > 0) || x === Infinity) return ln(x);
  return split(x) + combine(0, double[0]!) * Math.LOG2E;
}

/** (-1)^k / (2k)! and (-1)^k / (2k+1)!, k = 0, 1, … */
const COSINE = new Float64Array(9);
const SINE = new Float64Array(8);
for (let k = 0, term = 1; k < 9; k++, term /= -(2 * k - 1) * (2 * k)) COSINE[k] = term;
for (let k = 0, term = 1; k < 8; k++, term /= -(2 * k) * (2 * k + 1)) SINE[k] = term;

/**
 * out[0] = cos(2πu), out[1] = sin(2πu) for u in [0, 1), within 2 ulp of 1.
 *
 * u is folded into an octant first (exact in doubles), where the Taylor series of eight and nine terms are good to 2^-57.
 */
export function cosSin2Pi(out: Float64Array, u: number): void {
  const octant = Math.floor(u * 8);
  // Distance from the nearest multiple of a quarter, in turns: at most 1/8.
  const quarter = (octant + 1) >> 1;
  const a = (u - quarter * 0.25) * (2 * Math.PI);
  const z = a * a;
  let s = SINE[7]!;
  let c = COSINE[8]!;
  for (let k = 6; k >= 0; k--) s = s * z + SINE[k]!;
  for (let k = 7; k >= 0; k--) c = c * z + COSINE[k]!;
  s *= a;
  // A quarter of a turn takes (c, s) to (−s, c), half of one takes it to (−c, −s).
  const odd = (quarter & 1) === 1;
  const sign = (quarter & 2) === 0 ? 1 : -1;
  out[0] = sign * (odd ? -s : c);
  out[1] = sign * (odd ? c : s);
}
