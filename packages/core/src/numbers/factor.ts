import { ln } from "./ln.ts";
import { addScaled, triangleSize } from "./packed.ts";

/**
 * The lower Cholesky factor of a positive definite matrix, A = L Lᵀ, packed; the one place where anything is inverted.
 *
 * Every sum runs in ascending order of its index and no multiply-add is fused, so that a faster kernel which keeps that
 * order (across arms, say) gives the same bits.
 */
export class Factor {
  readonly lower: Float64Array;
  /** 1 / L[i][i]: a multiplication in the inner loops instead of a division. */
  readonly reciprocal: Float64Array;

  constructor(readonly dimension: number) {
    this.lower = new Float64Array(triangleSize(dimension));
    this.reciprocal = new Float64Array(dimension);
    this.setIdentity();
  }

  setIdentity(): void {
    this.lower.fill(0);
    for (let i = 0, at = 0; i < this.dimension; at += i + 2, i++) this.lower[at] = 1;
    this.reciprocal.fill(1);
  }

  /**
   * L Lᵀ = gram + ridge · I. Returns false, and leaves the factor unusable, if that is not positive definite.
   * d³/6 multiply-adds.
   */
  refactor(gram: Float64Array, offset: number, ridge: number): boolean {
    const { dimension: d, lower, reciprocal } = this;
    let row = 0;
    for (let i = 0; i < d; i++) {
      let other = 0;
      for (let j = 0; j < i; j++) {
        let sum = gram[offset + row + j]!;
        for (let k = 0; k < j; k++) sum -= lower[row + k]! * lower[other + k]!;
        lower[row + j] = sum * reciprocal[j]!;
        other += j + 1;
      }
      let pivot = gram[offset + row + i]! + ridge;
      for (let k = 0; k < i; k++) pivot -= lower[row + k]! * lower[row + k]!;
      if (!(pivot > 0) || pivot === Infinity) return false;
      const root = Math.sqrt(pivot);
      lower[row + i] = root;
      reciprocal[i] = 1 / root;
      row += i + 1;
    }
    return true;
  }

  /**
   * L Lᵀ += x xᵀ, x = work, which is used up. 2d² operations, by Givens rotations: each is orthogonal but for six
   * roundings, so one update adds an error of at most about 20d·2⁻⁵³·‖L Lᵀ‖ to L Lᵀ, and k updates at most k times that.
   */
  update(work: Float64Array): void {
    const { dimension: d, lower, reciprocal } = this;
    let diagonal = 0;
    for (let k = 0; k < d; k++) {
      const old = lower[diagonal]!;
      const x = work[k]!;
      const root = Math.sqrt(old * old + x * x);
      const inverse = 1 / root;
      const cosine = old * inverse;
      const sine = x * inverse;
      lower[diagonal] = root;
      reciprocal[k] = inverse;
      for (let i = k + 1, at = diagonal + k + 1; i < d; at += i + 1, i++) {
        const l = lower[at]!;
        const w = work[i]!;
        lower[at] = cosine * l + sine * w;
        work[i] = cosine * w - sine * l;
      }
      diagonal += k + 2;
    }
  }

  /** out = L⁻¹ b (b and out may be the same). */
  forward(out: Float64Array, b: Float64Array, offset = 0): Float64Array {
    const { dimension: d, lower, reciprocal } = this;
    for (let i = 0, row = 0; i < d; row += i + 1, i++) {
      let sum = b[offset + i]!;
      for (let j = 0; j < i; j++) sum -= lower[row + j]! * out[j]!;
      out[i] = sum * reciprocal[i]!;
    }
    return out;
  }

  /** out = L⁻ᵀ b (b and out may be the same). */
  backward(out: Float64Array, b: Float64Array): Float64Array {
    const { dimension: d, lower, reciprocal } = this;
    for (let i = 0; i < d; i++) out[i] = b[i]!;
    for (let i = d - 1, row = triangleSize(d) - d; i >= 0; row -= i, i--) {
      const y = out[i]! * reciprocal[i]!;
      out[i] = y;
      addScaled(out, 0, lower, row, i, -y);
    }
    return out;
  }

  /** out = A⁻¹ b, b = values[offset .. offset+d). */
  solve(out: Float64Array, values: Float64Array, offset = 0): Float64Array {
    return this.backward(out, this.forward(out, values, offset));
  }

  /** ln det A = 2 Σ ln L[i][i]. */
  logDeterminant(): number {
    let sum = 0;
    for (let i = 0, at = 0; i < this.dimension; at += i + 2, i++) sum += ln(this.lower[at]!);
    return 2 * sum;
  }

  /** xᵀ A⁻¹ x = ‖L⁻¹x‖², x = values[offset .. offset+d); `work` holds d numbers. */
  quadratic(values: Float64Array, offset: number, work: Float64Array): number {
    this.forward(work, values, offset);
    let sum = 0;
    for (let i = 0; i < this.dimension; i++) sum += work[i]! * work[i]!;
    return sum;
  }

  /**
   * out = A⁻¹, packed: L⁻¹ first, row by row, then L⁻ᵀL⁻¹, to which each row of L⁻¹ adds in its turn. d³/3 multiply-adds.
   * All inner loops run along rows: each number is next to the one before it, and no sum waits for itself.
   */
  invert(out: Float64Array): Float64Array {
    const { dimension: d, lower, reciprocal } = this;
    for (let i = 0, row = 0; i < d; row += ++i) {
      out.fill(0, row, row + i);
      for (let k = 0, other = 0; k < i; other += ++k) addScaled(out, row, out, other, k + 1, -lower[row + k]!);
      for (let j = 0; j < i; j++) out[row + j]! *= reciprocal[i]!;
      out[row + i] = reciprocal[i]!;
    }
    for (let k = 0, row = 0; k < d; row += ++k) {
      for (let i = 0, other = 0; i < k; other += ++i) addScaled(out, other, out, row, i + 1, out[row + i]!);
      const last = out[row + k]!;
      for (let j = 0; j <= k; j++) out[row + j]! *= last;
    }
    return out;
  }
}
