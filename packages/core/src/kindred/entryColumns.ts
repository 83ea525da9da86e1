/** Records that there is room for at first. */
export const ROOM = 16;
/** A view of 128 holds more only while newcomers are looked at. */
const USUAL = 256;

/** Room for more records than these, in few steps: what is made in between is thrown away. */
export const moreThan = (room: number): number => (room < USUAL ? 4 * room : 2 * room);

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
  /** How far, squared, from whoever was last looked at for all groupings, and which look that was. */
  distance!: Float64Array;
  look!: Float64Array;
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
    this.#makeRoom(moreThan(row));
    return row;
  }

  /** All columns share one buffer: V8 looks after each by itself. */
  #makeRoom(room: number): void {
    const buffer = new ArrayBuffer(room * (8 * (5 + this.dimension) + 1));
    const column = (before: number, width = 1): Float64Array =>
      new Float64Array(buffer, 8 * room * before, width * room);
    this.weight = larger(this.weight, column(0));
    this.value = larger(this.value, column(1));
    this.apart = larger(this.apart, column(2));
    this.distance = larger(this.distance, column(3));
    this.look = larger(this.look, column(4));
    this.centres = larger(this.centres, column(5, this.dimension));
    this.valued = larger(this.valued, new Uint8Array(buffer, 8 * room * (5 + this.dimension), room));
  }
}

function larger<T extends Uint8Array | Float64Array>(column: T | undefined, room: T): T {
  if (column !== undefined) room.set(column);
  return room;
}
