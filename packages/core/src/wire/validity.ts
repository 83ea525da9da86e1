import { MOST_REWARD } from "../bandit/reward.ts";
import { type Field, nameOf, ProtocolViolation } from "../errors.ts";
import { Factor } from "../numbers/factor.ts";
import { slotSize, traceOf, triangleSize } from "../numbers/packed.ts";
import type { WireLimits } from "./frame.ts";

/**
 * Could these be the sums of `count` observations with ‖x‖ <= 1 and |r| <= reward? Every number finite; the gram's trace
 * at most count + d (an I may be in it after a reset); [[gram, moment], [momentᵀ, count·reward²]] positive semidefinite.
 * A liar can still pass; but nothing passes that could break the receiver's arithmetic.
 */
export class SlotValidator {
  readonly #factor: Factor;
  readonly #work: Float64Array;

  constructor(readonly limits: WireLimits) {
    this.#factor = new Factor(limits.dimension);
    this.#work = new Float64Array(limits.dimension);
  }

  check(field: Field, values: Float64Array, offset: number, count: number): void {
    const { dimension: d } = this.limits;
    const reward = Math.min(this.limits.reward, MOST_REWARD);
    const trace = traceOf(values, d, offset);
    // Rounding can push the least eigenvalue a little below zero; so much of the trace is forgiven, and a floor well
    // above the least number, below which the gram of a tiny arm rounds to nothing before its moment.
    const slack = 1e-9;
    const floor = 1e-300;
    if (!(trace >= 0) || trace > (count + d) * (1 + slack)) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation("not-covariance", `${nameOf(field)} trace`, trace, `lie from 0 to ${count + d}`);
    }
    if (!this.#factor.refactor(values, offset, trace * slack + floor)) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation("not-covariance", nameOf(field), "an indefinite matrix", "be positive semidefinite");
    }
    const energy = this.#factor.quadratic(values, offset + triangleSize(d), this.#work);
    // Not `>`: a moment beyond all bounds may overflow to NaN on the way.
    if (!(energy <= count * reward * reward * (1 + slack) + slack)) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation(
        "not-covariance",
        `${nameOf(field)} moment`,
        energy,
        `be at most ${count * reward * reward}`,
      );
    }
  }

  /**
   * Looked at only where something else was wrong already: a number that is not finite makes the pivot of its row, or the energy, one
   * that is not, and neither passes.
   */
  #requireFinite(field: Field, values: Float64Array, offset: number): void {
    for (let k = offset; k < offset + slotSize(this.limits.dimension); k++) {
      const value = values[k]!;
      if (!Number.isFinite(value)) throw new ProtocolViolation("not-finite", nameOf(field), value, "be finite");
    }
  }
}

let last: SlotValidator | null = null;

/** One for the same limits: a room has the same for all its messages. */
export function slotValidator(limits: WireLimits): SlotValidator {
  const same = last !== null && last.limits.dimension === limits.dimension && last.limits.reward === limits.reward;
  if (last === null || !same) last = new SlotValidator(limits);
  return last;
}
