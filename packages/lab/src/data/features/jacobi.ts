/** Eigenvalues, largest first, and the eigenvectors as the columns of `vectors` (size × size, by rows). */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

const SWEEPS = 60;

/**
 * Eigenvalues and eigenvectors of a small symmetric matrix by the cyclic Jacobi method: plane rotations, one for each
 * entry off the diagonal in turn, until all of these are nothing beside the diagonal. Slow, and accurate to the last
 * few bits. `matrix` is size × size by rows; it is used up.
 */
export function eigenOfSymmetric(matrix: Float64Array, size: number): Eigen {
  // Row k of `basis` becomes eigenvector k: rows, because a rotation then works on two runs of memory.
  const basis = new Float64Array(size * size);
  let scale = 0;
  for (let k = 0; k < size; k++) basis[k * size + k] = 1;
  for (const value of matrix) scale = Math.max(scale, Math.abs(value));
  const nothing = scale * 1e-18;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        largest = Math.max(largest, Math.abs(matrix[p * size + q]!));
        rotate(matrix, basis, size, p, q, nothing);
      }
    }
    if (largest <= scale * 1e-17) break;
  }
  return sorted(matrix, basis, size);
}

/** Zeroes entry (p, q) by the rotation of smaller angle; t = tan, c = cos, s = sin of it. */
function rotate(a: Float64Array, basis: Float64Array, size: number, p: number, q: number, nothing: number): void {
  const off = a[p * size + q]!;
  if (Math.abs(off) <= nothing) return;
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const pp = a[p * size + p]! - t * off;
  const qq = a[q * size + q]! + t * off;
  for (let k = 0; k < size; k++) {
    const kp = a[p * size + k]!;
    const kq = a[q * size + k]!;
    a[p * size + k] = c * kp - s * kq;
    a[q * size + k] = s * kp + c * kq;
    const vp = basis[p * size + k]!;
    const vq = basis[q * size + k]!;
    basis[p * size + k] = c * vp - s * vq;
    basis[q * size + k] = s * vp + c * vq;
  }
  // The columns mirror the rows.
  for (let k = 0; k < size; k++) {
    a[k * size + p] = a[p * size + k]!;
    a[k * size + q] = a[q * size + k]!;
  }
  a[p * size + p] = pp;
  a[q * size + q] = qq;
  a[p * size + q] = 0;
  a[q * size + p] = 0;
}

function sorted(a: Float64Array, basis: Float64Array, size: number): Eigen {
  const order = Array.from({ length: size }, (_, k) => k);
  order.sort((i, j) => a[j * size + j]! - a[i * size + i]! || i - j);
  const vectors = new Float64Array(size * size);
  order.forEach((from, column) => {
    for (let row = 0; row < size; row++) vectors[row * size + column] = basis[from * size + row]!;
  });
  return { values: Float64Array.from(order, (k) => a[k * size + k]!), vectors };
}
