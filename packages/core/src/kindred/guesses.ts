import { ln } from "../numbers/ln.ts";
import { meanDiagonal } from "../numbers/packed.ts";
import type { Group, GroupEntry } from "./group.ts";
import { weightOf } from "./partition.ts";

/** A group that is e^FAR times less likely than another one is not drawn. */
const FAR = 40;

/** Groups that there is room for at first. */
const ROOM = 64;

/**
 * Where a record probably belongs, in d operations for each group, where evidence takes d³/6: as if everybody had looked in all
 * directions alike, S = sI with s = tr S/d. With u = (1 + λ/s)c the estimate of a record whose centre is c, c_g the centre of a group
 * and a_g = s_g + λ,
 *
 *     weight of group g              size(g) · N(u; c_g, σ²(1/s + 1/a_g) I)
 *     weight of a group of its own   α · N(u; 0, σ²(1/s + 1/λ) I)
 *
 * Its home counts as if the record were not in it: then it has a_g − s, and its centre is a_g/(a_g − s) times as far from u.
 */
export class Guesses {
  /** The weight of each group in its order, and behind them that of a group of its own; relative to the largest. */
  weights = new Float64Array(ROOM + 1);
  #logs = new Float64Array(ROOM + 1);
  /** a_g, and ln size(g). */
  #precisions = new Float64Array(ROOM);
  #lnSizes = new Float64Array(ROOM);
  #count = 0;
  #total = 0;
  #top = 0;
  /** s of the record looked at. */
  #seen = 0;
  #noise = 1;
  #ridge = 1;
  #lnAlpha = 0;
  /** u. */
  readonly #estimate: Float64Array;

  constructor(readonly dimension: number) {
    this.#estimate = new Float64Array(dimension);
  }

  /** Looks at all groups, whose centres are known; `ridge` is λ. */
  look(groups: readonly Group[], noise: number, ridge: number, alpha: number): void {
    if (groups.length > this.#precisions.length) {
      const room = 2 * groups.length;
      this.weights = new Float64Array(room + 1);
      this.#logs = new Float64Array(room + 1);
      this.#precisions = new Float64Array(room);
      this.#lnSizes = new Float64Array(room);
    }
    this.#noise = noise;
    this.#ridge = ridge;
    this.#lnAlpha = ln(alpha);
    for (let k = 0; k < groups.length; k++) this.tell(k, groups[k]!);
  }

  /** Group k has other members. */
  tell(k: number, { slot, size }: Group): void {
    this.#precisions[k] = meanDiagonal(slot, this.dimension) + this.#ridge;
    this.#lnSizes[k] = ln(size);
  }

  /** Finds the weights of a record, which is in the group `home` of those looked at. */
  weigh({ slot, centre, from }: GroupEntry, groups: readonly Group[], home: Group): void {
    const estimate = this.#estimate;
    const seen = meanDiagonal(slot, this.dimension);
    this.#seen = seen;
    const longer = 1 + this.#ridge / seen;
    let square = 0;
    for (let i = 0; i < estimate.length; i++) {
      const value = longer * centre[from + i]!;
      estimate[i] = value;
      square += value * value;
    }
    const count = groups.length;
    const logs = this.#logs;
    let top = this.#lnAlpha - 0.5 * (this.#away(square, this.#ridge) + this.#surprise(this.#ridge));
    logs[count] = top;
    for (let k = 0; k < count; k++) {
      const group = groups[k]!;
      const precision = this.#precisions[k]!;
      let log = -Infinity;
      if (group !== home) {
        const most = this.#lnSizes[k]! - 0.5 * this.#away(this.#squareTo(group.centre, group.from), precision);
        // Most groups lie too far away to count.
        if (most > top - FAR) log = most - 0.5 * this.#surprise(precision);
      } else if (group.size > 1) log = this.#without(group.size, group.centre, group.from, precision);
      logs[k] = log;
      if (log > top) top = log;
    }
    const { weights } = this;
    let total = 0;
    for (let k = 0; k <= count; k++) total += weights[k] = weightOf(logs[k]! - top);
    this.#count = count;
    this.#total = total;
    this.#top = top;
  }

  /** ln of the chance that group `drawn` is drawn; of a group of its own behind the last one. */
  lnChance(drawn: number): number {
    return this.#logs[drawn]! - this.#top - ln(this.#total);
  }

  /**
   * The same of its home, once it has gone from there to group `drawn`: `left` is the centre of those it left, `joined` that of those it
   * is with then.
   */
  lnChanceBack(
    home: number,
    size: number,
    left: Float64Array,
    drawn: number,
    joined: Float64Array,
    others: number,
  ): number {
    const { weights } = this;
    let total = this.#total;
    if (drawn < this.#count) {
      const log = this.#without(others + 1, joined, 0, this.#precisions[drawn]! + this.#seen);
      total += weightOf(log - this.#top) - weights[drawn]!;
    }
    // Whoever was alone is drawn back into a group of its own.
    let back = this.#logs[this.#count]!;
    if (size > 1) {
      back = this.#with(size - 1, left, 0, this.#precisions[home]! - this.#seen);
      total += weightOf(back - this.#top) - weights[home]!;
    }
    return back - this.#top - ln(total);
  }

  #with(size: number, centre: Float64Array, from: number, precision: number): number {
    return ln(size) - 0.5 * (this.#away(this.#squareTo(centre, from), precision) + this.#surprise(precision));
  }

  #without(size: number, centre: Float64Array, from: number, precision: number): number {
    const less = precision - this.#seen;
    const further = precision / less;
    const square = further * further * this.#squareTo(centre, from);
    return ln(size - 1) - 0.5 * (this.#away(square, less) + this.#surprise(less));
  }

  #squareTo(centre: Float64Array, from: number): number {
    const estimate = this.#estimate;
    let square = 0;
    for (let i = 0; i < estimate.length; i++) {
      const off = estimate[i]! - centre[from + i]!;
      square += off * off;
    }
    return square;
  }

  /** |u − c|²/(σ²(1/s + 1/a)). With `#surprise`, −2 ln N(u; c, σ²(1/s + 1/a) I) but for what is the same for all groups. */
  #away(square: number, precision: number): number {
    return (this.#seen * square) / (this.#noise * (1 + this.#seen / precision));
  }

  /** d ln(1 + s/a); a guess need not be exact, only always the same. */
  #surprise(precision: number): number {
    const ratio = this.#seen / precision;
    return this.dimension * (ratio > 1 ? ln(1 + ratio) : (ratio * (6 + ratio)) / (6 + 4 * ratio));
  }
}
