import { Random } from "@coterie/core";

/** Coordinates of the result that each entry is added to. */
const EACH = 4;

/** An entry of P that is not 0. */
export interface Summand {
  /** The entry of the long vector. */
  readonly entry: number;
  readonly factor: number;
}

/**
 * A fixed random projection P of long vectors to `to` numbers: a sparse Johnson–Lindenstrauss transform (Kane and Nelson). Each
 * entry is added to four different coordinates, with signs of its own, over √4. So lengths and products stay as they
 * are but for an error: for two unit vectors E(Px·Py) = x·y with a standard deviation of about √((1 + (x·y)²)/to).
 * The same for everybody who projects from and to the same numbers: peers can compare what they learn.
 */
export class Projection {
  /** Four for each entry; where there are not so many coordinates the rest have the factor 0. */
  readonly #places: Uint16Array;
  readonly #factors: Float64Array;
  readonly #sums: Float64Array;

  constructor(
    readonly from: number,
    readonly to: number,
  ) {
    const each = Math.min(EACH, to);
    const random = Random.seeded(0).fork("projection").fork(from).fork(to);
    this.#places = new Uint16Array(from * EACH);
    this.#factors = new Float64Array(from * EACH);
    this.#sums = new Float64Array(to);
    for (let i = 0; i < from; i++) {
      const taken = new Set<number>();
      while (taken.size < each) taken.add(random.below(to));
      let at = i * EACH;
      for (const place of taken) {
        this.#places[at] = place;
        this.#factors[at++] = (random.below(2) === 0 ? 1 : -1) / Math.sqrt(each);
      }
    }
  }

  /** P, row by row. */
  rows(): readonly (readonly Summand[])[] {
    const rows = Array.from({ length: this.to }, (): Summand[] => []);
    for (const [k, factor] of this.#factors.entries()) {
      if (factor !== 0) rows[this.#places[k]!]!.push({ entry: Math.floor(k / EACH), factor });
    }
    return rows;
  }

  /** out[at .. at + to) = P x, scaled back to the unit ball where it is longer. */
  write(out: Float64Array, at: number, x: Float64Array): void {
    const [places, factors, sums] = [this.#places, this.#factors, this.#sums];
    sums.fill(0);
    // Written out: a page waits for menus of a thousand items, and a loop over the four takes twice as long.
    for (let i = 0, k = 0; i < this.from; i++, k += EACH) {
      const value = x[i]!;
      sums[places[k]!]! += factors[k]! * value;
      sums[places[k + 1]!]! += factors[k + 1]! * value;
      sums[places[k + 2]!]! += factors[k + 2]! * value;
      sums[places[k + 3]!]! += factors[k + 3]! * value;
    }
    let square = 0;
    for (let i = 0; i < this.to; i++) square += sums[i]! * sums[i]!;
    const length = square <= 1 ? 1 : Math.sqrt(square);
    for (let i = 0; i < this.to; i++) out[at + i] = sums[i]! / length;
  }
}
