import { type Accelerator, accelerator } from "../numbers/accelerator.ts";
import type { Factor } from "../numbers/factor.ts";
import type { Arms } from "./arms.ts";

/**
 * A menu of arms to be measured by one Gaussian after another: x·m and xᵀA⁻¹x of each arm x. Where there is an accelerator and
 * the menu is large enough it is done there, with the same bits.
 */
export class Measured {
  #arms: Arms = { count: 0, values: new Float64Array(0) };
  #faster: Accelerator | null = null;
  /** L⁻¹x of four arms. */
  readonly #work: Float64Array;

  constructor(readonly dimension: number) {
    this.#work = new Float64Array(4 * dimension);
  }

  take(arms: Arms): void {
    const faster = accelerator();
    this.#arms = arms;
    this.#faster = faster !== null && arms.count * this.dimension >= faster.leastNumbers ? faster : null;
    this.#faster?.menu(this.dimension, arms.values, arms.count);
  }

  /** means[k] = x·m, squares[k] = xᵀA⁻¹x, A = L Lᵀ. */
  by(factor: Factor, mean: Float64Array, means: Float64Array, squares: Float64Array): void {
    if (this.#faster !== null) {
      this.#faster.measure(factor.lower, factor.reciprocal, mean, means, squares);
      return;
    }
    const { values, count } = this.#arms;
    const d = this.dimension;
    for (let arm = 0, at = 0; arm < count; arm++) {
      let sum = 0;
      for (let i = 0; i < d; i++) sum += values[at++]! * mean[i]!;
      means[arm] = sum;
    }
    factor.quadratics(squares, values, 0, count, this.#work);
  }
}
