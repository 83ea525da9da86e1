import { accelerator } from "../numbers/accelerator.ts";
import { Factor } from "../numbers/factor.ts";
import { addOuter, addScaled, triangleSize } from "../numbers/packed.ts";
import { shift } from "./evidence.ts";
import type { Sums } from "./record.ts";

/**
 * Sums of the inverses of many matrices A = S + R, and what they say of each record: d³/2 multiply-adds each, the half of
 * what a fit of the population takes. Where there is an accelerator it is done there, with the same bits.
 */
export class Inverses {
  /** A⁻¹v of each record used, or m, one behind another. */
  solved = new Float64Array(0);
  readonly #matrix: Float64Array;
  readonly #vector: Float64Array;
  readonly #factor: Factor;

  constructor(readonly dimension: number) {
    this.#matrix = new Float64Array(triangleSize(dimension));
    this.#vector = new Float64Array(dimension);
    this.#factor = new Factor(dimension);
  }

  /**
   * sum += scale · A⁻¹ of each record; with a mean also m mᵀ, m = A⁻¹(v − Sμ). Records whose A is not positive definite, which
   * nobody can have seen, are left out. How many were used.
   */
  add(
    sum: Float64Array,
    records: readonly Pick<Sums, "slot">[],
    ridge: Float64Array,
    mean: Float64Array | null,
    scale: number,
  ): number {
    const d = this.dimension;
    if (this.solved.length < records.length * d) this.solved = new Float64Array(records.length * d);
    const faster = accelerator();
    const alone = faster !== null && records.length === 1 && d >= faster.leastAlone;
    if (faster !== null && d >= faster.leastDimension && !alone) {
      return faster.addInverses(d, sum, this.solved, records, ridge, mean, scale);
    }
    const [matrix, vector, factor] = [this.#matrix, this.#vector, this.#factor];
    let used = 0;
    for (const { slot } of records) {
      for (let k = 0; k < matrix.length; k++) matrix[k] = slot[k]! + ridge[k]!;
      if (!factor.refactor(matrix, 0, 0)) continue;
      if (mean === null) factor.solve(vector, slot, matrix.length);
      else {
        shift(vector, slot, mean, d);
        factor.solve(vector, vector);
      }
      this.solved.set(vector, used * d);
      addScaled(sum, 0, factor.invert(matrix), 0, matrix.length, scale);
      if (mean !== null) addOuter(sum, d, vector, 0, 1);
      used += 1;
    }
    return used;
  }
}
