/**
 * The items that a centre tells apart: the first `limit` different vectors it is shown. A vector that comes later
 * counts as the item nearest to it (Euclidean; ties go to the lowest index).
 */
export class KnownItems {
  /** [item][feature] */
  readonly vectors: Float64Array;
  count = 0;

  constructor(
    readonly limit: number,
    readonly dimension: number,
  ) {
    this.vectors = new Float64Array(limit * dimension);
  }

  /** The item nearest to x = values[from .. from+d) and the squared distance; item -1 while there is none. */
  nearest(values: Float64Array, from: number): { item: number; square: number } {
    const { dimension: d, vectors } = this;
    let item = -1;
    let least = Infinity;
    for (let other = 0; other < this.count; other++) {
      let square = 0;
      for (let k = 0, at = other * d; k < d && square < least; k++, at++) {
        square += (values[from + k]! - vectors[at]!) * (values[from + k]! - vectors[at]!);
      }
      if (square >= least) continue;
      least = square;
      item = other;
    }
    return { item, square: least };
  }

  /** x becomes an item. Returns its index. */
  add(values: Float64Array, from: number): number {
    const { dimension: d } = this;
    for (let k = 0; k < d; k++) this.vectors[this.count * d + k] = values[from + k]!;
    return this.count++;
  }
}
