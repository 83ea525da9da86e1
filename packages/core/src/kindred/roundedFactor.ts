import { ProtocolViolation } from "../errors.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { Factor } from "../numbers/factor.ts";
import { triangleSize } from "../numbers/packed.ts";
import { quarterOctave, quarterOctavesAbove } from "../numbers/powers.ts";

/** A pivot below this share of its row's square would round to nothing: the row depends on those before it. */
const NO_PIVOT = 1e-6;
const BITS = [4, 6, 8];
/** The distortion is measured against S + this share of its mean diagonal: where S says little, others say more. */
const RIDGE = 0.25;

/**
 * The lower factor of a covariance, S ≈ L Lᵀ, in a few bits a number. Each row has a unit of its own, a power of 2^¼; its
 * diagonal is 0 to 255 of them, the others as many either way as the bits hold. Columns whose pivot vanishes are left
 * out, so that n < d observations take n columns.
 */
export class RoundedFactor {
  /** L, packed; 0 in columns without a pivot. */
  readonly lower: Float64Array;
  readonly pivots: Uint8Array;
  readonly #exact: Float64Array;
  /** Of each row: its unit is 2^(scale/4). */
  readonly #scales: Int8Array;
  #bits = 8;

  constructor(readonly dimension: number) {
    this.lower = new Float64Array(triangleSize(dimension));
    this.pivots = new Uint8Array(dimension);
    this.#exact = new Float64Array(triangleSize(dimension));
    this.#scales = new Int8Array(dimension);
  }

  /** Factors the gram of `slot`, fills y = L⁻¹v (0 without a pivot), and returns |y|². */
  decompose(slot: Float64Array, y: Float64Array): number {
    const { dimension: d, pivots } = this;
    const lower = this.#exact;
    const triangle = triangleSize(d);
    let square = 0;
    lower.fill(0);
    for (let i = 0, row = 0; i < d; row += i + 1, i++) {
      let pivot = slot[row + i]!;
      let rest = slot[triangle + i]!;
      for (let j = 0, other = 0; j < i; j++, other += j) {
        if (pivots[j] === 0) continue;
        let sum = slot[row + j]!;
        for (let k = 0; k < j; k++) sum -= lower[row + k]! * lower[other + k]!;
        sum /= lower[other + j]!;
        lower[row + j] = sum;
        pivot -= sum * sum;
        rest -= sum * y[j]!;
      }
      pivots[i] = pivot > NO_PIVOT * slot[row + i]! ? 1 : 0;
      lower[row + i] = pivots[i] === 1 ? Math.sqrt(pivot) : 0;
      y[i] = pivots[i] === 1 ? rest / lower[row + i]! : 0;
      square += y[i]! * y[i]!;
    }
    return square;
  }

  /** The factor of nothing. */
  clear(): void {
    this.#exact.fill(0);
    this.pivots.fill(0);
  }

  /** Rounds what was decomposed. */
  round(bits: number): void {
    const most = (1 << (bits - 1)) - 1;
    this.#bits = bits;
    for (let i = 0, row = 0; i < this.dimension; row += i + 1, i++) {
      let unit = this.#exact[row + i]! / 255;
      for (let j = 0; j < i; j++) unit = Math.max(unit, Math.abs(this.#exact[row + j]!) / (most + 0.5));
      this.#scales[i] = unit === 0 ? 0 : Math.max(-128, Math.min(127, quarterOctavesAbove(unit)));
      unit = quarterOctave(this.#scales[i]!);
      for (let j = 0; j < i; j++) this.lower[row + j] = clip(this.#exact[row + j]! / unit, most) * unit;
      this.lower[row + i] = clip(this.#exact[row + i]! / unit, 255) * unit;
    }
  }

  /** bits u8 | pivots, a bit each | per row: scale u8, diagonal u8 | all others, `bits` each. */
  write(out: Writer): void {
    const { dimension: d, pivots } = this;
    const packer = new Packer(out);
    out.u8(this.#bits);
    for (let i = 0; i < d; i++) packer.put(pivots[i]!, 1);
    packer.end();
    for (let i = 0; i < d; i++) {
      out.u8(this.#scales[i]! + 128);
      if (pivots[i] === 1) out.u8(this.#units(i, i));
    }
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < i; j++) {
        if (pivots[j] === 1) packer.put(this.#units(i, j) + (1 << (this.#bits - 1)), this.#bits);
      }
    }
    packer.end();
  }

  read(from: Reader, field: string): void {
    const { dimension: d, pivots } = this;
    const unpacker = new Unpacker(from, field);
    const bits = from.u8(field);
    if (!BITS.includes(bits)) throw new ProtocolViolation("out-of-range", `${field} bits`, bits, `be one of ${BITS}`);
    for (let i = 0; i < d; i++) pivots[i] = unpacker.take(1);
    unpacker.end();
    this.lower.fill(0);
    for (let i = 0; i < d; i++) {
      this.#scales[i] = from.u8(field) - 128;
      if (pivots[i] === 1) this.lower[triangleSize(i) + i] = from.u8(field) * quarterOctave(this.#scales[i]!);
    }
    for (let i = 0, row = 0; i < d; row += i + 1, i++) {
      const unit = quarterOctave(this.#scales[i]!);
      for (let j = 0; j < i; j++) {
        if (pivots[j] === 1) this.lower[row + j] = (unpacker.take(bits) - (1 << (bits - 1))) * unit;
      }
    }
    unpacker.end();
  }

  /** out = L Lᵀ, packed. */
  square(out: Float64Array): void {
    const { dimension: d, lower } = this;
    for (let i = 0, row = 0; i < d; row += i + 1, i++) {
      for (let j = 0, other = 0; j <= i; j++, other += j) {
        let sum = 0;
        for (let k = 0; k <= j; k++) sum += lower[row + k]! * lower[other + k]!;
        out[row + j] = sum;
      }
    }
  }

  #units(i: number, j: number): number {
    return Math.round(this.lower[triangleSize(i) + j]! / quarterOctave(this.#scales[i]!));
  }
}

/** ‖F⁻¹ (L Lᵀ − S) F⁻ᵀ‖² / d with F Fᵀ = S + a small ridge: the mean square error of what is said to be known, by direction. */
export function distortion(gram: Float64Array, rounded: RoundedFactor, trace: number): number {
  const d = rounded.dimension;
  const factor = new Factor(d);
  if (!factor.refactor(gram, 0, (RIDGE * trace) / d)) return Infinity;
  const error = new Float64Array(triangleSize(d));
  rounded.square(error);
  for (let k = 0; k < error.length; k++) error[k]! -= gram[k]!;
  // Rows of E F⁻ᵀ first (E is symmetric), then F⁻¹ of its columns.
  const half = Array.from({ length: d }, (_, i) => {
    const row = Float64Array.from({ length: d }, (_, j) => error[i >= j ? triangleSize(i) + j : triangleSize(j) + i]!);
    return factor.forward(row, row);
  });
  let sum = 0;
  for (let j = 0; j < d; j++) {
    const column = Float64Array.from({ length: d }, (_, i) => half[i]![j]!);
    factor.forward(column, column);
    for (let i = 0; i < d; i++) sum += column[i]! * column[i]!;
  }
  return sum / d;
}

const clip = (value: number, most: number): number => Math.max(-most, Math.min(most, Math.round(value)));

/** Numbers of a few bits behind one another, the first in the lowest bits. */
class Packer {
  #held = 0;
  #count = 0;

  constructor(readonly out: Writer) {}

  put(value: number, bits: number): void {
    this.#held |= value << this.#count;
    this.#count += bits;
    for (; this.#count >= 8; this.#count -= 8, this.#held >>>= 8) this.out.u8(this.#held & 0xff);
  }

  /** Fills the last byte. */
  end(): void {
    if (this.#count > 0) this.out.u8(this.#held);
    this.#held = 0;
    this.#count = 0;
  }
}

class Unpacker {
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

  end(): void {
    if (this.#held !== 0) throw new ProtocolViolation("out-of-range", this.field, this.#held, "have no bits left over");
    this.#count = 0;
  }
}
