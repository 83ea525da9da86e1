/** A sparse matrix by rows: row r has columns[k], values[k] for k from starts[r] to starts[r + 1]. */
export interface Sparse {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/** out = A x: A is r × c, x is c × width, out is r × width, both dense by rows. */
export function times(out: Float64Array, a: Sparse, x: Float64Array, width: number): Float64Array {
  out.fill(0);
  for (let row = 0; row < a.rowCount; row++) {
    const to = row * width;
    for (let k = a.starts[row]!; k < a.starts[row + 1]!; k++) {
      const value = a.values[k]!;
      const from = a.columns[k]! * width;
      for (let j = 0; j < width; j++) out[to + j]! += value * x[from + j]!;
    }
  }
  return out;
}

/** out = Aᵀ x: A is r × c, x is r × width, out is c × width, both dense by rows. */
export function timesTransposed(out: Float64Array, a: Sparse, x: Float64Array, width: number): Float64Array {
  out.fill(0);
  for (let row = 0; row < a.rowCount; row++) {
    const from = row * width;
    for (let k = a.starts[row]!; k < a.starts[row + 1]!; k++) {
      const value = a.values[k]!;
      const to = a.columns[k]! * width;
      for (let j = 0; j < width; j++) out[to + j]! += value * x[from + j]!;
    }
  }
  return out;
}
