import { accelerator } from "../numbers/accelerator.ts";
import { Factor } from "../numbers/factor.ts";
import { addOuter, addScaled, triangleSize } from "../numbers/packed.ts";
import { roomOf } from "../numbers/room.ts";
import { shift } from "./evidence.ts";
import type { Sums } from "./record.ts";

interface Room {
  solved: Float64Array;
  readonly matrix: Float64Array;
  readonly vector: Float64Array;
  readonly factor: Factor;
}

const makeRoom = (dimension: number): Room => ({
  solved: new Float64Array(0),
  matrix: new Float64Array(triangleSize(dimension)),
  vector: new Float64Array(dimension),
  factor: new Factor(dimension),
});

/**
 * Sums of the inverses of many matrices A = S + R, and what they say of each record: d³/2 multiply-adds each, the half of
 * what a fit of the population takes. Where there is an accelerator it is done there, with the same bits.
 */
export class Inverses {
  readonly #room: Room;

  constructor(readonly dimension: number) {
    this.#room = roomOf(dimension, makeRoom);
  }

  /** A⁻¹v of each record used, or m, one behind another. Lent until the next call, whoever calls. */
  get solved(): Float64Array {
    return this.#room.solved;
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
    const room = this.#room;
    if (room.solved.length < records.length * d) room.solved = new Float64Array(records.length * d);
    const faster = accelerator();
    const alone = faster !== null && records.length === 1 && d >= faster.leastAlone;
    if (faster !== null && d >= faster.leastDimension && !alone) {
      return faster.addInverses(d, sum, room.solved, records, ridge, mean, scale);
    }
    const { solved, matrix, vector, factor } = room;
    let used = 0;
    for (const { slot } of records) {
      for (let k = 0; k < matrix.length; k++) matrix[k] = slot[k]! + ridge[k]!;
      if (!factor.refactor(matrix, 0, 0)) continue;
      if (mean === null) factor.solve(vector, slot, matrix.length);
      else {
        shift(vector, slot, mean, d);
        factor.solve(vector, vector);
      }
      solved.set(vector, used * d);
      addScaled(sum, 0, factor.invert(matrix), 0, matrix.length, scale);
      if (mean !== null) addOuter(sum, d, vector, 0, 1);
      used += 1;
    }
    return used;
  }
}
