/** Numbers to bytes and back, little-endian. Both grow or fail; neither ever reads past the end. */

export class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

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
    for (let k = from; k < from + count; k++, at += 8) this.#view.setFloat64(at, values[k]!, true);
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

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** How a reader complains: a frame's sender is another peer, a snapshot's is ourselves. */
export type Complain = (reason: "truncated" | "too-long", field: string, value: unknown, bound: string) => Error;

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
    for (let k = from; k < from + count; k++, at += 8) out[k] = this.#view.getFloat64(at, true);
  }

  f32s(field: string, out: Float64Array, from = 0, count = out.length): void {
    let at = this.need(4 * count, field);
    for (let k = from; k < from + count; k++, at += 4) out[k] = this.#view.getFloat32(at, true);
  }

  /** A copy of the next `count` bytes. */
  raw(field: string, count: number): Uint8Array {
    const at = this.need(count, field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, count).slice();
  }

  text(field: string): string {
    const length = this.u32(field);
    const at = this.need(2 * length, field);
    let value = "";
    for (let i = 0; i < length; i++) value += String.fromCharCode(this.#view.getUint16(at + 2 * i, true));
    return value;
  }

  end(field: string): void {
    if (this.left > 0) throw this.complain("too-long", field, `${this.left} bytes too many`, "end here");
  }
}
