/** Records that there is room for at first: times four, twice, that is what a view of 128 holds at most while newcomers are looked at. */
export const ROOM = 18;

/** Room for more records than these, in few steps: what is made in between is thrown away. */
export const moreThan = (room: number): number => 4 * room;

/**
 * Numbers of the records of a view, column by column: what would else be hundreds of small lists and numbers a peer, which memory must be
 * found for, which a garbage collector visits one by one, and which lie anywhere. A record keeps its row while it is in the view.
 */
export class EntryColumns {
  /** What its sums are multiplied by, and their value. */
  weight!: Float64Array;
  value!: Float64Array;
  /** Its value under the population's other model; NaN until it is asked for, and whenever the sums have changed. */
  apart!: Float64Array;
  /** 1 where value and centre are those of its sums in the population as it is. */
  valued!: Uint8Array;
  /** Posterior means, less μ, one behind another. */
  centres!: Float64Array;
  /** Rows that were in use once, and are not any more. */
  readonly #free: number[] = [];
  #used = 0;

  constructor(readonly dimension: number) {
    this.#makeRoom(ROOM);
  }

  /** A row for one more record. */
  take(): number {
    const row = this.#free.pop() ?? this.#next();
    this.weight[row] = 1;
    this.value[row] = 0;
    this.apart[row] = Number.NaN;
    this.valued[row] = 0;
    this.centres.fill(0, row * this.dimension, (row + 1) * this.dimension);
    return row;
  }

  /** The population has changed: nothing that was found of any record holds, also of those that are not alone just now. */
  forgetValues(): void {
    this.valued.fill(0);
    this.apart.fill(Number.NaN);
  }

  release(row: number): void {
    this.#free.push(row);
  }

  #next(): number {
    const row = this.#used++;
    if (row < this.value.length) return row;
    this.#makeRoom(moreThan(row));
    return row;
  }

  /** All columns share one buffer: V8 looks after each by itself. */
  #makeRoom(room: number): void {
    const buffer = new ArrayBuffer(room * (8 * (3 + this.dimension) + 1));
    const column = (before: number, width = 1): Float64Array =>
      new Float64Array(buffer, 8 * room * before, width * room);
    this.weight = larger(this.weight, column(0));
    this.value = larger(this.value, column(1));
    this.apart = larger(this.apart, column(2));
    this.centres = larger(this.centres, column(3, this.dimension));
    this.valued = larger(this.valued, new Uint8Array(buffer, 8 * room * (3 + this.dimension), room));
  }
}

function larger<T extends Uint8Array | Float64Array>(column: T | undefined, room: T): T {
  if (column !== undefined) room.set(column);
  return room;
}
