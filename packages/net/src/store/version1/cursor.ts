/** Reads LevelDB's numbers; null, and for ever after, once anything lies beyond the end. */
export class Cursor {
  at: number;
  #broken = false;

  constructor(
    readonly bytes: Uint8Array,
    from = 0,
    readonly end = bytes.length,
  ) {
    this.at = from;
  }

  get broken(): boolean {
    return this.#broken;
  }

  u8(): number {
    if (this.at >= this.end) this.#broken = true;
    return this.#broken ? 0 : this.bytes[this.at++]!;
  }

  u32(): number {
    return (this.u8() | (this.u8() << 8) | (this.u8() << 16) | (this.u8() << 24)) >>> 0;
  }

  /** Seven bits a byte, the lowest first; of sizes and offsets, so 2^53 is enough. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    this.#broken = true;
    return 0;
  }

  raw(length: number): Uint8Array {
    if (length > this.end - this.at) this.#broken = true;
    if (this.#broken) return new Uint8Array();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** A change of a key: the newest counts. */
export interface Version {
  readonly key: string;
  readonly sequence: number;
  /** null takes the key away. */
  readonly value: Uint8Array | null;
}

/** Keys are ours, and all of them ASCII. */
export const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 256));
