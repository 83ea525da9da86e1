import { type Misfit, misfit } from "./feature.ts";

/** A vector as apps hold them. */
export type Vector = readonly number[] | Float64Array | Float32Array;

/** Up to here a square length is 1 but for rounding in doubles, and the vector is taken bit for bit. */
const ROUNDING = 1 + 1e-12;
/** Up to here a length is `longest` but for rounding in single precision: scaled back, never refused. */
const SINGLE = 1 + 1e-6;

/**
 * out[at .. at + dimension) = value / longest, within the unit ball. A vector that is longer than `longest` is scaled
 * back to the unit sphere, or refused if `strict`.
 */
export function writeVector(
  out: Float64Array,
  at: number,
  value: unknown,
  dimension: number,
  longest: number,
  strict: boolean,
): Misfit | undefined {
  if (!isVector(value) || value.length !== dimension) return misfit(value, `be a list of ${dimension} numbers`);
  let square = 0;
  for (let i = 0; i < dimension; i++) {
    const entry: unknown = value[i];
    if (typeof entry !== "number" || !Number.isFinite(entry)) return misfit(entry, "be a finite number", `[${i}]`);
    out[at + i] = entry / longest;
    square += out[at + i] * out[at + i];
  }
  return square <= ROUNDING ? undefined : shorten(out, at, value, longest, strict);
}

/** out = value / ‖value‖. Through the largest entry, so that no square overflows. */
function shorten(out: Float64Array, at: number, value: Vector, longest: number, strict: boolean): Misfit | undefined {
  let largest = 0;
  for (let i = 0; i < value.length; i++) largest = Math.max(largest, Math.abs(value[i]));
  let square = 0;
  for (let i = 0; i < value.length; i++) {
    out[at + i] = value[i] / largest;
    square += out[at + i] * out[at + i];
  }
  const length = Math.sqrt(square);
  if (strict && (largest / longest) * length > SINGLE) {
    return misfit(`length ${largest * length}`, `be no longer than ${longest}`);
  }
  for (let i = at; i < at + value.length; i++) out[i] /= length;
  return undefined;
}

/** Other views pass as well; their entries are looked at one by one. */
const isVector = (value: unknown): value is Vector => Array.isArray(value) || ArrayBuffer.isView(value);
