import { addScaled, dotAt, multiply } from "./packed.ts";

/**
 * Steps of subspace iteration towards the leading eigenvectors of a symmetric d×d matrix A (packed): U ← an orthonormal
 * basis of A U, U d×q; q d² multiply-adds each. `basis` holds the q vectors one after another. It is also where the
 * iteration starts, so a few steps suffice where A has changed little. Fills `values` with uᵀA u, the estimates of the
 * eigenvalues.
 */
export function leadingEigenvectors(
  matrix: Float64Array,
  dimension: number,
  basis: Float64Array,
  values: Float64Array,
  steps: number,
): void {
  const product = new Float64Array(dimension);
  for (let step = 0; step < steps; step++) {
    for (let at = 0; at < basis.length; at += dimension) {
      basis.set(multiply(product, matrix, dimension, basis, at), at);
    }
    orthonormalise(basis, dimension);
  }
  for (let k = 0, at = 0; k < values.length; k++, at += dimension) {
    values[k] = dotAt(multiply(product, matrix, dimension, basis, at), 0, basis, at, dimension);
  }
}

/**
 * Gram and Schmidt: makes each vector orthogonal to those before it and of length 1. Twice, because after one pass rounding
 * leaves a vector that was nearly dependent far from orthogonal. A vector of zeros stays one.
 */
export function orthonormalise(basis: Float64Array, dimension: number): void {
  for (let at = 0; at < basis.length; at += dimension) {
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < at; other += dimension) {
        addScaled(basis, at, basis, other, dimension, -dotAt(basis, at, basis, other, dimension));
      }
    }
    const square = dotAt(basis, at, basis, at, dimension);
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < dimension; i++) basis[at + i]! *= scale;
  }
}
