import { addScaled, dotAt, packedAt, slotSize, triangleSize } from "../numbers/packed.ts";
import { quarterOctave } from "../numbers/powers.ts";
import { Columns } from "./columns.ts";
import type { Greeting } from "./greeting.ts";
import type { PeerRecord, Sums } from "./record.ts";

/** A coordinate is but rounding where it is less than this share of its vector's length. */
const ROUNDING = 1e-12;
/** What is left of a vector beyond the span, as a share of its square, that is but rounding. */
const NOTHING_NEW = 1e-20;

/**
 * All that a peer has seen of R^d, d large: an orthonormal basis q_1 … q_k that grows with what comes. Sums and means lie in it. In
 * every direction beyond it nothing was seen, and what is believed is the same; so a peer reckons in c > k coordinates,
 *
 *     x ↦ (q_1·x, …, q_k·x, 0, …, 0, |x − Σ (q_j·x) q_j|),
 *
 * of which the last stands for whatever direction x has beyond the span: xᵀA⁻¹x is what it is in R^d, in c² operations, not d². The
 * coordinates between are for directions to come. With c = d all may be in use, and none is spare.
 */
export class SeenSpan {
  /** q_j, one after another. */
  rows = new Float64Array(0);
  /** k. */
  size = 0;

  constructor(readonly whole: number) {}

  /** What is new in x = values[from .. from+d) becomes a direction. By Gram and Schmidt, twice, because rounding leaves some. */
  extend(values: Float64Array, from = 0): void {
    const { whole: d, size } = this;
    if (size === d) return;
    const rest = values.slice(from, from + d);
    const square = dotAt(rest, 0, rest, 0, d);
    for (let pass = 0; pass < 2; pass++) {
      const along = this.measure(new Float64Array(size), 0, rest, 0, size);
      for (let j = 0; j < size; j++) addScaled(rest, 0, this.rows, j * d, d, -along[j]!);
    }
    const left = dotAt(rest, 0, rest, 0, d);
    if (!(left > NOTHING_NEW * square)) return;
    if (this.rows.length < (size + 1) * d) {
      const rows = new Float64Array(Math.min(d, 2 * size + 8) * d);
      rows.set(this.rows);
      this.rows = rows;
    }
    addScaled(this.rows, size * d, rest, 0, d, 1 / Math.sqrt(left));
    this.size += 1;
  }

  /** out[at + j] = q_j·x, j < count, x = values[from .. from+d). Four at a time: no sum waits for another. */
  measure(out: Float64Array, at: number, values: Float64Array, from: number, count: number): Float64Array {
    const { whole: d, rows } = this;
    let j = 0;
    for (; j + 3 < count; j += 4) {
      const first = j * d;
      let a = 0;
      let b = 0;
      let c = 0;
      let e = 0;
      for (let i = 0; i < d; i++) {
        const x = values[from + i]!;
        a += rows[first + i]! * x;
        b += rows[first + d + i]! * x;
        c += rows[first + 2 * d + i]! * x;
        e += rows[first + 3 * d + i]! * x;
      }
      out[at + j] = a;
      out[at + j + 1] = b;
      out[at + j + 2] = c;
      out[at + j + 3] = e;
    }
    for (; j < count; j++) out[at + j] = dotAt(rows, j * d, values, from, d);
    return out;
  }

  /** The c coordinates of x = values[from .. from+d) go to out[at .. at+c). */
  place(out: Float64Array, at: number, c: number, values: Float64Array, from: number): Float64Array {
    const { whole: d } = this;
    const count = Math.min(this.size, c === d ? c : c - 1);
    out.fill(0, at + count, at + c);
    this.measure(out, at, values, from, count);
    if (count < c) {
      const rest = dotAt(values, from, values, from, d) - dotAt(out, at, out, at, count);
      out[at + c - 1] = Math.sqrt(Math.max(0, rest));
    }
    return out;
  }

  /** The vector of R^d with these coordinates, none of them spare. */
  lift(coordinates: Float64Array, from = 0): Float64Array {
    const { whole: d, rows, size } = this;
    const out = new Float64Array(d);
    for (let j = 0; j < size; j++) addScaled(out, 0, rows, j * d, d, coordinates[from + j]!);
    return out;
  }

  /** Sums in R^d of sums in c coordinates. As columns while they are few: from a sixth of the features on a slot takes less. */
  sumsOf({ slot, squares, count }: Sums): Sums {
    const { whole: d } = this;
    if (6 * this.size > d) return { slot: this.lifted(slot), squares, count };
    const c = (Math.sqrt(9 + 8 * slot.length) - 3) / 2;
    const { values, along } = Columns.of(slot, c);
    const lifted = new Float64Array(along.length * d);
    for (let k = 0; k < along.length; k++) lifted.set(this.lift(values, k * c), k * d);
    return { slot, squares, count, columns: new Columns(d, lifted, along) };
  }

  /** The same as a slot: with Q the rows q_j, QᵀS̃Q and Qᵀṽ, row by row of S̃Q. k²d + kd²/2 multiply-adds. */
  lifted(slot: Float64Array): Float64Array {
    const { whole: d, rows, size } = this;
    const c = (Math.sqrt(9 + 8 * slot.length) - 3) / 2;
    const out = new Float64Array(slotSize(d));
    const row = new Float64Array(d);
    for (let a = 0; a < size; a++) {
      row.fill(0);
      for (let b = 0; b < size; b++) addScaled(row, 0, rows, b * d, d, slot[packedAt(a, b)]!);
      for (let i = 0, at = 0; i < d; at += ++i) addScaled(out, at, row, 0, i + 1, rows[a * d + i]!);
    }
    out.set(this.lift(slot, triangleSize(c)), triangleSize(d));
    return out;
  }

  /**
   * Sums in R^d that lie in the span, in c coordinates. What is but rounding is 0: they come out the same, bit for bit, however many directions came later.
   */
  slotOf({ values, along }: Columns, c: number): Float64Array {
    const placed = new Float64Array(along.length * c);
    for (let at = 0, from = 0; at < placed.length; at += c, from += this.whole) {
      this.measure(placed, at, values, from, this.size);
      const least = ROUNDING * Math.sqrt(dotAt(placed, at, placed, at, c));
      for (let j = at; j < at + c; j++) if (Math.abs(placed[j]!) < least) placed[j] = 0;
    }
    return new Columns(c, placed, along).slot();
  }

  /** What is new in these sums in R^d becomes directions. */
  extendBy({ values }: Columns): void {
    for (let at = 0; at < values.length; at += this.whole) this.extend(values, at);
  }

  /** A greeting whose profile is told in c coordinates. */
  greeted(to: Greeting, c: number): Greeting {
    const { profile } = to;
    if (profile === null) return to;
    const told = Float64Array.from(profile.steps, (step) => step * quarterOctave(profile.scale));
    return { ...to, profile: { ...profile, steps: this.place(new Float64Array(c), 0, c, told, 0), scale: 0 } };
  }

  /** A record in c coordinates. */
  take(given: PeerRecord, c: number): PeerRecord {
    const { origin, version, era, hash, squares, count, body, signature } = given;
    const slot = this.slotOf(Columns.of(given.slot, this.whole), c);
    return { origin, version, era, hash, squares, count, body, signature, slot, given };
  }
}
