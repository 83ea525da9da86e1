/** Numbers to bytes and back, little-endian. Both grow or fail; neither ever reads past the end. */

export class Writer {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  /** `capacity`: how many bytes there will be, where that is known; then nothing is copied on the way. */
  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Where the next `count` bytes go. May replace the view, so it is called before the view is read. */
  #need(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#need(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#need(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#need(4);
    this.#view.setUint32(at, value, true);
  }

  f32(value: number): void {
    const at = this.#need(4);
    this.#view.setFloat32(at, value, true);
  }

  f64(value: number): void {
    const at = this.#need(8);
    this.#view.setFloat64(at, value, true);
  }

  f64s(values: Float64Array, from = 0, count = values.length): void {
    let at = this.#need(8 * count);
    if (LITTLE) this.#bytes.set(bytesOf(values, from, count), at);
    else for (let k = from; k < from + count; k++, at += 8) this.#view.setFloat64(at, values[k]!, true);
  }

  f32s(values: Float64Array, from = 0, count = values.length): void {
    let at = this.#need(4 * count);
    for (let k = from; k < from + count; k++, at += 4) this.#view.setFloat32(at, values[k]!, true);
  }

  raw(values: Uint8Array): void {
    const at = this.#need(values.length);
    this.#bytes.set(values, at);
  }

  /** UTF-16 code units behind their number: core has no text encoder, and these are short. */
  text(value: string): void {
    this.u32(value.length);
    for (let i = 0; i < value.length; i++) this.u16(value.charCodeAt(i));
  }

  /** A whole number below 2³², seven bits a byte, the lowest first. */
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
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }
}

/** How a reader complains: a frame's sender is another peer, a snapshot's is ourselves. */
export type Complain = (reason: "truncated" | "too-long", field: string, value: unknown, bound: string) => Error;

/** Bytes to numbers, in the order in which they were written. Complains about the first that is not there. */
export class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(
    bytes: Uint8Array,
    readonly complain: Complain,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** Throws unless `count` more bytes are there; call it before making room for them. */
  need(count: number, field: string): number {
    if (count > this.left) {
      throw this.complain("truncated", field, `${this.left} bytes`, `have ${count} more bytes`);
    }
    const at = this.#at;
    this.#at += count;
    return at;
  }

  u8(field: string): number {
    return this.#view.getUint8(this.need(1, field));
  }

  u16(field: string): number {
    return this.#view.getUint16(this.need(2, field), true);
  }

  u32(field: string): number {
    return this.#view.getUint32(this.need(4, field), true);
  }

  f64(field: string): number {
    return this.#view.getFloat64(this.need(8, field), true);
  }

  f64s(field: string, out: Float64Array, from = 0, count = out.length): void {
    let at = this.need(8 * count, field);
    if (LITTLE) bytesOf(out, from, count).set(this.#slice(at, 8 * count));
    else for (let k = from; k < from + count; k++, at += 8) out[k] = this.#view.getFloat64(at, true);
  }

  f32s(field: string, out: Float64Array, from = 0, count = out.length): void {
    let at = this.need(4 * count, field);
    for (let k = from; k < from + count; k++, at += 4) out[k] = this.#view.getFloat32(at, true);
  }

  /** A copy of the next `count` bytes. */
  raw(field: string, count: number): Uint8Array {
    return this.view(field, count).slice();
  }

  /** The next `count` bytes where they lie: for who reads them at once and keeps none. */
  view(field: string, count: number): Uint8Array {
    return this.#slice(this.need(count, field), count);
  }

  #slice(at: number, count: number): Uint8Array {
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, count);
  }

  text(field: string): string {
    const length = this.u32(field);
    const at = this.need(2 * length, field);
    let value = "";
    for (let i = 0; i < length; i++) value += String.fromCharCode(this.#view.getUint16(at + 2 * i, true));
    return value;
  }

  varint(field: string): number {
    let value = 0;
    for (let scale = 1; scale < 0x800000000; scale *= 0x80) {
      const byte = this.u8(field);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw this.complain("too-long", field, "more than 5 bytes", "be a number of at most 5 bytes");
  }

  name(field: string): string {
    const first = this.u8(field);
    let value = "";
    for (let left = (first & 0x7f) + 1; left > 0; left--) {
      value += String.fromCharCode(first > 0x7f ? this.u16(field) : this.u8(field));
    }
    return value;
  }

  end(field: string): void {
    if (this.left > 0) throw this.complain("too-long", field, `${this.left} bytes too many`, "end here");
  }
}

/** Nearly every machine keeps numbers as the wire does: then they are copied as they are. */
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const bytesOf = (values: Float64Array, from: number, count: number): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset + 8 * from, 8 * count);
