import { ProtocolViolation } from "../errors.ts";
import type { Reader, Writer } from "./bytes.ts";

/** A code that is longer than this stands for nothing that anybody means. */
export const MOST_CODE = 1 << 20;

/** 0, −1, 1, −2, 2, … as 0, 1, 2, 3, 4, … */
export const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** The split, 0 to `most`, with which Rice's codes of natural numbers take fewest bits. */
export function bestSplit(codes: readonly number[], most: number): number {
  let best = 0;
  let least = Infinity;
  for (let split = 0; split <= most; split++) {
    let bits = 0;
    for (const code of codes) bits += riceBits(code, split);
    if (bits >= least) continue;
    least = bits;
    best = split;
  }
  return best;
}

export const riceBits = (code: number, split: number): number => (code >> split) + 1 + split;

/** How many bits a number takes. */
export const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** Numbers of a few bits behind one another, the first in the lowest bits. */
export class Packer {
  #held = 0;
  #count = 0;

  constructor(readonly out: Writer) {}

  /** At most 24 bits. */
  put(value: number, bits: number): void {
    this.#held |= value << this.#count;
    this.#count += bits;
    for (; this.#count >= 8; this.#count -= 8, this.#held >>>= 8) this.out.u8(this.#held & 0xff);
  }

  /** Rice's code: the lowest `split` bits, then as many ones as the rest says, and a zero. */
  natural(value: number, split: number): void {
    this.put(value & ((1 << split) - 1), split);
    for (let left = value >> split; left > 0; left--) this.put(1, 1);
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
  #held = 0;
  #count = 0;

  constructor(
    readonly from: Reader,
    readonly field: string,
  ) {}

  take(bits: number): number {
    for (; this.#count < bits; this.#count += 8) this.#held |= this.from.u8(this.field) << this.#count;
    const value = this.#held & ((1 << bits) - 1);
    this.#held >>>= bits;
    this.#count -= bits;
    return value;
  }

  natural(split: number): number {
    let code = this.take(split);
    while (this.take(1) === 1) {
      code += 1 << split;
      if (code >= MOST_CODE) throw new ProtocolViolation("out-of-range", this.field, code, `be below ${MOST_CODE}`);
    }
    return code;
  }

  number(split: number): number {
    const code = this.natural(split);
    return (code & 1) === 1 ? -((code + 1) >> 1) : code >> 1;
  }

  end(): void {
    if (this.#held !== 0) throw new ProtocolViolation("out-of-range", this.field, this.#held, "have no bits left over");
    this.#count = 0;
  }
}
