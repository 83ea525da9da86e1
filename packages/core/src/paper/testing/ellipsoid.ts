// Confidence ellipsoids measured: how far the truth lies from an estimate, and how far Proposition 1 lets it.
import { Factor } from "../../numbers/factor.ts";

/** ‖x‖²_A = xᵀ(I + gram)x. */
export function squareIn(gram: Float64Array, x: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0, at = 0; i < x.length; i++) {
    total += x[i]! * x[i]!;
    for (let j = 0; j <= i; j++) total += (i === j ? 1 : 2) * gram[at++]! * x[i]! * x[j]!;
  }
  return total;
}

/** ln det(I + gram). */
export function logDeterminantOf(gram: Float64Array, dimension: number): number {
  const factor = new Factor(dimension);
  factor.refactor(gram, 0, 1);
  return factor.logDeterminant();
}

/** ‖x‖²_{A⁻¹}. */
export function squareInInverse(gram: Float64Array, x: Float64Array): number {
  const factor = new Factor(x.length);
  factor.refactor(gram, 0, 1);
  return factor.quadratic(x, 0, new Float64Array(x.length));
}

/** ‖θ̂ − θ‖_Ã less ‖θ‖, in units of √(2 log(det(Ã)^{1/2}/δ)): eq. ellipsoid_1 holds where this is at most W R. */
export function excess(active: Float64Array, estimate: Float64Array, theta: Float64Array, delta: number): number {
  const difference = theta.map((value, k) => estimate[k]! - value);
  const norm = Math.sqrt(theta.reduce((sum, value) => sum + value * value, 0));
  const width = Math.sqrt(2 * (0.5 * logDeterminantOf(active, theta.length) - Math.log(delta)));
  return (Math.sqrt(squareIn(active, difference)) - norm) / width;
}
