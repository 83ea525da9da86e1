import { hashText } from "../numbers/hash.ts";
import { countCode } from "./countCode.ts";
import { moreThan, ROOM } from "./entryColumns.ts";
import { called, type PeerRecord } from "./record.ts";

/**
 * The records of a view in their order, and what every exchange asks of all of them, column by column. A view has a hundred records, of
 * which an exchange needs a few: to look through columns of numbers takes a fraction of what it takes to visit each record and its groups.
 */
export class Shelf {
  readonly records: PeerRecord[] = [];
  /** `hash` and `twin` of each record, and the hash of its origin. */
  hash!: Uint32Array;
  twin!: Uint32Array;
  origin!: Uint32Array;
  count!: Float64Array;
  /** `countCode` of it. */
  code!: Uint8Array;
  /** The chance that the peer itself shares the θ of the record, as it was last believed. */
  chance!: Float64Array;
  /** How welcome it is where the view is full (`rankFor`); NaN until somebody asks. */
  rank!: Float64Array;
  /** Its group in the first grouping: where that stands in the list, and the observations of all of it (`Groupings.grouped`). */
  group!: Uint32Array;
  crowd!: Float64Array;

  constructor(room = ROOM) {
    this.#makeRoom(room);
  }

  static of(records: readonly PeerRecord[]): Shelf {
    const shelf = new Shelf();
    for (const record of records) shelf.push(record);
    return shelf;
  }

  get size(): number {
    return this.records.length;
  }

  push(record: PeerRecord): void {
    const at = this.size;
    if (at === this.hash.length) this.#makeRoom(moreThan(at));
    this.origin[at] = hashText(record.origin);
    this.chance[at] = 0;
    this.rank[at] = Number.NaN;
    this.replace(at, record);
  }

  /** Another version of the record at this place. */
  replace(at: number, record: PeerRecord): void {
    this.records[at] = record;
    this.hash[at] = record.hash;
    this.twin[at] = record.twin;
    this.count[at] = record.count;
    this.code[at] = countCode(record.count);
    this.crowd[at] = record.count;
  }

  /** What a greeting with this salt calls the record at this place. */
  calledAt(at: number, salt: number): number {
    return called(this.hash[at]!, this.twin[at]!, salt);
  }

  /** Puts what stands at one place to another. */
  move(from: number, to: number): void {
    this.records[to] = this.records[from]!;
    this.hash[to] = this.hash[from]!;
    this.twin[to] = this.twin[from]!;
    this.origin[to] = this.origin[from]!;
    this.count[to] = this.count[from]!;
    this.code[to] = this.code[from]!;
    this.chance[to] = this.chance[from]!;
    this.rank[to] = this.rank[from]!;
    this.group[to] = this.group[from]!;
    this.crowd[to] = this.crowd[from]!;
  }

  /** Keeps the first `size`. */
  truncate(size: number): void {
    this.records.length = size;
  }

  /** As it is now, for whoever reads it later. */
  copy(): Shelf {
    const copy = new Shelf(this.hash.length);
    for (let k = 0; k < this.size; k++) copy.records.push(this.records[k]!);
    copy.hash.set(this.hash);
    copy.twin.set(this.twin);
    copy.origin.set(this.origin);
    copy.count.set(this.count);
    copy.code.set(this.code);
    copy.chance.set(this.chance);
    copy.rank.set(this.rank);
    copy.group.set(this.group);
    copy.crowd.set(this.crowd);
    return copy;
  }

  /** All columns share one buffer: V8 looks after each by itself. */
  #makeRoom(room: number): void {
    const buffer = new ArrayBuffer(room * (4 * 8 + 4 * 4 + 1));
    const numbers = (before: number): Float64Array => new Float64Array(buffer, 8 * room * before, room);
    const words = (before: number): Uint32Array => new Uint32Array(buffer, room * (32 + 4 * before), room);
    this.count = larger(this.count, numbers(0));
    this.chance = larger(this.chance, numbers(1));
    this.rank = larger(this.rank, numbers(2));
    this.crowd = larger(this.crowd, numbers(3));
    this.hash = larger(this.hash, words(0));
    this.twin = larger(this.twin, words(1));
    this.origin = larger(this.origin, words(2));
    this.group = larger(this.group, words(3));
    this.code = larger(this.code, new Uint8Array(buffer, room * 48, room));
  }
}

function larger<T extends Uint8Array | Uint32Array | Float64Array>(column: T | undefined, room: T): T {
  if (column !== undefined) room.set(column);
  return room;
}
