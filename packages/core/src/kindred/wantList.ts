import { sharedIntegers } from "../numbers/shared.ts";

/** By what a record is called: the least `countCode` that is news, and `KIN` if it may be kin. A `Map` is one too. */
export interface Wants extends Iterable<readonly [number, number]> {
  readonly size: number;
  get(called: number): number | undefined;
  has(called: number): boolean;
}

const CODE_BITS = 8;
const CODE = (1 << CODE_BITS) - 1;

/** What a record is called with what is wanted of it behind it, as one number: sorted together, nothing is looked up again. */
export const entryOf = (called: number, want: number): number => (called << CODE_BITS) | want;
export const calledOf = (entry: number): number => entry >> CODE_BITS;
export const wantedOf = (entry: number): number => entry & CODE;

/**
 * Wants in a sorted list of numbers. Every exchange of every peer makes one and asks it for all that the other side holds: a `Map` takes
 * thirty times the memory, most of what an exchange allocated, and the partner's copy lives until its next one.
 */
export class WantList implements Wants {
  private constructor(
    /** In ascending order (`entryOf`). */
    readonly entries: Int32Array,
  ) {}

  static of(wants: Wants): WantList {
    if (wants instanceof WantList) return wants;
    const entries = sharedIntegers(wants.size);
    let size = 0;
    for (const [called, want] of wants) entries[size++] = entryOf(called, want);
    return new WantList(entries.sort());
  }

  /** The first `size` of these entries. Of records that are called the same the last one counts. */
  static from(entries: Int32Array, size: number): WantList {
    const sorted = sharedIntegers(size);
    for (let k = 0; k < size; k++) sorted[k] = entries[k]!;
    sorted.sort();
    for (let k = 1; k < size; k++) {
      if (calledOf(sorted[k]!) !== calledOf(sorted[k - 1]!)) continue;
      const wants = new Map<number, number>();
      for (let each = 0; each < size; each++) wants.set(calledOf(entries[each]!), wantedOf(entries[each]!));
      return WantList.of(wants);
    }
    return new WantList(sorted);
  }

  get size(): number {
    return this.entries.length;
  }

  get(called: number): number | undefined {
    const { entries } = this;
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (calledOf(entries[middle]!) < called) from = middle + 1;
      else to = middle;
    }
    const entry = entries[from];
    return entry !== undefined && calledOf(entry) === called ? wantedOf(entry) : undefined;
  }

  has(called: number): boolean {
    return this.get(called) !== undefined;
  }

  *[Symbol.iterator](): Generator<readonly [number, number]> {
    for (const entry of this.entries) yield [calledOf(entry), wantedOf(entry)];
  }
}
