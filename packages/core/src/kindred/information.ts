import { slotSize, triangleSize } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import type { Work } from "../work.ts";
import type { CovarianceShape } from "./covarianceShape.ts";
import { Inverses } from "./inverses.ts";
import type { Sums } from "./record.ts";

/** Records that are summed up in one piece. */
const TOGETHER = 32;

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
    this.slot = sharedNumbers(slotSize(dimension));
    this.#ridge = sharedNumbers(triangleSize(dimension));
    this.#inverses = new Inverses(dimension);
  }

  /** Sums up all records, for b = `variance` and λ = `ridge`. */
  *summing(records: readonly Sums[], shape: CovarianceShape, variance: number, ridge: number): Work {
    const d = this.dimension;
    const { slot: whole } = this;
    const triangle = triangleSize(d);
    this.#ridge.fill(0);
    shape.addInverseTo(this.#ridge, ridge);
    whole.fill(0);
    let used = 0;
    for (let from = 0; from < records.length; from += TOGETHER) {
      const some = this.#inverses.add(whole, records.slice(from, from + TOGETHER), this.#ridge, null, 1);
      const { solved } = this.#inverses;
      for (let at = 0; at < some * d; at += d) {
        for (let i = 0; i < d; i++) whole[triangle + i]! += solved[at + i]! / variance;
      }
      used += some;
      yield;
    }
    // So far it is Σ A⁻¹.
    for (let k = 0; k < triangle; k++) whole[k]! *= -ridge / variance;
    shape.narrow(whole);
    shape.addInverseTo(whole, used / variance);
  }
}
