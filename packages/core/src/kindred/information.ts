import { slotSize, triangleSize } from "../numbers/packed.ts";
import type { CovarianceShape } from "./covarianceShape.ts";
import { Inverses } from "./inverses.ts";
import type { Sums } from "./record.ts";

/**
 * What records say of μ, θ_j being integrated out: precision Σ J and information Σ h. With b T the covariance of θ, K = T⁻¹,
 * λ = σ²/b and A = S + λK,
 *
 *     J = (1/b)(K − λ K A⁻¹ K),     h = (1/b) K A⁻¹ v        of each record
 */
export class Information {
  /** Σ J and Σ h, laid out as sums are. */
  readonly slot: Float64Array;
  readonly #ridge: Float64Array;
  readonly #inverses: Inverses;

  constructor(readonly dimension: number) {
    this.slot = new Float64Array(slotSize(dimension));
    this.#ridge = new Float64Array(triangleSize(dimension));
    this.#inverses = new Inverses(dimension);
  }

  /** Sums up all records, for b = `variance` and λ = `ridge`. */
  sumUp(records: readonly Sums[], shape: CovarianceShape, variance: number, ridge: number): void {
    const d = this.dimension;
    const { slot: whole } = this;
    const triangle = triangleSize(d);
    this.#ridge.fill(0);
    shape.addInverseTo(this.#ridge, ridge);
    whole.fill(0);
    const used = this.#inverses.add(whole, records, this.#ridge, null, 1);
    const { solved } = this.#inverses;
    for (let at = 0; at < used * d; at += d) {
      for (let i = 0; i < d; i++) whole[triangle + i]! += solved[at + i]! / variance;
    }
    // So far it is Σ A⁻¹.
    for (let k = 0; k < triangle; k++) whole[k]! *= -ridge / variance;
    shape.narrow(whole);
    shape.addInverseTo(whole, used / variance);
  }
}
