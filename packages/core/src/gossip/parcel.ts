import type { Reader, Writer } from "../numbers/bytes.ts";

/** Observations on their way round the ring: each a vector, a reward and the hops it will have made on arrival. */
export class Parcel {
  #values: Float64Array;
  #length = 0;

  constructor(readonly dimension: number) {
    this.#values = new Float64Array(8 * (dimension + 2));
  }

  get length(): number {
    return this.#length;
  }

  /** The array in which vector k begins at `offset(k)`. Lent. */
  get vectors(): Float64Array {
    return this.#values;
  }

  offset(k: number): number {
    return k * (this.dimension + 2);
  }

  reward(k: number): number {
    return this.#values[this.offset(k) + this.dimension]!;
  }

  hops(k: number): number {
    return this.#values[this.offset(k) + this.dimension + 1]!;
  }

  add(vectors: Float64Array, from: number, reward: number, hops: number): void {
    const at = this.offset(this.#length);
    this.#room(at + this.dimension + 2);
    for (let i = 0; i < this.dimension; i++) this.#values[at + i] = vectors[from + i]!;
    this.#values[at + this.dimension] = reward;
    this.#values[at + this.dimension + 1] = hops;
    this.#length += 1;
  }

  clear(): void {
    this.#length = 0;
  }

  copy(): Parcel {
    const copy = new Parcel(this.dimension);
    copy.#values = this.#values.slice();
    copy.#length = this.#length;
    return copy;
  }

  write(out: Writer): void {
    out.u32(this.#length);
    out.f64s(this.#values, 0, this.offset(this.#length));
  }

  read(from: Reader): void {
    const length = from.u32("parcel");
    const numbers = this.offset(length);
    if (numbers > from.left / 8) from.need(8 * numbers, "parcel");
    this.#room(numbers);
    from.f64s("parcel", this.#values, 0, numbers);
    this.#length = length;
  }

  #room(numbers: number): void {
    if (numbers <= this.#values.length) return;
    const larger = new Float64Array(Math.max(numbers, this.#values.length * 2));
    larger.set(this.#values);
    this.#values = larger;
  }
}
