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

/** Entries while they are sorted. */
let sorted = new Int32Array(256);

/**
 * Wants in a sorted list of numbers. Every exchange of every peer makes one and asks it for all that the other side holds: a `Map` takes
 * ten times the memory. The list is a plain one: each 64 MB of ArrayBuffers that come and go let V8 mark all that there is.
 */
export class WantList implements Wants {
  private constructor(
    /** In ascending order (`entryOf`). */
    readonly entries: readonly number[],
  ) {}

  static of(wants: Wants): WantList {
    if (wants instanceof WantList) return wants;
    return new WantList(Array.from(wants, ([called, want]) => entryOf(called, want)).sort((a, b) => a - b));
  }

  /** The first `size` of these entries. Of records that are called the same the last one counts. */
  static from(told: Int32Array, size: number): WantList {
    if (sorted.length < size) sorted = new Int32Array(2 * size);
    for (let k = 0; k < size; k++) sorted[k] = told[k]!;
    sorted.subarray(0, size).sort();
    const entries: number[] = [];
    for (let k = 0, before = -1; k < size; k++) {
      const called = calledOf(sorted[k]!);
      if (called === before) return WantList.of(mapOf(told, size));
      before = called;
      entries.push(sorted[k]!);
    }
    return new WantList(entries);
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

function mapOf(told: Int32Array, size: number): Map<number, number> {
  const wants = new Map<number, number>();
  for (let k = 0; k < size; k++) wants.set(calledOf(told[k]!), wantedOf(told[k]!));
  return wants;
}
