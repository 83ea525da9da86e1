import { accelerator } from "./accelerator.ts";
import { ln } from "./ln.ts";
import { addScaled, triangleSize } from "./packed.ts";
import { sharedNumbers } from "./shared.ts";

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
    this.lower = sharedNumbers(triangleSize(dimension));
    this.reciprocal = sharedNumbers(dimension);
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
    const faster = accelerator();
    if (faster !== null && d >= faster.leastFactored) {
      return faster.refactor(d, gram, offset, ridge, lower, reciprocal);
    }
    let row = 0;
    for (let i = 0; i < d; i++) {
      const given = offset + row;
      let pivot = gram[given + i]! + ridge;
      let other = 0;
      let j = 0;
      // Four columns at a time: each entry of this row is read once for all of them, and no sum waits for another.
      for (; j + 3 < i; j += 4) {
        const second = other + j + 1;
        const third = second + j + 2;
        const fourth = third + j + 3;
        let a = gram[given + j]!;
        let b = gram[given + j + 1]!;
        let c = gram[given + j + 2]!;
        let e = gram[given + j + 3]!;
        for (let k = 0; k < j; k++) {
          const l = lower[row + k]!;
          a -= l * lower[other + k]!;
          b -= l * lower[second + k]!;
          c -= l * lower[third + k]!;
          e -= l * lower[fourth + k]!;
        }
        a *= reciprocal[j]!;
        b = (b - a * lower[second + j]!) * reciprocal[j + 1]!;
        c = (c - a * lower[third + j]! - b * lower[third + j + 1]!) * reciprocal[j + 2]!;
        e = (e - a * lower[fourth + j]! - b * lower[fourth + j + 1]! - c * lower[fourth + j + 2]!) * reciprocal[j + 3]!;
        lower[row + j] = a;
        lower[row + j + 1] = b;
        lower[row + j + 2] = c;
        lower[row + j + 3] = e;
        pivot = pivot - a * a - b * b - c * c - e * e;
        other = fourth + j + 4;
      }
      for (; j < i; j++) {
        let sum = gram[given + j]!;
        for (let k = 0; k < j; k++) sum -= lower[row + k]! * lower[other + k]!;
        sum *= reciprocal[j]!;
        lower[row + j] = sum;
        pivot -= sum * sum;
        other += j + 1;
      }
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
   * out[k] = xᵀA⁻¹x for `count` vectors one after another from `offset`; `work` holds 4d numbers. Four at a time, so that no
   * sum waits for another; the same bits as `quadratic`.
   */
  quadratics(out: Float64Array, values: Float64Array, offset: number, count: number, work: Float64Array): void {
    const { dimension: d, lower, reciprocal } = this;
    let k = 0;
    for (; k + 3 < count; k += 4) {
      const first = offset + k * d;
      let a = 0;
      let b = 0;
      let c = 0;
      let e = 0;
      for (let i = 0, row = 0; i < d; row += i + 1, i++) {
        let s = values[first + i]!;
        let t = values[first + d + i]!;
        let u = values[first + 2 * d + i]!;
        let v = values[first + 3 * d + i]!;
        for (let j = 0; j < i; j++) {
          const l = lower[row + j]!;
          s -= l * work[4 * j]!;
          t -= l * work[4 * j + 1]!;
          u -= l * work[4 * j + 2]!;
          v -= l * work[4 * j + 3]!;
        }
        const r = reciprocal[i]!;
        s *= r;
        t *= r;
        u *= r;
        v *= r;
        work[4 * i] = s;
        work[4 * i + 1] = t;
        work[4 * i + 2] = u;
        work[4 * i + 3] = v;
        a += s * s;
        b += t * t;
        c += u * u;
        e += v * v;
      }
      out[k] = a;
      out[k + 1] = b;
      out[k + 2] = c;
      out[k + 3] = e;
    }
    for (; k < count; k++) out[k] = this.quadratic(values, offset + k * d, work);
  }

  /**
   * out = A⁻¹, packed: L⁻¹ first, row by row, then L⁻ᵀL⁻¹, to which each row of L⁻¹ adds in its turn. d³/3 multiply-adds.
   * All inner loops run along rows: each number is next to the one before it, and no sum waits for itself.
   */
  invert(out: Float64Array): Float64Array {
    const { dimension: d, lower, reciprocal } = this;
    const faster = accelerator();
    if (faster !== null && d >= faster.leastDimension) {
      faster.invert(d, lower, reciprocal, out);
      return out;
    }
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

  /** tr A⁻¹ = Σ ‖L⁻¹e_i‖²: column i of L⁻¹ begins with its diagonal, d³/6 multiply-adds in all; `work` holds d numbers. */
  inverseTrace(work: Float64Array): number {
    const { dimension: d, lower, reciprocal } = this;
    const faster = accelerator();
    if (faster !== null && d >= faster.leastFactored) return faster.inverseTrace(d, lower, reciprocal);
    let trace = 0;
    for (let i = 0; i < d; i++) {
      let square = reciprocal[i]! * reciprocal[i]!;
      work[i] = reciprocal[i]!;
      for (let j = i + 1, row = triangleSize(j); j < d; row += ++j) {
        let sum = 0;
        for (let k = i; k < j; k++) sum -= lower[row + k]! * work[k]!;
        work[j] = sum * reciprocal[j]!;
        square += work[j]! * work[j]!;
      }
      trace += square;
    }
    return trace;
  }
}
