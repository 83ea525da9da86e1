import type { Fit, Ridge } from "@coterie/core/internal";
import { type Kernels, PAGE_BYTES } from "./module.ts";

/** Bytes of `Places` (assembly/evidence.ts). */
const PLACES_BYTES = 64;

/** Where things of one dimension stand, in numbers; those of `Places` first and in its order. */
interface Layout {
  readonly mean: number;
  readonly ridge: number;
  readonly pivots: number;
  readonly overPivots: number;
  readonly sums: number;
  readonly lower: number;
  readonly reciprocal: number;
  readonly solved: number;
  readonly centre: number;
  readonly results: number;
  readonly rows: number;
  readonly inverse: number;
  readonly total: number;
  readonly bases: readonly [number, number];
  readonly others: readonly [number, number];
}

/** Kindred's evidence and inverses, two at a time. What is asked for is copied in, and copied out. */
export class EvidenceKernels {
  readonly #kernels: Kernels;
  #numbers: Float64Array;
  #dimension = 0;
  #at: Layout | null = null;
  /** Which R stands there. */
  #version = -1;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#numbers = new Float64Array(kernels.memory.buffer);
  }

  evidence(dimension: number, prior: Ridge, first: Fit, second: Fit | null, again: boolean): void {
    const at = this.#layoutOf(dimension);
    if (!again) this.#prepare(at, prior);
    if (second === null) {
      this.#one(at, first);
      return;
    }
    this.#mix(at, first, second, again);
    const centred = first.centre !== null || second.centre !== null;
    this.#kernels.evidencePair(0, centred ? 1 : 0);
    this.#read(at, first, 0);
    this.#read(at, second, 1);
  }

  #prepare(at: Layout, { ridge, pivots, overPivots, mean, version }: Ridge): void {
    const numbers = this.#numbers;
    if (version !== this.#version) {
      numbers.set(ridge, at.ridge);
      numbers.set(pivots, at.pivots);
      numbers.set(overPivots, at.overPivots);
      this.#version = version;
    }
    numbers.set(mean, at.mean);
  }

  addInverses(
    dimension: number,
    sum: Float64Array,
    solved: Float64Array,
    records: readonly { readonly slot: Float64Array }[],
    ridge: Float64Array,
    mean: Float64Array | null,
    scale: number,
  ): number {
    const at = this.#layoutOf(dimension);
    const [numbers, kernels] = [this.#numbers, this.#kernels];
    const triangle = ridge.length;
    numbers.set(ridge, at.ridge);
    this.#version = -1;
    if (mean !== null) numbers.set(mean, at.mean);
    numbers.set(sum.length === triangle ? sum : sum.subarray(0, triangle), at.total);
    let used = 0;
    for (let k = 0; k < records.length; k += 2) {
      const both = k + 1 < records.length;
      numbers.set(records[k]!.slot, at.bases[0]);
      if (both) numbers.set(records[k + 1]!.slot, at.bases[1]);
      const second = both ? at.bases[1] : at.bases[0];
      kernels.mixPair(0, 8 * at.bases[0], 0, 1, 8 * second, 0, 1);
      const bad = kernels.inversePair(0, both ? 1 : 0, mean === null ? 0 : 1, scale);
      for (let lane = 0; lane < (both ? 2 : 1); lane++) {
        if ((bad & (1 << lane)) !== 0) continue;
        for (let i = 0, to = used * dimension; i < dimension; i++) solved[to + i] = numbers[at.centre + 2 * i + lane]!;
        used += 1;
      }
    }
    for (let k = 0; k < triangle; k++) sum[k] = numbers[at.total + k]!;
    return used;
  }

  energies(
    dimension: number,
    values: Float64Array,
    offsets: readonly [number, number],
    ridges: readonly [number, number],
    out: Float64Array,
  ): boolean {
    const at = this.#layoutOf(dimension);
    const numbers = this.#numbers;
    const triangle = (dimension * (dimension + 1)) / 2;
    // The ridge stands in the sums, because each has another one.
    this.#version = -1;
    numbers.fill(0, at.ridge, at.ridge + triangle);
    for (let lane = 0; lane < 2; lane++) {
      const base = at.bases[lane]!;
      numbers.set(values.subarray(offsets[lane]!, offsets[lane]! + triangle + dimension), base);
      for (let i = 0, k = base; i < dimension; k += ++i + 1) numbers[k]! += ridges[lane]!;
    }
    this.#kernels.mixPair(0, 8 * at.bases[0], 0, 1, 8 * at.bases[1], 0, 1);
    if (this.#kernels.solvePair(0) !== 0) return false;
    out.fill(0);
    for (let k = 0; k < 2 * dimension; k++) out[k & 1]! += numbers[at.solved + k]! * numbers[at.solved + k]!;
    return true;
  }

  #one(at: Layout, fit: Fit): void {
    const numbers = this.#numbers;
    const { base, other, centre } = fit;
    if (base !== null) numbers.set(base, at.bases[0]);
    if (other !== null) numbers.set(other, at.others[0]);
    const from = base === null ? 0 : 8 * at.bases[0];
    this.#kernels.evidenceOne(0, from, other === null ? 0 : 8 * at.others[0], fit.scale, centre === null ? 0 : 1);
    fit.explained = numbers[at.results]!;
    fit.logDeterminant = numbers[at.results + 2]!;
    if (centre === null) return;
    if (fit.logDeterminant === Infinity) centre.fill(0);
    else for (let i = 0; i < centre.length; i++) centre[i] = numbers[at.centre + i]!;
  }

  refactor(
    dimension: number,
    gram: Float64Array,
    offset: number,
    ridge: number,
    lower: Float64Array,
    reciprocal: Float64Array,
  ): boolean {
    const at = this.#layoutOf(dimension);
    const numbers = this.#numbers;
    const triangle = lower.length;
    numbers.set(gram.subarray(offset, offset + triangle), at.lower);
    for (let i = 0, k = at.lower; i < dimension; k += ++i + 1) numbers[k]! += ridge;
    if (this.#kernels.factorOne(0) === 0) return false;
    lower.set(numbers.subarray(at.lower, at.lower + triangle));
    reciprocal.set(numbers.subarray(at.reciprocal, at.reciprocal + dimension));
    return true;
  }

  invert(dimension: number, lower: Float64Array, reciprocal: Float64Array, out: Float64Array): void {
    const at = this.#take(dimension, lower, reciprocal);
    this.#kernels.invertOne(0);
    out.set(this.#numbers.subarray(at.inverse, at.inverse + out.length));
  }

  inverseTrace(dimension: number, lower: Float64Array, reciprocal: Float64Array): number {
    const at = this.#take(dimension, lower, reciprocal);
    this.#kernels.invertLowerOne(0);
    const squares = new Float64Array(dimension);
    // Rows of whole blocks of eight.
    const stride = 8 * Math.ceil(dimension / 8);
    for (let i = 0, row = at.rows; i < dimension; i++, row += stride) {
      for (let j = 0; j <= i; j++) squares[j]! += this.#numbers[row + j]! * this.#numbers[row + j]!;
    }
    return squares.reduce((sum, square) => sum + square, 0);
  }

  square(dimension: number, sums: Float64Array): void {
    const at = this.#layoutOf(dimension);
    const numbers = this.#numbers;
    numbers.set(sums, at.lower);
    numbers.copyWithin(at.solved, at.lower + sums.length - dimension, at.lower + sums.length);
    this.#kernels.squareOne(0);
    sums.set(numbers.subarray(at.sums, at.sums + sums.length));
  }

  #take(dimension: number, lower: Float64Array, reciprocal: Float64Array): Layout {
    const at = this.#layoutOf(dimension);
    const numbers = this.#numbers;
    numbers.set(lower, at.lower);
    numbers.set(reciprocal, at.reciprocal);
    return at;
  }

  #mix(at: Layout, first: Fit, second: Fit, again: boolean): void {
    const numbers = this.#numbers;
    let baseA = 0;
    let baseB = 0;
    let otherA = 0;
    let otherB = 0;
    if (first.base !== null) {
      numbers.set(first.base, at.bases[0]);
      numbers.set(second.base!, at.bases[1]);
      baseA = at.bases[0];
      baseB = at.bases[1];
    }
    if (first.other !== null) {
      const shared = first.other === second.other;
      if (!shared || !again) numbers.set(first.other, at.others[0]);
      if (!shared) numbers.set(second.other!, at.others[1]);
      otherA = at.others[0];
      otherB = shared ? otherA : at.others[1];
    }
    this.#kernels.mixPair(0, 8 * baseA, 8 * otherA, first.scale, 8 * baseB, 8 * otherB, second.scale);
  }

  #read(at: Layout, fit: Fit, lane: number): void {
    const numbers = this.#numbers;
    fit.explained = numbers[at.results + lane]!;
    fit.logDeterminant = numbers[at.results + 2 + lane]!;
    const { centre } = fit;
    if (centre === null) return;
    if (fit.logDeterminant === Infinity) centre.fill(0);
    else for (let i = 0; i < centre.length; i++) centre[i] = numbers[at.centre + 2 * i + lane]!;
  }

  #layoutOf(dimension: number): Layout {
    return this.#at === null || dimension !== this.#dimension ? this.#arrange(dimension) : this.#at;
  }

  /** Makes room for another dimension. */
  #arrange(d: number): Layout {
    const triangle = (d * (d + 1)) / 2;
    // One more than the sums have where their count is odd: they are read in twos.
    const slot = triangle + d + 1;
    const row = rowOf(d);
    let end = PLACES_BYTES / 8;
    const take = (numbers: number): number => {
      const from = end;
      end += numbers + (numbers & 1);
      return from;
    };
    const at: Layout = {
      mean: take(d),
      ridge: take(triangle),
      pivots: take(d),
      overPivots: take(d),
      sums: take(2 * slot),
      lower: take(2 * triangle),
      reciprocal: take(2 * d),
      solved: take(2 * d),
      centre: take(2 * d),
      results: take(4),
      rows: take(2 * d * row),
      inverse: take(2 * triangle),
      total: take(triangle),
      bases: [take(slot), take(slot)],
      others: [take(slot), take(slot)],
    };
    const missing = 8 * end - this.#kernels.memory.buffer.byteLength;
    if (missing > 0) this.#kernels.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Float64Array(this.#kernels.memory.buffer);
    const { mean, ridge, pivots, overPivots, sums, lower, reciprocal, solved, centre, results, rows } = at;
    const before = [mean, ridge, pivots, overPivots, sums, lower, reciprocal, solved, centre, results, rows].map(
      (place) => 8 * place,
    );
    new Uint32Array(this.#kernels.memory.buffer).set([d, ...before, 16 * row, 8 * at.inverse, 8 * at.total]);
    this.#at = at;
    this.#dimension = d;
    this.#version = -1;
    return at;
  }
}

/** Rows of L⁻¹ have whole blocks of four. */
const rowOf = (d: number): number => 4 * Math.ceil(d / 4);
