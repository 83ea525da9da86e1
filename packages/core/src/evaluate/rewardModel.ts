import { Local } from "../bandit/local.ts";
import type { LoggedMenu } from "./menu.ts";

/**
 * q(x, b) of the doubly robust estimator: ridge regression of rewards on what was chosen, (1, x)·β, made better with every
 * reward. The constant is the model's own: items need have none.
 *
 * An observation counts 1 / (K μ(a)) where the chosen item a of K had the propensity μ(a): so the model fits all items alike,
 * not those that the log liked to choose, and its guesses at the others are better where rewards are not quite linear.
 */
export class RewardModel {
  readonly #local: Local;
  readonly #row: Float64Array;

  constructor(readonly dimension: number) {
    this.#local = new Local(dimension + 1);
    this.#row = new Float64Array(dimension + 1);
  }

  /** Of every item of a menu. */
  predict({ count, values }: LoggedMenu): Float64Array {
    const { dimension } = this;
    const { estimate } = this.#local.ball;
    const out = new Float64Array(count);
    for (let arm = 0; arm < count; arm++) {
      let sum = estimate[dimension]!;
      for (let i = 0; i < dimension; i++) sum += estimate[i]! * values[arm * dimension + i]!;
      out[arm] = sum;
    }
    return out;
  }

  /** gram += ω (x, 1)(x, 1)ᵀ, moment += ω r (x, 1): both by the root of ω. */
  observe(x: Float64Array, reward: number, weight: number): void {
    const root = Math.sqrt(weight);
    for (let i = 0; i < this.dimension; i++) this.#row[i] = root * x[i]!;
    this.#row[this.dimension] = root;
    this.#local.observe(this.#row, 0, root * reward);
  }
}
