import { MOST_REWARD } from "../bandit/reward.ts";
import { ProtocolViolation } from "../errors.ts";
import type { Slots } from "../gossip/slots.ts";
import { accelerator } from "../numbers/accelerator.ts";
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
  readonly #energies = new Float64Array(2);

  constructor(readonly limits: WireLimits) {
    this.#factor = new Factor(limits.dimension);
    this.#work = new Float64Array(limits.dimension);
  }

  /** The first `length` of some slots; what is wrong is the fault of the first that is. */
  check(slots: Slots, length: number): void {
    let first = -1;
    for (let position = 0; position < length; position++) {
      if (slots.count(position) === 0) continue;
      if (first < 0) first = position;
      else {
        if (!this.#areSound(slots, first, position)) for (const each of [first, position]) this.#check(slots, each);
        first = -1;
      }
    }
    if (first >= 0) this.#check(slots, first);
  }

  /** Whether `#check` would let both pass, where that is found out faster for two: by the same numbers. */
  #areSound(slots: Slots, first: number, second: number): boolean {
    const { dimension: d } = this.limits;
    const { values } = slots;
    const faster = accelerator();
    if (faster === null || d < faster.leastDimension) return false;
    const offsets = [slots.offset(first), slots.offset(second)] as const;
    const [one, two] = [traceOf(values, d, offsets[0]), traceOf(values, d, offsets[1])];
    const [count, other] = [slots.count(first), slots.count(second)];
    if (!this.#isTrace(one, count) || !this.#isTrace(two, other)) return false;
    if (!faster.energies(d, values, offsets, [ridgeOf(one), ridgeOf(two)], this.#energies)) return false;
    return this.#energies[0]! <= this.#mostEnergy(count) && this.#energies[1]! <= this.#mostEnergy(other);
  }

  #isTrace(trace: number, count: number): boolean {
    return trace >= 0 && trace <= (count + this.limits.dimension) * (1 + SLACK);
  }

  #mostEnergy(count: number): number {
    const reward = Math.min(this.limits.reward, MOST_REWARD);
    return count * reward * reward * (1 + SLACK) + SLACK;
  }

  #check(slots: Slots, position: number): void {
    const { dimension: d } = this.limits;
    const { values } = slots;
    const [offset, count] = [slots.offset(position), slots.count(position)];
    const field = `slots[${position}]`;
    const reward = Math.min(this.limits.reward, MOST_REWARD);
    const trace = traceOf(values, d, offset);
    if (!this.#isTrace(trace, count)) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation("not-covariance", `${field} trace`, trace, `lie from 0 to ${count + d}`);
    }
    if (!this.#factor.refactor(values, offset, ridgeOf(trace))) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation("not-covariance", field, "an indefinite matrix", "be positive semidefinite");
    }
    const energy = this.#factor.quadratic(values, offset + triangleSize(d), this.#work);
    // Not `>`: a moment beyond all bounds may overflow to NaN on the way.
    if (!(energy <= this.#mostEnergy(count))) {
      this.#requireFinite(field, values, offset);
      throw new ProtocolViolation("not-covariance", `${field} moment`, energy, `be at most ${count * reward * reward}`);
    }
  }

  /**
   * Looked at only where something else was wrong already: a number that is not finite makes the pivot of its row, or the energy, one
   * that is not, and neither passes.
   */
  #requireFinite(field: string, values: Float64Array, offset: number): void {
    for (let k = offset; k < offset + slotSize(this.limits.dimension); k++) {
      const value = values[k]!;
      if (!Number.isFinite(value)) throw new ProtocolViolation("not-finite", field, value, "be finite");
    }
  }
}

const SLACK = 1e-9;

/**
 * Rounding can push the least eigenvalue a little below zero; so much of the trace is forgiven, and a floor well above the
 * least number, below which the gram of a tiny arm rounds to nothing before its moment.
 */
const ridgeOf = (trace: number): number => trace * SLACK + 1e-300;

let last: SlotValidator | null = null;

/** One for the same limits: a room has the same for all its messages. */
export function slotValidator(limits: WireLimits): SlotValidator {
  const same = last !== null && last.limits.dimension === limits.dimension && last.limits.reward === limits.reward;
  if (last === null || !same) last = new SlotValidator(limits);
  return last;
}
