import { InvariantError, within } from "../errors.ts";
import { bestSplit, bitsOf, folded, MOST_CODE, type Packer, type Unpacker } from "../numbers/bits.ts";
import { Factor } from "../numbers/factor.ts";
import { triangleSize } from "../numbers/packed.ts";
import { quarterOctave, quarterOctavesAbove } from "../numbers/powers.ts";

/** A pivot below this share of its row's square would round to nothing: the row depends on those before it. */
const NO_PIVOT = 1e-6;
/** Errors are weighed against S + this share of its mean diagonal: where S says less, others say more. */
const RIDGE = 0.01;
/** A unit is this share of its row's pivot; with many features less, so that S is off as little in each direction. */
const unitShare = (dimension: number): number => Math.min(0.15, 0.75 / Math.sqrt(dimension));
/** A row's numbers are split at this many bits at most. */
const MOST_SPLIT = 12;
/** More units than any honest row holds: entries are at most √(d/RIDGE) pivots long. */
const MOST_UNITS = MOST_CODE / 2 - 1;

/**
 * The lower factor of a covariance, S ≈ L Lᵀ, in a few bits a number. Each row has a unit of its own, a power of 2^¼, in
 * proportion to how much is new in it: its pivot. So a row that hardly differs from those before it is written finely,
 * and what is known of that difference is not drowned by the rounding of what they share. Columns whose pivot vanishes
 * are left out, so that n < d observations take n columns.
 *
 * With E the error of L and F Fᵀ = S + ridge, S is off by F(Gᵀ + G)Fᵀ or less to first order, G = F⁻¹E. Each column of L is rounded
 * from the top, every number after what the errors above it have done to it, so that each number of G is within half a unit of
 * its row over that row's pivot.
 */
export class RoundedFactor {
  /** L, packed; 0 in columns without a pivot. */
  readonly lower: Float64Array;
  readonly pivots: Uint8Array;
  readonly #exact: Float64Array;
  /** L in units of its rows. */
  readonly #units: Int32Array;
  /** Of each row: its unit is 2^(scale/4). */
  readonly #scales: Int8Array;
  /** Of one row. */
  readonly #codes: Int32Array;
  /** F, and a column of G. */
  readonly #ridged: Factor;
  readonly #off: Float64Array;

  constructor(readonly dimension: number) {
    this.lower = new Float64Array(triangleSize(dimension));
    this.pivots = new Uint8Array(dimension);
    this.#exact = new Float64Array(triangleSize(dimension));
    this.#units = new Int32Array(triangleSize(dimension));
    this.#scales = new Int8Array(dimension);
    this.#codes = new Int32Array(dimension);
    this.#ridged = new Factor(dimension);
    this.#off = new Float64Array(dimension);
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
    this.lower.fill(0);
    this.pivots.fill(0);
    this.#scales.fill(0);
    this.#units.fill(0);
  }

  /** Rounds what was decomposed of `slot`, whose gram has this trace. */
  round(slot: Float64Array, trace: number): void {
    const { dimension: d, lower } = this;
    const factor = this.#ridged;
    if (!factor.refactor(slot, 0, (RIDGE * trace) / d)) throw new InvariantError("a gram with a ridge has a factor");
    const share = unitShare(d);
    for (let i = 0, row = 0; i < d; i++, row += i) {
      const quarters = quarterOctavesAbove(share * factor.lower[row + i]!);
      this.#scales[i] = Math.max(-128, Math.min(127, quarters));
    }
    lower.fill(0);
    this.#units.fill(0);
    for (let j = 0; j < d; j++) if (this.pivots[j] === 1) this.#roundColumn(j, factor, this.#off);
  }

  /** Fills `off` with column j of G on the way. */
  #roundColumn(j: number, factor: Factor, off: Float64Array): void {
    const { dimension: d, lower } = this;
    const [exact, units, scales, errors] = [this.#exact, this.#units, this.#scales, factor.lower];
    let [least, most] = [0, mostOnDiagonal(d)];
    for (let i = j, row = triangleSize(j); i < d; i++, row += i) {
      let wanted = exact[row + j]!;
      for (let k = j; k < i; k++) wanted += errors[row + k]! * off[k]!;
      const unit = unitOf(scales[i]!);
      const rounded = Math.max(least, Math.min(most, Math.round(wanted / unit)));
      units[row + j] = rounded;
      lower[row + j] = rounded * unit;
      off[i] = (rounded * unit - wanted) * factor.reciprocal[i]!;
      // All but the diagonal have a sign.
      [least, most] = [-MOST_UNITS, MOST_UNITS];
    }
  }

  /**
   * Pivots, a bit each; then row by row: by how much scale and split differ from those of the row before, the numbers left
   * of the diagonal, the diagonal.
   */
  write(packer: Packer): void {
    const { dimension: d, pivots } = this;
    const diagonalBits = bitsOf(mostOnDiagonal(d));
    for (let i = 0; i < d; i++) packer.put(pivots[i]!, 1);
    for (let i = 0, row = 0, scale = 0, split = 0; i < d; i++, row += i) {
      packer.number(this.#scales[i]! - scale, 1);
      scale = this.#scales[i]!;
      const next = this.#split(i);
      packer.number(next - split, 0);
      split = next;
      for (let j = 0; j < i; j++) if (pivots[j] === 1) packer.number(this.#units[row + j]!, split);
      if (pivots[i] === 1) packer.put(this.#units[row + i]!, diagonalBits);
    }
  }

  /** LᵀL, packed. Columns without a pivot add nothing. */
  squareOfColumns(): Float64Array {
    const { dimension: d, lower, pivots } = this;
    const out = new Float64Array(triangleSize(d));
    for (let k = 0, row = 0; k < d; k++, row += k) {
      for (let i = 0, at = 0; i <= k; i++, at += i) {
        if (pivots[i] === 0) continue;
        const entry = lower[row + i]!;
        for (let j = 0; j <= i; j++) out[at + j]! += entry * lower[row + j]!;
      }
    }
    return out;
  }

  /** The split with which row i takes fewest bits. */
  #split(i: number): number {
    const row = triangleSize(i);
    const codes = this.#codes;
    let count = 0;
    for (let j = 0; j < i; j++) if (this.pivots[j] === 1) codes[count++] = folded(this.#units[row + j]!);
    return bestSplit(codes, MOST_SPLIT, count);
  }
}

/** A pivot of S is at most that of S + ridge, so many units. */
const mostOnDiagonal = (dimension: number): number => Math.ceil(1 / unitShare(dimension));

/** 2^(scale/4) of every scale, from −128. */
const UNITS = Float64Array.from({ length: 256 }, (_, k) => quarterOctave(k - 128));

const unitOf = (scale: number): number => UNITS[scale + 128]!;

/** Bits that an unpacker gives at once. */
const AT_ONCE = 24;

/** Fills `lower`, all zeros, with what `write` wrote, and `pivots`. */
export function readFactor(unpacker: Unpacker, lower: Float64Array, pivots: Uint8Array): void {
  const { field } = unpacker;
  const { length: d } = pivots;
  const diagonalBits = bitsOf(mostOnDiagonal(d));
  const scaled = (): string => `${field} scale`;
  const divided = (): string => `${field} split`;
  for (let i = 0; i < d; i += AT_ONCE) {
    const bits = Math.min(AT_ONCE, d - i);
    const held = unpacker.take(bits);
    for (let k = 0; k < bits; k++) pivots[i + k] = (held >>> k) & 1;
  }
  for (let i = 0, row = 0, scale = 0, split = 0; i < d; i++, row += i) {
    scale = within(scaled, scale + unpacker.number(1), -128, 127);
    split = within(divided, split + unpacker.number(0), 0, MOST_SPLIT);
    const unit = unitOf(scale);
    unpacker.numbers(lower, row, i, pivots, split, unit);
    if (pivots[i] === 1) lower[row + i] = unpacker.take(diagonalBits) * unit;
  }
}
