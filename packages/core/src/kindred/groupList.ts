import type { EntryColumns } from "./entryColumns.ts";
import type { Group } from "./group.ts";

/** Groups tried for a record, so that placing it costs the same however many there are. */
const NEAREST = 4;
const LARGEST = 2;
/** So many are all tried, wherever they lie. */
export const FEW = NEAREST + LARGEST;

/** Of the groups found so far. Nothing of it is used from one call to the next: to make room for it each time costs more than to fill it. */
const scores = new Float64Array(FEW);

/** So many features tell of most groups that they are too far away. */
const HEAD = 16;

/** The centre that is looked at, and how far each group lies from it in those. */
let point = new Float64Array(0);
let squares = new Float64Array(128);

/**
 * How far, squared, in those the record of each row lies from whoever was last looked at for all groupings, and which look that was. One list for
 * all peers, so that it stays in a cache: no two looks have the same number.
 */
let distances = new Float64Array(256);
let looked = new Float64Array(256);
let looks = 0;

/** The number of another look, for calls of `worthTrying` with one centre. */
export const nextLook = (): number => ++looks;

/** Groups that there is room for at first. */
const ROOM = 16;

/**
 * Groups in their order, and what it takes to find those worth trying, column by column: most are records alone, and of those
 * neither the group nor the record need be visited.
 */
export class GroupList {
  readonly groups: Group[] = [];
  #sizes = new Uint32Array(ROOM);
  /** The row of the only member; −1 where there are several. */
  #rows = new Int32Array(ROOM);

  constructor(readonly columns: EntryColumns) {}

  push(group: Group): void {
    const at = this.groups.length;
    this.groups.push(group);
    if (at === this.#sizes.length) this.#makeRoom(2 * at);
    this.#tell(at);
  }

  /** The group has other members, or other ones are summed up. */
  tell(group: Group): void {
    this.#tell(this.groups.indexOf(group));
  }

  tellAll(): void {
    for (let k = 0; k < this.groups.length; k++) this.#tell(k);
  }

  remove(group: Group): void {
    const at = this.groups.indexOf(group);
    this.groups.splice(at, 1);
    this.#sizes.copyWithin(at, at + 1, this.groups.length + 1);
    this.#rows.copyWithin(at, at + 1, this.groups.length + 1);
  }

  /** Leaves out groups that have no members any more, and tells all others. */
  closeUp(): void {
    const { groups } = this;
    let kept = 0;
    for (const group of groups) {
      if (group.size === 0) continue;
      groups[kept] = group;
      this.#tell(kept++);
    }
    groups.length = kept;
  }

  clear(): void {
    this.groups.length = 0;
  }

  /** Those whose centre is not known. Groups of one need not be visited: exchanges ask, and where peers are many each lies far away. */
  uncentred(): Group[] {
    const found: Group[] = [];
    for (let k = 0; k < this.groups.length; k++) {
      if (this.#rows[k]! < 0 && !this.groups[k]!.centred) found.push(this.groups[k]!);
    }
    return found;
  }

  #tell(at: number): void {
    const { size, only } = this.groups[at]!;
    this.#sizes[at] = size;
    this.#rows[at] = only === null ? -1 : only.row;
  }

  #makeRoom(room: number): void {
    const [sizes, rows] = [this.#sizes, this.#rows];
    this.#sizes = new Uint32Array(room);
    this.#sizes.set(sizes);
    this.#rows = new Int32Array(room);
    this.#rows.set(rows);
  }

  /**
   * Fills `out` with the groups worth trying for one whose centre stands in `centre` from `from` on, without `but`: all if they are
   * few. How many they are; what `out` holds behind them is of no meaning. Where `look` is not 0, calls with the same number are for
   * the same centre: records that are alone in several groupings are measured once.
   */
  worthTrying(out: Group[], centre: Float64Array, from: number, but: Group | null, look = 0): number {
    const { groups } = this;
    const size = groups.length;
    let count = 0;
    if (size <= FEW) {
      for (const group of groups) if (group !== but) out[count++] = group;
      return count;
    }
    const without = but === null ? -1 : groups.indexOf(but);
    const [largest, second] = this.#twoLargest(without);
    out[0] = groups[largest]!;
    out[1] = groups[second]!;
    count = LARGEST;
    this.#measure(centre, from, look);
    const { dimension: d, centres } = this.columns;
    const rows = this.#rows;
    let most = Infinity;
    for (let k = 0; k < size; k++) {
      let square = squares[k]!;
      // Most lie further away than the nearest so far.
      if (!(square < most) && count === FEW) continue;
      if (k === without || k === largest || k === second) continue;
      if (d > HEAD) {
        const group = rows[k]! < 0 ? groups[k]! : null;
        const other = group === null ? centres : group.centre;
        const at = group === null ? Math.imul(rows[k]!, d) : group.from;
        for (let i = HEAD; i < d; i++) {
          const off = other[at + i]! - point[i]!;
          square += off * off;
        }
        if (!(square < most) && count === FEW) continue;
      }
      // In order among the nearest so far; first of equals.
      let place = Math.min(count, FEW - 1);
      for (; place > LARGEST && square < scores[place - 1]!; place--) {
        out[place] = out[place - 1]!;
        scores[place] = scores[place - 1]!;
      }
      out[place] = groups[k]!;
      scores[place] = square;
      count = Math.min(count + 1, FEW);
      if (count === FEW) most = scores[FEW - 1]!;
    }
    return count;
  }

  /**
   * How far, squared, each group lies from a centre in the first `HEAD` features. All of them: to stop where one is too far already
   * costs more in guesses of the processor that fail than it saves.
   */
  #measure(centre: Float64Array, from: number, look: number): void {
    const { dimension: d, centres, value } = this.columns;
    if (looked.length < value.length) {
      looked = new Float64Array(value.length);
      distances = new Float64Array(value.length);
    }
    const [rows, size] = [this.#rows, this.groups.length];
    if (squares.length < size) squares = new Float64Array(2 * size);
    if (point.length < d) point = new Float64Array(d);
    for (let i = 0; i < d; i++) point[i] = centre[from + i]!;
    const head = Math.min(d, HEAD);
    for (let k = 0; k < size; k++) {
      const row = rows[k]!;
      if (row < 0) squares[k] = squareTo(this.groups[k]!);
      else if (look !== 0 && looked[row] === look) squares[k] = distances[row]!;
      else {
        let square = 0;
        for (let i = 0, at = Math.imul(row, d); i < head; i++, at++) {
          const off = centres[at]! - point[i]!;
          square += off * off;
        }
        squares[k] = square;
        distances[row] = square;
        looked[row] = look;
      }
    }
  }

  /** The two groups with most records, the first of equals. There are two. */
  #twoLargest(without: number): readonly [number, number] {
    const sizes = this.#sizes;
    let [largest, second] = [-1, -1];
    let most = 0;
    let next = 0;
    for (let k = 0; k < this.groups.length; k++) {
      const size = sizes[k]!;
      if (size <= next || k === without) continue;
      if (size > most) {
        second = largest;
        next = most;
        largest = k;
        most = size;
      } else {
        second = k;
        next = size;
      }
    }
    return [largest, second];
  }
}

/** The same for a group of several. */
function squareTo({ centre }: Group): number {
  const head = Math.min(centre.length, HEAD);
  let square = 0;
  for (let i = 0; i < head; i++) {
    const off = centre[i]! - point[i]!;
    square += off * off;
  }
  return square;
}
