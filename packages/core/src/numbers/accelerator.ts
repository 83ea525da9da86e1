/**
 * From so many features on kernels compute kindred's evidence, and the SDK loads them: 1.8 times as fast there. With 3 it is 1.3 times,
 * 30 ns a record, which is not worth a download (`node bench/evidence.mjs --core --dimensions 2,3,4,5,6,8`).
 */
export const LEAST_DIMENSION = 6;

/**
 * A faster way to do what core does itself, with the same bits: every sum in ascending order of its index, nothing fused.
 * Core has none and depends on none; `@coterie/kernels` makes one from WebAssembly.
 */
export interface Accelerator {
  readonly name: string;
  /** Below so many numbers offered (arms times features) core is as fast alone. */
  readonly leastNumbers: number;
  /** argmax x·θ̂ + ρ ‖L⁻¹x‖ over `count` arms [arm][feature], L packed; ties go to the lowest index. */
  optimistic(
    dimension: number,
    lower: Float64Array,
    reciprocal: Float64Array,
    estimate: Float64Array,
    radius: number,
    values: Float64Array,
    count: number,
  ): number;
  /** Takes a menu of `count` arms [arm][feature], for `measure`. */
  menu(dimension: number, values: Float64Array, count: number): void;
  /** means[k] = x·m and squares[k] = ‖L⁻¹x‖² = xᵀA⁻¹x of each arm x of the last menu. */
  measure(
    lower: Float64Array,
    reciprocal: Float64Array,
    mean: Float64Array,
    means: Float64Array,
    squares: Float64Array,
  ): void;
  /** Below so many features kindred's evidence and inverses are as fast in core. */
  readonly leastDimension: number;
  /**
   * `Evidence.fit` of two sums (the second may be null) under one prior; both have a base, another, or both. `again` where prior
   * and `other`, the same of both, are those of the call before.
   */
  evidence(dimension: number, prior: Ridge, first: Fit, second: Fit | null, again: boolean): void;
  /**
   * out = ‖L⁻¹v‖² of the two slots (S, v) at `offsets`, L Lᵀ = S + ridge · I. False, and nothing known of `out`, where one of them is not
   * positive definite.
   */
  energies(
    dimension: number,
    values: Float64Array,
    offsets: readonly [number, number],
    ridges: readonly [number, number],
    out: Float64Array,
  ): boolean;
  /** From so many features on `refactor` and `invert` are faster where there is but one record. */
  readonly leastAlone: number;
  /**
   * sum += scale · A⁻¹ of each record, A = S + R, one after another; where a mean is given also m mᵀ, m = A⁻¹(v − Sμ). Fills
   * `solved` with A⁻¹v of each, one behind another; with m where a mean is given. Those whose A is not positive definite are
   * left out, and their places are closed up. How many were used.
   */
  addInverses(
    dimension: number,
    sum: Float64Array,
    solved: Float64Array,
    records: readonly { readonly slot: Float64Array }[],
    ridge: Float64Array,
    mean: Float64Array | null,
    scale: number,
  ): number;
  /** Below so many features a matrix is factored as fast in core. */
  readonly leastFactored: number;
  /** `Factor.refactor` of the packed matrix at `offset`, `Factor.invert` and `Factor.inverseTrace`. */
  refactor(
    dimension: number,
    gram: Float64Array,
    offset: number,
    ridge: number,
    lower: Float64Array,
    reciprocal: Float64Array,
  ): boolean;
  invert(dimension: number, lower: Float64Array, reciprocal: Float64Array, out: Float64Array): void;
  inverseTrace(dimension: number, lower: Float64Array, reciprocal: Float64Array): number;
  /** S = L Lᵀ and v = L y in the place of L and y, packed one behind another. */
  square(dimension: number, sums: Float64Array): void;
}

/** θ ~ N(μ, σ²R⁻¹) as kindred's priors have it: R packed, and the squares of the diagonal of its Cholesky factor. */
export interface Ridge {
  readonly mean: Float64Array;
  readonly ridge: Float64Array;
  readonly pivots: Float64Array;
  /** One over each of them. */
  readonly overPivots: Float64Array;
  /** Another number whenever R is another one; of all there are. */
  readonly version: number;
}

/** Sums to look at, `base + scale · other` (either may be null), and what is found. */
export interface Fit {
  base: Float64Array | null;
  other: Float64Array | null;
  scale: number;
  /** Where (S + R)⁻¹v' goes; null where nobody asks. */
  centre: Float64Array | null;
  /** v'ᵀ(S + R)⁻¹v', and ln det(S + R) − ln det R. */
  explained: number;
  logDeterminant: number;
}

let current: Accelerator | null = null;

/** Takes a faster way into use everywhere, or with null none. Returns what was in use before. */
export function accelerate(accelerator: Accelerator | null): Accelerator | null {
  const before = current;
  current = accelerator;
  return before;
}

export const accelerator = (): Accelerator | null => current;
