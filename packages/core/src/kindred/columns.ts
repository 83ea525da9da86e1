import { Factor } from "../numbers/factor.ts";
import { addOuter, addScaled, dotAt, packedAt, slotSize, triangleSize } from "../numbers/packed.ts";
import { DAMPING, RIDGE, shrink } from "./compact.ts";
import { ERROR_RIDGE, NO_PIVOT, type RoundedFactor } from "./roundedFactor.ts";

/** A column that would add less than this share of tr S/d to the diagonal is but rounding. */
const ROUNDING = 1e-13;

/** Sums of n observations in d features, n small: S = U Uᵀ and v = U z, U d×n. All that is done with them takes dn² operations or so. */
export class Columns {
  /** tr S. */
  readonly trace: number;

  constructor(
    readonly dimension: number,
    /** U, one column after another. */
    readonly values: Float64Array,
    /** z. */
    readonly along: Float64Array,
  ) {
    this.trace = dotAt(values, 0, values, 0, values.length);
  }

  /**
   * Of a slot, by Cholesky's algorithm: each column is that of the feature of which most is left. It ends where nothing is left, so
   * that only the n columns are looked at. z = U⁻¹v in the same order.
   */
  static of(slot: Float64Array, d: number): Columns {
    const triangle = triangleSize(d);
    const left = Float64Array.from({ length: d }, (_, i) => slot[triangleSize(i + 1) - 1]!);
    const rest = slot.slice(triangle);
    const columns: Float64Array[] = [];
    const along: number[] = [];
    const least = (ROUNDING * left.reduce((sum, each) => sum + each, 0)) / d;
    while (columns.length < d) {
      const most = left.reduce((best, each, i) => (each > left[best]! ? i : best), 0);
      if (!(left[most]! > least)) break;
      const column = Float64Array.from({ length: d }, (_, i) => slot[packedAt(most, i)]!);
      for (const other of columns) addScaled(column, 0, other, 0, d, -other[most]!);
      const scale = 1 / Math.sqrt(left[most]!);
      const z = rest[most]! * scale;
      for (let i = 0; i < d; i++) {
        // Features that were taken are told by columns before this one.
        column[i] = left[i] === 0 ? 0 : column[i]! * scale;
        left[i] = i === most ? 0 : Math.max(left[i]! - column[i]! * column[i]!, 0);
        rest[i]! -= column[i]! * z;
      }
      columns.push(column);
      along.push(z);
    }
    return new Columns(d, side(columns, d), Float64Array.from(along));
  }

  /** S and v. */
  slot(): Float64Array {
    const { dimension: d, values, along } = this;
    const slot = new Float64Array(slotSize(d));
    for (let k = 0; k < along.length; k++) {
      addOuter(slot, d, values, k * d, 1);
      addScaled(slot, triangleSize(d), values, k * d, d, along[k]!);
    }
    return slot;
  }

  /** What `Compact` writes of these sums: `factor` decomposed and rounded, and (y, s). */
  fill(factor: RoundedFactor, last: Float64Array, squares: number): void {
    const { dimension: d } = this;
    const exact = this.#decompose(factor);
    round(factor, exact, (ERROR_RIDGE * this.trace) / d);
    const y = exact.#adjusted(factor, (RIDGE * this.trace) / d);
    for (let j = 0, k = 0; j < d; j++) last[j] = factor.pivots[j] === 1 ? y[k++]! : 0;
    last[d] = Math.sqrt(Math.max(0, squares - dotAt(exact.along, 0, exact.along, 0, y.length)));
    shrink(last, squares);
  }

  /** L as columns and y = L⁻¹v. With u_i the rows of U, L[i][j] = u_i·w_j and y_j = w_j·z, w_j orthonormal, by Gram and Schmidt. */
  #decompose({ pivots }: RoundedFactor): Columns {
    const { dimension: d, values, along } = this;
    const n = along.length;
    const basis = new Float64Array(n * n);
    const rest = new Float64Array(n);
    const lower: Float64Array[] = [];
    const y: number[] = [];
    for (let i = 0; i < d; i++) {
      for (let k = 0; k < n; k++) rest[k] = values[k * d + i]!;
      const square = dotAt(rest, 0, rest, 0, n);
      for (let m = 0; m < lower.length; m++) {
        const part = dotAt(basis, m * n, rest, 0, n);
        lower[m]![i] = part;
        addScaled(rest, 0, basis, m * n, n, -part);
      }
      const pivot = dotAt(rest, 0, rest, 0, n);
      pivots[i] = lower.length < n && pivot > NO_PIVOT * square ? 1 : 0;
      if (pivots[i] === 0) continue;
      const [from, root] = [lower.length * n, Math.sqrt(pivot)];
      addScaled(basis, from, rest, 0, n, 1 / root);
      y.push(dotAt(basis, from, along, 0, n));
      lower.push(new Float64Array(d));
      lower.at(-1)![i] = root;
    }
    return new Columns(d, side(lower, d), Float64Array.from(y));
  }

  /** As `Compact` adjusts y, with θ̂ = (L Lᵀ + ρI)⁻¹L y = L(LᵀL + ρI)⁻¹y. */
  #adjusted(factor: RoundedFactor, ridge: number): Float64Array {
    const { dimension: d, values, along } = this;
    const shares = this.#solve(ridge, along);
    if (shares === null) return along;
    const estimate = new Float64Array(d);
    for (let k = 0; k < shares.length; k++) addScaled(estimate, 0, values, k * d, d, shares[k]!);
    const rounded = new Columns(d, roundedValues(factor, along.length), along);
    const z = along.map((_, k) => dotAt(rounded.values, k * d, estimate, 0, d));
    const more = rounded.#solve(DAMPING * ridge, z);
    if (more !== null) addScaled(z, 0, more, 0, z.length, ridge);
    return z;
  }

  /** (UᵀU + ridge)⁻¹b; null where rounding leaves no factor. */
  #solve(ridge: number, b: Float64Array): Float64Array | null {
    const { dimension: d, values } = this;
    const gram = new Float64Array(triangleSize(b.length));
    for (let i = 0, to = 0; i < b.length; i++) {
      for (let j = 0; j <= i; j++) gram[to++] = dotAt(values, i * d, values, j * d, d);
    }
    const factor = new Factor(b.length);
    return factor.refactor(gram, 0, ridge) ? factor.solve(new Float64Array(b.length), b) : null;
  }
}

/**
 * As `RoundedFactor.round`, but the factor of S + ridge need not be made: with u_i the rows of L and M_0 = I its pivot i is
 * p = ridge + u_iᵀM_i u_i, and below it stands u_k·t_i, where t_i = M_i u_i/√p and M_{i+1} = M_i − t_i t_iᵀ.
 */
function round(factor: RoundedFactor, { dimension: d, values, along }: Columns, ridge: number): void {
  const n = along.length;
  const [rows, tails, roots] = [new Float64Array(d * n), new Float64Array(d * n), new Float64Array(d)];
  const matrix = new Float64Array(n * n);
  for (let k = 0; k < n; k++) matrix[k * n + k] = 1;
  for (let i = 0, from = 0; i < d; i++, from += n) {
    for (let k = 0; k < n; k++) rows[from + k] = values[k * d + i]!;
    for (let k = 0; k < n; k++) tails[from + k] = dotAt(matrix, k * n, rows, from, n);
    const root = Math.sqrt(ridge + dotAt(rows, from, tails, from, n));
    for (let k = 0; k < n; k++) tails[from + k]! /= root;
    for (let k = 0; k < n; k++) addScaled(matrix, k * n, tails, from, n, -tails[from + k]!);
    factor.setScale(i, root);
    roots[i] = root;
  }
  factor.units.fill(0);
  const errors = new Float64Array(n);
  for (let j = 0, m = 0; j < d; j++) {
    if (factor.pivots[j] === 0) continue;
    errors.fill(0);
    for (let i = j, row = triangleSize(j); i < d; row += ++i) {
      const wanted = values[m * d + i]! + dotAt(rows, i * n, errors, 0, n);
      addScaled(errors, 0, tails, i * n, n, factor.roundEntry(i, j, row + j, wanted) / roots[i]!);
    }
    m += 1;
  }
}

/** Columns of the rounded L with a pivot, `count` of them. */
function roundedValues({ dimension: d, pivots, lower }: RoundedFactor, count: number): Float64Array {
  const values = new Float64Array(count * d);
  for (let j = 0, k = 0; j < d; j++) {
    if (pivots[j] === 0) continue;
    for (let i = j, row = triangleSize(j); i < d; row += ++i) values[k * d + i] = lower[row + j]!;
    k += 1;
  }
  return values;
}

/** Columns side by side. */
function side(columns: readonly Float64Array[], d: number): Float64Array {
  const values = new Float64Array(columns.length * d);
  columns.forEach((column, k) => {
    values.set(column, k * d);
  });
  return values;
}
