/** The shape T of a covariance b T, packed where it is added: positive definite, about 1 in most directions. */
export interface CovarianceShape {
  /** Whether it is I. */
  readonly even: boolean;
  /** tr T / d. */
  readonly spread: number;
  /** Eigenvalues of T, less 1; those that are 1 may be left out. */
  readonly excesses: Iterable<number>;
  /** Whether so many different θ could have it: few θ always lie in a few directions. */
  suits(thetas: number): boolean;
  /** matrix += scale · (T − I). */
  addTo(matrix: Float64Array, scale: number): void;
  /** matrix += scale · T⁻¹. */
  addInverseTo(matrix: Float64Array, scale: number): void;
  /** (G, g) ← (K G K, K g), K = T⁻¹, for a slot. */
  narrow(slot: Float64Array): void;
}

/** How many θ there must be for each component, and for the rest: fewer always lie in a few directions. */
export const EACH = 3;
