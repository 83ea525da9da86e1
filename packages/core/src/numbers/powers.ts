import { double, HIGH, words } from "./double.ts";
import { log2 } from "./ln.ts";

/** Powers of two, the same on every engine: the language leaves the last bit of `Math.pow` open. */

/** 2^exponent, from −1022 to 1023. */
export function powerOfTwo(exponent: number): number {
  words[1 - HIGH] = 0;
  words[HIGH] = (exponent + 1023) << 20;
  return double[0]!;
}

/** The e with 2^e <= x < 2^(e+1), for any normal x > 0. */
export function exponentOf(x: number): number {
  double[0] = x;
  return (words[HIGH]! >>> 20) - 1023;
}

const QUARTERS = Float64Array.of(1, 1.189207115002721, Math.SQRT2, 1.681792830507429);

/** 2^(quarters/4). */
export const quarterOctave = (quarters: number): number => QUARTERS[quarters & 3]! * powerOfTwo(quarters >> 2);

/** 2^(eighths/8). */
export const eighthOctave = (eighths: number): number =>
  (eighths & 1 ? 1.0905077326652577 : 1) * quarterOctave(eighths >> 1);

/** The least whole number of quarters with 2^(quarters/4) >= x, for x > 0, to within rounding. */
export const quarterOctavesAbove = (x: number): number => Math.ceil(4 * log2(x));
