import { ProtocolViolation } from "../errors.ts";
import type { Reader, Writer } from "./bytes.ts";

/** A code that is longer than this stands for nothing that anybody means. */
export const MOST_CODE = 1 << 20;

/** 0, −1, 1, −2, 2, … as 0, 1, 2, 3, 4, … */
export const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

const signed = (code: number): number => ((code & 1) === 1 ? -((code + 1) >> 1) : code >> 1);

/**
 * The split, 0 to `most`, with which Rice's codes of the first `count` natural numbers take fewest bits. One more bit of split takes a
 * bit more for each code and at least halves what it saves: whoever found more bits once need not look further.
 */
export function bestSplit(codes: ArrayLike<number>, most: number, count = codes.length): number {
  let best = 0;
  let least = Infinity;
  for (let split = 0; split <= most; split++) {
    let bits = count * (split + 1);
    for (let k = 0; k < count; k++) bits += codes[k]! >> split;
    if (bits > least) break;
    if (bits === least) continue;
    least = bits;
    best = split;
  }
  return best;
}

export const riceBits = (code: number, split: number): number => (code >> split) + 1 + split;

/** How many bits a number takes. */
export const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** Bits that are put at once, at most. */
const AT_ONCE = 24;

/** Numbers of a few bits behind one another, the first in the lowest bits. */
export class Packer {
  #held = 0;
  #count = 0;

  constructor(readonly out: Writer) {}

  /** At most `AT_ONCE` bits. */
  put(value: number, bits: number): void {
    this.#held |= value << this.#count;
    this.#count += bits;
    for (; this.#count >= 8; this.#count -= 8, this.#held >>>= 8) this.out.u8(this.#held & 0xff);
  }

  /** Rice's code: the lowest `split` bits, then as many ones as the rest says, and a zero. */
  natural(value: number, split: number): void {
    const ones = value >> split;
    const low = value & ((1 << split) - 1);
    if (split + ones < AT_ONCE) {
      this.put(low | (((1 << ones) - 1) << split), split + ones + 1);
      return;
    }
    this.put(low, split);
    for (let left = ones; left > 0; left--) this.put(1, 1);
    this.put(0, 1);
  }

  /** A number with a sign. */
  number(value: number, split: number): void {
    this.natural(folded(value), split);
  }

  /** Fills the last byte. */
  end(): void {
    if (this.#count > 0) this.out.u8(this.#held);
    this.#held = 0;
    this.#count = 0;
  }
}

/** What a `Packer` wrote. */
export class Unpacker {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(
    readonly from: Reader,
    readonly field: string,
  ) {
    this.#bytes = from.view(field, from.left);
  }

  /** At least 25 bits are held then, or all that there are; complains where they are less than `least`. */
  #fill(least: number): void {
    const bytes = this.#bytes;
    for (; this.#count <= 24 && this.#at < bytes.length; this.#count += 8)
      this.#held |= bytes[this.#at++]! << this.#count;
    if (this.#count < least) throw this.from.complain("truncated", this.field, "0 bytes", "have 1 more bytes");
  }

  take(bits: number): number {
    if (this.#count < bits) this.#fill(bits);
    const value = this.#held & ((1 << bits) - 1);
    this.#held >>>= bits;
    this.#count -= bits;
    return value;
  }

  natural(split: number): number {
    if (this.#count <= 24) this.#fill(0);
    const held = this.#held;
    const rest = ~(held >>> split);
    const ones = 31 - Math.clz32(rest & -rest);
    // Nearly all end within what is held.
    if (rest === 0 || split + ones >= this.#count) return this.#long(split);
    this.#held = (held >>> (split + ones)) >>> 1;
    this.#count -= split + ones + 1;
    return (held & ((1 << split) - 1)) + (ones << split);
  }

  /** The same, bit by bit. */
  #long(split: number): number {
    let code = this.take(split);
    while (this.take(1) === 1) {
      code += 1 << split;
      if (code >= MOST_CODE) throw new ProtocolViolation("out-of-range", this.field, code, `be below ${MOST_CODE}`);
    }
    return code;
  }

  number(split: number): number {
    return signed(this.natural(split));
  }

  /**
   * out[from + j] = a number times `unit`, for each j below `count` with wanted[j] = 1. Looks at many bits at once: one by one they would
   * take most of the time of an exchange of records.
   */
  numbers(out: Float64Array, from: number, count: number, wanted: Uint8Array, split: number, unit: number): void {
    const bytes = this.#bytes;
    const mask = (1 << split) - 1;
    let held = this.#held;
    let bits = this.#count;
    let at = this.#at;
    for (let j = 0; j < count; j++) {
      if (wanted[j] !== 1) continue;
      for (; bits <= 24 && at < bytes.length; bits += 8) held |= bytes[at++]! << bits;
      const rest = ~(held >>> split);
      const ones = 31 - Math.clz32(rest & -rest);
      let code = (held & mask) + (ones << split);
      // Nearly all end within what is held.
      if (rest !== 0 && split + ones < bits) {
        held = (held >>> (split + ones)) >>> 1;
        bits -= split + ones + 1;
      } else {
        this.#held = held;
        this.#count = bits;
        this.#at = at;
        code = this.#long(split);
        held = this.#held;
        bits = this.#count;
        at = this.#at;
      }
      out[from + j] = signed(code) * unit;
    }
    this.#held = held;
    this.#count = bits;
    this.#at = at;
  }

  /** What was held ahead goes back to its reader. */
  end(): void {
    const rest = this.#held & ((1 << (this.#count & 7)) - 1);
    if (rest !== 0) throw new ProtocolViolation("out-of-range", this.field, rest, "have no bits left over");
    this.from.back(this.#bytes.length - this.#at + (this.#count >> 3));
    this.#held = 0;
    this.#count = 0;
  }
}
