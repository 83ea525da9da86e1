import { hashText } from "../numbers/hash.ts";
import { countCode } from "./countCode.ts";
import { called, type PeerRecord } from "./record.ts";

/** Records that there is room for at first. */
const ROOM = 16;

/**
 * The records of a view in their order, and what every exchange asks of all of them, column by column. A view has a hundred records, of
 * which an exchange needs a few: to look through columns of numbers takes a fraction of what it takes to visit each record and its groups.
 */
export class Shelf {
  readonly records: PeerRecord[] = [];
  /** `hash` and `twin` of each record, and the hash of its origin. */
  hash = new Uint32Array(ROOM);
  twin = new Uint32Array(ROOM);
  origin = new Uint32Array(ROOM);
  count = new Float64Array(ROOM);
  /** `countCode` of it. */
  code = new Uint8Array(ROOM);
  /** The chance that the peer itself shares the θ of the record, as it was last believed. */
  chance = new Float64Array(ROOM);
  /** How welcome it is where the view is full (`rankFor`); NaN until somebody asks. */
  rank = new Float64Array(ROOM);
  /** Its group in the first grouping: where that stands in the list, and the observations of all of it (`Groupings.grouped`). */
  group = new Uint32Array(ROOM);
  crowd = new Float64Array(ROOM);

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
    if (at === this.hash.length) this.#makeRoom(2 * at);
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
    const copy = new Shelf();
    copy.#makeRoom(this.hash.length);
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

  #makeRoom(room: number): void {
    this.hash = larger(this.hash, new Uint32Array(room));
    this.twin = larger(this.twin, new Uint32Array(room));
    this.origin = larger(this.origin, new Uint32Array(room));
    this.count = larger(this.count, new Float64Array(room));
    this.code = larger(this.code, new Uint8Array(room));
    this.chance = larger(this.chance, new Float64Array(room));
    this.rank = larger(this.rank, new Float64Array(room));
    this.group = larger(this.group, new Uint32Array(room));
    this.crowd = larger(this.crowd, new Float64Array(room));
  }
}

function larger<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  column: T,
  room: T,
): T {
  room.set(column);
  return room;
}
