import type { Statistics } from "../bandit/statistics.ts";
import { addScaled, slotSize } from "../numbers/packed.ts";
import { lean, shareOf } from "./clip.ts";

/**
 * A queue of slots, oldest first, in one array used as a ring.
 *
 * Slots of two peers are mixed round by round: the newest slot of both is of the same round, and there is one slot a
 * round. Where one peer holds back more rounds than the other, only those that both hold are mixed: nothing is lost.
 */
export class Slots {
  readonly size: number;
  #values: Float64Array;
  #counts: Float64Array;
  #first = 0;
  #length = 0;
  /** The round of the newest slot; 0 while there has been none. */
  newestRound = 0;

  constructor(
    readonly dimension: number,
    capacity = 8,
  ) {
    this.size = slotSize(dimension);
    this.#values = new Float64Array(this.size * capacity);
    this.#counts = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The array that holds the slots; `offset(k)` says where slot k (0 the oldest) begins in it. Lent. */
  get values(): Float64Array {
    return this.#values;
  }

  offset(position: number): number {
    return this.#index(position) * this.size;
  }

  /** How many observations the slot stands for: a mean, so a real number. 0 exactly where the slot is all zeros. */
  count(position: number): number {
    return this.#counts[this.#index(position)]!;
  }

  setCount(position: number, count: number): void {
    this.#counts[this.#index(position)] = count;
  }

  /** Appends an empty slot for `round` and returns its position. */
  push(round: number): number {
    if (this.#length === this.#counts.length) this.#grow();
    this.#length += 1;
    this.newestRound = round;
    this.clear(this.#length - 1);
    return this.#length - 1;
  }

  /** Appends a copy of some sums as the slot of `round`. */
  append(round: number, statistics: Statistics): number {
    const position = this.push(round);
    this.#values.set(statistics.slot, this.offset(position));
    this.setCount(position, statistics.count);
    return position;
  }

  dropOldest(): void {
    this.#first = this.#first + 1 === this.#counts.length ? 0 : this.#first + 1;
    this.#length -= 1;
  }

  clear(position: number): void {
    const from = this.offset(position);
    this.#values.fill(0, from, from + this.size);
    this.setCount(position, 0);
  }

  clearAll(): void {
    for (let position = 0; position < this.#length; position++) this.clear(position);
  }

  /** out += scale · slot. */
  addTo(out: Statistics, position: number, scale: number): void {
    addScaled(out.slot, 0, this.#values, this.offset(position), this.size, scale);
    out.count += scale * this.count(position);
  }

  /** this = ½ (this + other), slot by slot; with `clip` no further than that allows (clip.ts). */
  mixFrom(other: Slots, clip?: number): void {
    const shift = other.#length - this.#length;
    for (let position = Math.max(0, -shift); position < this.#length; position++) {
      const mine = this.count(position);
      const theirs = other.count(position + shift);
      if (mine === 0 && theirs === 0) continue;
      if (clip !== undefined && this.#leanTo(other, position, position + shift, clip)) continue;
      halfSum(this.#values, this.offset(position), other.#values, other.offset(position + shift), this.size);
      this.setCount(position, 0.5 * (mine + theirs));
    }
  }

  /** Both = ½ (this + other): what two calls of `mixFrom` with copies would give, in one pass over memory. */
  mixBoth(other: Slots): void {
    const shift = other.#length - this.#length;
    for (let position = Math.max(0, -shift); position < this.#length; position++) {
      const mine = this.count(position);
      const theirs = other.count(position + shift);
      if (mine === 0 && theirs === 0) continue;
      halfSumBoth(this.#values, this.offset(position), other.#values, other.offset(position + shift), this.size);
      this.setCount(position, 0.5 * (mine + theirs));
      other.setCount(position + shift, 0.5 * (mine + theirs));
    }
  }

  /**
   * Dates everything held as of `round`: one slot with the sum of all, so that what was gathered while others went on is
   * mixed from now on like a fresh observation, and promoted only when it is well mixed.
   */
  redate(round: number): void {
    for (let position = this.#length - 2; position >= 0; position--) {
      const newest = this.offset(this.#length - 1);
      addScaled(this.#values, newest, this.#values, this.offset(position), this.size, 1);
      this.setCount(this.#length - 1, this.count(this.#length - 1) + this.count(position));
    }
    while (this.#length > 1) this.dropOldest();
    this.newestRound = round;
  }

  copyFrom(other: Slots): void {
    if (this.#counts.length < other.#length) {
      this.#values = new Float64Array(other.#counts.length * this.size);
      this.#counts = new Float64Array(other.#counts.length);
    }
    this.#first = 0;
    this.#length = other.#length;
    this.newestRound = other.newestRound;
    for (let position = 0; position < other.#length; position++) {
      const from = other.offset(position);
      this.#values.set(other.#values.subarray(from, from + this.size), position * this.size);
      this.setCount(position, other.count(position));
    }
  }

  /** Goes the part of the way that `clip` allows; false, and nothing done, where that is all of it. */
  #leanTo(other: Slots, position: number, theirs: number, clip: number): boolean {
    const [at, from] = [this.offset(position), other.offset(theirs)];
    const age = this.#length - 1 - position;
    const share = shareOf(clip, age, this.#values, at, other.#values, from, this.size);
    if (share === 1) return false;
    lean(this.#values, at, other.#values, from, this.size, share);
    const count = this.count(position);
    this.setCount(position, count + 0.5 * share * (other.count(theirs) - count));
    return true;
  }

  #index(position: number): number {
    const index = this.#first + position;
    return index < this.#counts.length ? index : index - this.#counts.length;
  }

  /** Half as much again: L(t) grows like log t, so this happens a handful of times in a life. */
  #grow(): void {
    const old = new Slots(this.dimension, Math.ceil(this.#counts.length * 1.5) + 1);
    old.copyFrom(this);
    this.#values = old.#values;
    this.#counts = old.#counts;
    this.#first = 0;
  }
}

function halfSum(out: Float64Array, at: number, other: Float64Array, from: number, count: number): void {
  for (let k = 0; k < count; k++) out[at + k] = 0.5 * (out[at + k]! + other[from + k]!);
}

function halfSumBoth(a: Float64Array, at: number, b: Float64Array, from: number, count: number): void {
  for (let k = 0; k < count; k++) {
    const mean = 0.5 * (a[at + k]! + b[from + k]!);
    a[at + k] = mean;
    b[from + k] = mean;
  }
}
