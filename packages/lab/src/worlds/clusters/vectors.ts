import type { Random } from "@coterie/core";

/** Random vectors, row by row in one array. */

/** Rows that are orthonormal: random ones, each freed of its share in those before (Gram and Schmidt). */
export function orthonormal(count: number, d: number, random: Random): Float64Array {
  const rows = new Float64Array(count * d);
  fillSphere(rows, d, random);
  for (let k = 0; k < count; k++) {
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < k; other++) {
        let share = 0;
        for (let i = 0; i < d; i++) share += rows[k * d + i]! * rows[other * d + i]!;
        for (let i = 0; i < d; i++) rows[k * d + i]! -= share * rows[other * d + i]!;
      }
    }
    normalise(rows, k * d, d);
  }
  return rows;
}

/** Every d numbers a vector, uniform on the unit sphere. */
export function fillSphere(values: Float64Array, d: number, random: Random): void {
  random.normals(values);
  for (let from = 0; from < values.length; from += d) normalise(values, from, d);
}

/** x_i = ±s_i with s_d² = least and the other s_i² equal, so that E[x xᵀ] = diag(s²) and ‖x‖ = 1. */
export function fillSigns(values: Float64Array, d: number, least: number, random: Random): void {
  const large = d === 1 ? 1 : Math.sqrt((1 - least) / (d - 1));
  const small = d === 1 ? 1 : Math.sqrt(least);
  for (let at = 0; at < values.length; at++) {
    const size = at % d === d - 1 ? small : large;
    values[at] = random.uint32() >>> 31 === 0 ? size : -size;
  }
}

export function normalise(values: Float64Array, from: number, d: number): void {
  let square = 0;
  for (let i = from; i < from + d; i++) square += values[i]! * values[i]!;
  const scale = 1 / Math.sqrt(square);
  for (let i = from; i < from + d; i++) values[i]! *= scale;
}

/** Each row x, a unit vector, becomes normalise(share · direction + √(1 − share²) · x). */
export function lean(values: Float64Array, direction: Float64Array, share: number): void {
  const d = direction.length;
  const rest = Math.sqrt(1 - share * share);
  for (let from = 0; from < values.length; from += d) {
    for (let i = 0; i < d; i++) values[from + i] = share * direction[i]! + rest * values[from + i]!;
    normalise(values, from, d);
  }
}
