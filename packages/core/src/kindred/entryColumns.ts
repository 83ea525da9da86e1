/** Records that there is room for at first. */
const ROOM = 16;

/**
 * Numbers of the records of a view, column by column: what would else be hundreds of small lists and numbers a peer, which memory must be
 * found for, which a garbage collector visits one by one, and which lie anywhere. A record keeps its row while it is in the view.
 */
export class EntryColumns {
  /** What its sums are multiplied by, and their value. */
  weight = new Float64Array(ROOM);
  value = new Float64Array(ROOM);
  /** Its value under the population's other model; NaN until it is asked for, and whenever the sums have changed. */
  apart = new Float64Array(ROOM);
  /** 1 where value and centre are those of its sums in the population as it is. */
  valued = new Uint8Array(ROOM);
  /** How far, squared, from whoever was last looked at for all groupings, and which look that was; less than 0 where it is at least so far. */
  distance = new Float64Array(ROOM);
  look = new Float64Array(ROOM);
  /** Posterior means, less μ, one behind another. */
  centres: Float64Array<ArrayBuffer>;
  /** Rows that were in use once, and are not any more. */
  readonly #free: number[] = [];
  #used = 0;

  constructor(readonly dimension: number) {
    this.centres = new Float64Array(ROOM * dimension);
  }

  /** A row for one more record. */
  take(): number {
    const row = this.#free.pop() ?? this.#next();
    this.weight[row] = 1;
    this.value[row] = 0;
    this.apart[row] = Number.NaN;
    this.valued[row] = 0;
    this.look[row] = 0;
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
    const room = 2 * row;
    this.weight = larger(this.weight, new Float64Array(room));
    this.value = larger(this.value, new Float64Array(room));
    this.apart = larger(this.apart, new Float64Array(room));
    this.valued = larger(this.valued, new Uint8Array(room));
    this.distance = larger(this.distance, new Float64Array(room));
    this.look = larger(this.look, new Float64Array(room));
    this.centres = larger(this.centres, new Float64Array(room * this.dimension));
    return row;
  }
}

function larger<T extends Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(column: T, room: T): T {
  room.set(column);
  return room;
}
