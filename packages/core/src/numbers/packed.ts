/**
 * Symmetric d×d matrices as their lower triangle, row by row: entry (i, j), j <= i, stands at i(i+1)/2 + j.
 *
 * A *slot* is a gram and a moment behind one another in one stretch of d(d+1)/2 + d numbers, so that adding, averaging
 * and sending statistics is a single loop.
 */

export const triangleSize = (dimension: number): number => (dimension * (dimension + 1)) / 2;

/** d(d+1)/2 + d: the numbers of a gram and a moment. */
export const slotSize = (dimension: number): number => triangleSize(dimension) + dimension;

/** slot += (x xᵀ, r x), x = vectors[from .. from+d). */
export function addObservation(
  slot: Float64Array,
  offset: number,
  dimension: number,
  vectors: Float64Array,
  from: number,
  reward: number,
): void {
  let at = offset;
  for (let i = 0; i < dimension; i++) {
    const xi = vectors[from + i]!;
    for (let j = 0; j <= i; j++) slot[at++]! += xi * vectors[from + j]!;
  }
  for (let i = 0; i < dimension; i++) slot[at++]! += reward * vectors[from + i]!;
}

/** gram += scale · I. */
export function addIdentity(slot: Float64Array, offset: number, dimension: number, scale: number): void {
  for (let i = 0, at = offset; i < dimension; at += i + 2, i++) slot[at]! += scale;
}

/** gram += scale · x xᵀ, x = vectors[from .. from+d). */
export function addOuter(
  gram: Float64Array,
  dimension: number,
  vectors: Float64Array,
  from: number,
  scale: number,
): void {
  for (let i = 0, at = 0; i < dimension; i++) {
    const xi = scale * vectors[from + i]!;
    for (let j = 0; j <= i; j++) gram[at++]! += xi * vectors[from + j]!;
  }
}

/** out = A x, A the gram and x = vectors[from .. from+d). `out` must not be x. */
export function multiply(
  out: Float64Array,
  gram: Float64Array,
  dimension: number,
  vectors: Float64Array,
  from: number,
): Float64Array {
  for (let i = 0, row = 0; i < dimension; row += ++i) {
    const xi = vectors[from + i]!;
    let sum = gram[row + i]! * xi;
    for (let j = 0; j < i; j++) {
      sum += gram[row + j]! * vectors[from + j]!;
      out[j]! += gram[row + j]! * xi;
    }
    out[i] = sum;
  }
  return out;
}

/** Σ a_i b_i over `count` numbers, both from their own offset. */
export function dotAt(a: Float64Array, aOffset: number, b: Float64Array, bOffset: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[aOffset + i]! * b[bOffset + i]!;
  return sum;
}

/** tr S of the gram. */
export function traceOf(slot: Float64Array, dimension: number, offset = 0): number {
  let trace = 0;
  for (let i = 0, at = offset; i < dimension; at += i + 2, i++) trace += slot[at]!;
  return trace;
}

/** tr S/d: S as if it were the same in every direction. */
export const meanDiagonal = (slot: Float64Array, dimension: number): number => traceOf(slot, dimension) / dimension;

/** out += scale · values, both from their own offset. */
export function addScaled(
  out: Float64Array,
  outOffset: number,
  values: Float64Array,
  valuesOffset: number,
  count: number,
  scale: number,
): void {
  for (let k = 0; k < count; k++) out[outOffset + k]! += scale * values[valuesOffset + k]!;
}

/** The full d×d matrix, for people and JSON. */
export function toDense(packed: Float64Array, dimension: number): number[][] {
  return Array.from({ length: dimension }, (_, i) =>
    Array.from({ length: dimension }, (_, j) => packed[i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i]!),
  );
}
