import { addIdentity, addOuter, addScaled, dotAt, multiply } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { type CovarianceShape, EACH } from "./covarianceShape.ts";

/**
 * The shape of a covariance, b (I + Σ_k w_k u_k u_kᵀ), k < rank: the same variance in every direction, and more of it in a
 * few, the principal components. The u_k are orthonormal, so that (I + Σ w u uᵀ)⁻¹ = I − Σ c u uᵀ with c = w/(1 + w).
 */
export class Components implements CovarianceShape {
  /** Components in use: 0 where all directions are alike. */
  rank = 0;
  /** u_k, one after another, `most` of them. */
  readonly basis: Float64Array;
  /** w_k. */
  readonly weights: Float64Array;

  constructor(
    readonly dimension: number,
    readonly most: number,
  ) {
    this.basis = sharedNumbers(most * dimension);
    this.weights = sharedNumbers(most);
  }

  get even(): boolean {
    return this.rank === 0;
  }

  get excesses(): Iterable<number> {
    return this.weights.subarray(0, this.rank);
  }

  suits(thetas: number): boolean {
    return thetas >= EACH * (this.rank + 1);
  }

  /** The mean variance over b: 1 + Σ w / d. */
  get spread(): number {
    let sum = 0;
    for (let k = 0; k < this.rank; k++) sum += this.weights[k]!;
    return 1 + sum / this.dimension;
  }

  /** The weights that make `variances` of the covariance along the first `rank` u_k; b elsewhere. */
  stretch(variances: Float64Array, rank: number, b: number): void {
    this.rank = rank;
    this.weights.fill(0);
    for (let k = 0; k < rank; k++) this.weights[k] = Math.max(0, variances[k]! / b - 1);
  }

  /** matrix (packed) += scale · Σ w u uᵀ. */
  addTo(matrix: Float64Array, scale: number): void {
    for (let k = 0; k < this.rank; k++) this.#addOuter(matrix, k, scale * this.weights[k]!);
  }

  /** matrix (packed) += scale · (I + Σ w u uᵀ)⁻¹. */
  addInverseTo(matrix: Float64Array, scale: number): void {
    addIdentity(matrix, 0, this.dimension, scale);
    for (let k = 0; k < this.rank; k++) this.#addOuter(matrix, k, -scale * this.#cut(k));
  }

  /**
   * (G, g) ← (K G K, K g), K = (I + Σ w u uᵀ)⁻¹, for a slot: one component after another. With x = G u that is
   * G − c (u xᵀ + x uᵀ) + c² (u·x) u uᵀ, so 3d² operations each.
   */
  narrow(slot: Float64Array): void {
    const { dimension: d, basis: u } = this;
    const x = new Float64Array(d);
    for (let k = 0, from = 0; k < this.rank; k++, from += d) {
      const cut = this.#cut(k);
      multiply(x, slot, d, u, from);
      const along = cut * dotAt(u, from, x, 0, d);
      let at = 0;
      for (let i = 0; i < d; i++) {
        const [ui, xi] = [u[from + i]!, x[i]!];
        for (let j = 0; j <= i; j++) slot[at++]! += cut * (ui * (along * u[from + j]! - x[j]!) - xi * u[from + j]!);
      }
      addScaled(slot, at, u, from, d, -cut * dotAt(slot, at, u, from, d));
    }
  }

  /** c = w/(1 + w). */
  #cut(k: number): number {
    return this.weights[k]! / (1 + this.weights[k]!);
  }

  #addOuter(matrix: Float64Array, k: number, scale: number): void {
    addOuter(matrix, this.dimension, this.basis, k * this.dimension, scale);
  }
}
