import type { Random } from "@coterie/core";

/** Tall blocks of vectors: height × width, dense by rows, as the sparse products want them. */

/**
 * Makes the columns orthonormal, in place: modified Gram-Schmidt, each column against all before it. One pass leaves a
 * part of size rounding / (what remained of the column), so where most of it was taken away, a second pass follows.
 * A column that lies in the span of those before it is replaced by a random one, so that the block keeps its rank.
 */
export function orthonormalise(block: Float64Array, height: number, width: number, random: Random): Float64Array {
  const columns = transposed(block, height, width);
  for (let j = 0; j < width; j++) {
    const column = columns.subarray(j * height, (j + 1) * height);
    let before = lengthOf(column);
    let after = project(columns, height, j, column);
    while (!(after > before * 1e-13)) {
      before = lengthOf(random.normals(column));
      after = project(columns, height, j, column);
    }
    const length = after > before * 0.5 ? after : project(columns, height, j, column);
    for (let i = 0; i < height; i++) column[i]! /= length;
  }
  block.set(transposed(columns, width, height));
  return block;
}

/** column -= the parts of it along the first `count` columns; returns the length that remains. */
function project(columns: Float64Array, height: number, count: number, column: Float64Array): number {
  for (let k = 0; k < count; k++) {
    const other = columns.subarray(k * height, (k + 1) * height);
    const along = dot(other, column);
    for (let i = 0; i < height; i++) column[i]! -= along * other[i]!;
  }
  return lengthOf(column);
}

/** In four sums side by side, which a processor adds in parallel; the order is fixed all the same. */
function dot(a: Float64Array, b: Float64Array): number {
  const whole = a.length & ~3;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) s0 += a[i]! * b[i]!;
  return s0 + s1 + (s2 + s3);
}

/** Aᵀ B for two blocks of the same shape: width × width. */
export function gramOf(a: Float64Array, b: Float64Array, height: number, width: number): Float64Array {
  const gram = new Float64Array(width * width);
  for (let i = 0; i < height; i++) {
    const row = i * width;
    for (let p = 0; p < width; p++) {
      const value = a[row + p]!;
      const to = p * width;
      for (let q = 0; q < width; q++) gram[to + q]! += value * b[row + q]!;
    }
  }
  return gram;
}

/** block = block × turn, in place; turn is width × width. */
export function turnColumns(block: Float64Array, turn: Float64Array, height: number, width: number): Float64Array {
  const turned = new Float64Array(width);
  for (let i = 0; i < height; i++) {
    const row = block.subarray(i * width, (i + 1) * width);
    turned.fill(0);
    for (let p = 0; p < width; p++) {
      const value = row[p]!;
      const from = p * width;
      for (let q = 0; q < width; q++) turned[q]! += value * turn[from + q]!;
    }
    row.set(turned);
  }
  return block;
}

function transposed(block: Float64Array, height: number, width: number): Float64Array {
  const out = new Float64Array(block.length);
  for (let i = 0; i < height; i++) for (let j = 0; j < width; j++) out[j * height + i] = block[i * width + j]!;
  return out;
}

const lengthOf = (column: Float64Array): number => Math.sqrt(dot(column, column));
