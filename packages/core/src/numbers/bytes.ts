import { type Field, nameOf } from "../errors.ts";
import { Shared } from "./shared.ts";

/** Numbers to bytes and back, little-endian. Both grow or fail; neither ever reads past the end. */

/** Where a number becomes its bytes. A view of its own for each message would cost more than the message. */
const scratch = new DataView(new ArrayBuffer(8));

/** Memory of a writer that is done, for the next one. Most write a few words, and to make room for them would cost more. */
let spare: Uint8Array | null = null;
const SPARE_BYTES = 256;

export class Writer {
  #bytes: Uint8Array;
  #length = 0;

  /** `capacity`: how many bytes there will be, where that is known; then nothing is copied on the way. */
  constructor(capacity?: number) {
    this.#bytes = (capacity === undefined && spare) || new Uint8Array(capacity ?? SPARE_BYTES);
    if (this.#bytes === spare) spare = null;
  }

  /** Where the next `count` bytes go. May replace the memory, so it is called before that is read. */
  #need(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#need(1);
    this.#bytes[at] = value;
  }

  u16(value: number): void {
    const at = this.#need(2);
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
  }

  u32(value: number): void {
    this.#word(this.#need(4), value);
  }

  f64(value: number): void {
    const at = this.#need(8);
    this.#f64(at, value);
  }

  f64s(values: Float64Array, from = 0, count = values.length): void {
    const at = this.#need(8 * count);
    if (LITTLE && count > FEW) this.#bytes.set(bytesOf(values, from, count), at);
    else for (let k = 0; k < count; k++) this.#f64(at + 8 * k, values[from + k]!);
  }

  #word(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  #f64(at: number, value: number): void {
    scratch.setFloat64(0, value, true);
    this.#word(at, scratch.getUint32(0, true));
    this.#word(at + 4, scratch.getUint32(4, true));
  }

  /** What `write` writes, behind how many bytes that is. */
  part(write: () => void): void {
    const at = this.#need(4);
    write();
    this.#word(at, this.#length - at - 4);
  }

  raw(values: Uint8Array): void {
    const at = this.#need(values.length);
    this.#bytes.set(values, at);
  }

  /** UTF-16 code units behind their number: core has no text encoder, and these are short. */
  text(value: string): void {
    const at = this.#need(4 + 2 * value.length);
    const bytes = this.#bytes;
    this.#word(at, value.length);
    for (let i = 0, to = at + 4; i < value.length; i++, to += 2) {
      const unit = value.charCodeAt(i);
      bytes[to] = unit;
      bytes[to + 1] = unit >>> 8;
    }
  }

  /** How many there are, then each. */
  texts(texts: readonly string[]): void {
    this.u32(texts.length);
    for (const text of texts) this.text(text);
  }

  /** A whole number below 2³⁵, seven bits a byte, the lowest first. */
  varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.u8(0x80 | (rest & 0x7f));
    this.u8(rest);
  }

  /** A text of 1 to 128 code units: a byte each where all fit into one, else two. */
  name(value: string): void {
    let wide = 0;
    for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) > 0xff) wide = 0x80;
    this.u8((value.length - 1) | wide);
    for (let i = 0; i < value.length; i++) {
      if (wide === 0) this.u8(value.charCodeAt(i));
      else this.u16(value.charCodeAt(i));
    }
  }

  /** What was written so far. Later writes do not change it: where it fills the memory, they get another. */
  bytes(): Uint8Array {
    const memory = this.#bytes;
    if (this.#length < memory.length) this.#bytes = memory.slice(0, this.#length);
    if (memory !== this.#bytes && memory.length === SPARE_BYTES) spare = memory;
    return this.#bytes;
  }
}

/** Short copies that readers keep. */
const copies = new Shared();

/** How a reader complains: a frame's sender is another peer, a snapshot's is ourselves. */
export type Complain = (reason: "truncated" | "too-long", field: string, value: unknown, bound: string) => Error;

/** Bytes to numbers, in the order in which they were written. Complains about the first that is not there. */
export class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at = 0;

  constructor(
    bytes: Uint8Array,
    readonly complain: Complain,
  ) {
    // Not a Buffer, whose `slice` is no copy.
    const plain = bytes.constructor === Uint8Array;
    this.#bytes = plain ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes.length;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  /** Throws unless `count` more bytes are there; call it before making room for them. */
  need(count: number, field: Field): number {
    const at = this.#at;
    if (count > this.#end - at) {
      throw this.complain("truncated", nameOf(field), `${this.left} bytes`, `have ${count} more bytes`);
    }
    this.#at = at + count;
    return at;
  }

  u8(field: Field): number {
    return this.#bytes[this.need(1, field)]!;
  }

  u16(field: Field): number {
    return this.#half(this.need(2, field));
  }

  u32(field: Field): number {
    return this.#word(this.need(4, field));
  }

  f64(field: Field): number {
    return this.#f64(this.need(8, field));
  }

  f64s(field: Field, out: Float64Array, from = 0, count = out.length): void {
    const at = this.need(8 * count, field);
    if (LITTLE && count > FEW) bytesOf(out, from, count).set(this.#bytes.subarray(at, at + 8 * count));
    else for (let k = 0; k < count; k++) out[from + k] = this.#f64(at + 8 * k);
  }

  /** A copy of the next `count` bytes. */
  raw(field: Field, count: number): Uint8Array {
    const at = this.need(count, field);
    return this.#bytes.slice(at, at + count);
  }

  /** The same, for short ones that are kept in great numbers: many of them share their memory. */
  kept(field: Field, count: number): Uint8Array {
    const at = this.need(count, field);
    const kept = copies.bytes(count);
    for (let k = 0; k < count; k++) kept[k] = this.#bytes[at + k]!;
    return kept;
  }

  /** The next `count` bytes where they lie: for who reads them at once and keeps none. */
  view(field: Field, count: number): Uint8Array {
    const at = this.need(count, field);
    return this.#bytes.subarray(at, at + count);
  }

  /** Gives back the last `count` bytes: the next read begins with them. */
  back(count: number): void {
    this.#at -= count;
  }

  #half(at: number): number {
    return this.#bytes[at]! | (this.#bytes[at + 1]! << 8);
  }

  #word(at: number): number {
    const bytes = this.#bytes;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  #f64(at: number): number {
    scratch.setUint32(0, this.#word(at), true);
    scratch.setUint32(4, this.#word(at + 4), true);
    return scratch.getFloat64(0, true);
  }

  text(field: Field): string {
    const length = this.u32(field);
    const at = this.need(2 * length, field);
    let value = "";
    // Many units at once: a text that is put together one by one costs an object for each.
    for (let from = 0; from < length; from += MOST_UNITS) {
      const units: number[] = [];
      for (let i = from; i < Math.min(length, from + MOST_UNITS); i++) units.push(this.#half(at + 2 * i));
      value += String.fromCharCode.apply(null, units);
    }
    return value;
  }

  texts(field: Field): string[] {
    const texts: string[] = [];
    for (let left = this.u32(field); left > 0; left--) texts.push(this.text(field));
    return texts;
  }

  varint(field: Field): number {
    let value = 0;
    for (let scale = 1; scale < 0x800000000; scale *= 0x80) {
      const byte = this.u8(field);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw this.complain("too-long", nameOf(field), "more than 5 bytes", "be a number of at most 5 bytes");
  }

  name(field: Field): string {
    const first = this.u8(field);
    const length = (first & 0x7f) + 1;
    if (first > 0x7f) return String.fromCharCode(...Array.from({ length }, () => this.u16(field)));
    return String.fromCharCode.apply(null, this.view(field, length) as unknown as number[]);
  }

  end(field: string): void {
    if (this.left > 0) throw this.complain("too-long", field, `${this.left} bytes too many`, "end here");
  }
}

/** Nearly every machine keeps numbers as the wire does: then they are copied as they are. */
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** An engine takes thousands of arguments, not any number. */
const MOST_UNITS = 1024;

/** Up to so many numbers it is quicker to write each than to make a view of them all. */
const FEW = 16;

const bytesOf = (values: Float64Array, from: number, count: number): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset + 8 * from, 8 * count);
