// Textbook linear algebra on number[][]: slow, allocating, and unlike the product's kernels on purpose.

export type Matrix = number[][];
export type Vector = number[];

export const zeros = (rows: number, columns: number): Matrix =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));

export const identity = (size: number): Matrix =>
  zeros(size, size).map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));

export const dot = (x: Vector, y: Vector): number => x.reduce((sum, value, k) => sum + value * y[k], 0);

export const apply = (a: Matrix, x: Vector): Vector => a.map((row) => dot(row, x));

export const transpose = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));

/** a b. */
export const product = (a: Matrix, b: Matrix): Matrix => a.map((row) => apply(transpose(b), row));

/** a + weight · b, entry by entry. */
export const plus = (a: Matrix, b: Matrix, weight = 1): Matrix =>
  a.map((row, i) => row.map((value, j) => value + weight * b[i][j]));

/** x yᵀ. */
export const outer = (x: Vector, y: Vector): Matrix => x.map((value) => y.map((other) => value * other));

/** The row at or below `column` with the largest entry in that column. */
function pivotRow(a: Matrix, column: number): number {
  let best = column;
  for (let row = column + 1; row < a.length; row++) {
    if (Math.abs(a[row][column]) > Math.abs(a[best][column])) best = row;
  }
  if (a[best][column] === 0) throw new Error("the matrix is singular");
  return best;
}

/** A⁻¹ by Gauss-Jordan elimination of [A | I], with row exchanges. */
export function inverse(a: Matrix): Matrix {
  const size = a.length;
  const unit = identity(size);
  let work = a.map((row, i) => [...row, ...unit[i]]);
  for (let column = 0; column < size; column++) {
    const pivot = pivotRow(work, column);
    [work[column], work[pivot]] = [work[pivot], work[column]];
    const lead = work[column].map((value) => value / work[column][column]);
    work = work.map((row, i) => (i === column ? lead : row.map((value, j) => value - row[column] * lead[j])));
  }
  return work.map((row) => row.slice(size));
}

/** ln |det A|: the sum of the logarithms of the pivots of Gaussian elimination. */
export function logDeterminant(a: Matrix): number {
  const work = a.map((row) => [...row]);
  let sum = 0;
  for (let column = 0; column < work.length; column++) {
    const pivot = pivotRow(work, column);
    [work[column], work[pivot]] = [work[pivot], work[column]];
    sum += Math.log(Math.abs(work[column][column]));
    for (let row = column + 1; row < work.length; row++) {
      const ratio = work[row][column] / work[column][column];
      work[row] = work[row].map((value, j) => value - ratio * work[column][j]);
    }
  }
  return sum;
}

/**
 * The lower L with A = L Lᵀ, column by column: each column is that of what is left of A over the root of its
 * diagonal entry, and what is left then loses the column's outer product.
 */
export function cholesky(a: Matrix): Matrix {
  let left = a;
  const columns: Vector[] = [];
  for (let k = 0; k < a.length; k++) {
    if (!(left[k][k] > 0)) throw new Error("the matrix is not positive definite");
    const root = Math.sqrt(left[k][k]);
    const column = left.map((row, i) => (i < k ? 0 : row[k] / root));
    columns.push(column);
    left = plus(left, outer(column, column), -1);
  }
  return transpose(columns);
}
