import { Random } from "@coterie/core";

/** Coordinates of the result that each entry is added to. */
const EACH = 4;

/**
 * A fixed random projection P of long vectors to `to` numbers: a sparse Johnson–Lindenstrauss transform (Kane and Nelson). Each
 * entry is added to four different coordinates, with signs of its own, over √4. So lengths and products stay as they
 * are but for an error: for two unit vectors E(Px·Py) = x·y with a standard deviation of about √((1 + (x·y)²)/to).
 * The same for everybody who projects from and to the same numbers: peers can compare what they learn.
 */
export class Projection {
  readonly #places: Uint16Array;
  readonly #signs: Float64Array;

  constructor(
    readonly from: number,
    readonly to: number,
  ) {
    const each = Math.min(EACH, to);
    const random = Random.seeded(0).fork("projection").fork(from).fork(to);
    this.#places = new Uint16Array(from * each);
    this.#signs = new Float64Array(from * each);
    for (let i = 0; i < from; i++) {
      const taken = new Set<number>();
      while (taken.size < each) taken.add(random.below(to));
      let at = i * each;
      for (const place of taken) {
        this.#places[at] = place;
        this.#signs[at++] = (random.below(2) === 0 ? 1 : -1) / Math.sqrt(each);
      }
    }
  }

  /** out[at .. at + to) = P x, scaled back to the unit ball where it is longer. */
  write(out: Float64Array, at: number, x: Float64Array): void {
    const [places, signs] = [this.#places, this.#signs];
    const each = places.length / this.from;
    out.fill(0, at, at + this.to);
    for (let i = 0, k = 0; i < this.from; i++) {
      const value = x[i]!;
      for (const end = k + each; k < end; k++) out[at + places[k]!]! += signs[k]! * value;
    }
    let square = 0;
    for (let i = at; i < at + this.to; i++) square += out[i]! * out[i]!;
    if (square <= 1) return;
    const length = Math.sqrt(square);
    for (let i = at; i < at + this.to; i++) out[i]! /= length;
  }
}
