import type { Local } from "../bandit/local.ts";
import type { KnownItems } from "./catalogue.ts";

/**
 * What every peer expects of every item from its own observations: mean y·θ̂_j and reach √(yᵀA_j⁻¹y). Kept, because
 * a peer's change only with its own observations and all peers' are compared after every one.
 */
export class Sight {
  /** [item][peer] */
  readonly #means: Float64Array;
  readonly #reaches: Float64Array;
  readonly #near: Uint8Array;
  readonly #work: Float64Array;
  readonly #view = { mean: 0, reach: 0 };

  constructor(
    readonly catalogue: KnownItems,
    readonly locals: readonly Local[],
  ) {
    const { limit, dimension } = catalogue;
    this.#means = new Float64Array(limit * locals.length);
    this.#reaches = new Float64Array(limit * locals.length);
    this.#near = new Uint8Array(locals.length);
    this.#work = new Float64Array(dimension);
  }

  /** An item is new: everyone looks at it. */
  add(item: number): void {
    for (let peer = 0; peer < this.locals.length; peer++) this.#keep(peer, item);
  }

  /** A peer has observed something: it looks at every item again. */
  look(peer: number): void {
    for (let item = 0; item < this.catalogue.count; item++) this.#keep(peer, item);
  }

  /** N(x), x = values[from .. from+d): 1 for every j with |x·θ̂_i − x·θ̂_j| <= width (reach_i + reach_j). Lent. */
  neighbours(peer: number, values: Float64Array, from: number, width: number): Uint8Array {
    const { mean, reach } = { ...this.#at(peer, values, from) };
    for (let other = 0; other < this.locals.length; other++) {
      const view = this.#at(other, values, from);
      this.#near[other] = Math.abs(mean - view.mean) <= width * (reach + view.reach) ? 1 : 0;
    }
    return this.#near;
  }

  /** N(item) = near? */
  sees(peer: number, item: number, width: number, near: Uint8Array): boolean {
    const first = item * this.locals.length;
    const mean = this.#means[first + peer]!;
    const reach = this.#reaches[first + peer]!;
    for (let other = 0; other < near.length; other++) {
      const close = Math.abs(mean - this.#means[first + other]!) <= width * (reach + this.#reaches[first + other]!);
      if (close !== (near[other] === 1)) return false;
    }
    return true;
  }

  #keep(peer: number, item: number): void {
    const { mean, reach } = this.#at(peer, this.catalogue.vectors, item * this.catalogue.dimension);
    this.#means[item * this.locals.length + peer] = mean;
    this.#reaches[item * this.locals.length + peer] = reach;
  }

  #at(peer: number, values: Float64Array, from: number): { mean: number; reach: number } {
    const { ball } = this.locals[peer]!;
    this.#view.reach = Math.sqrt(ball.factor.quadratic(values, from, this.#work));
    this.#view.mean = 0;
    for (let k = 0; k < this.#work.length; k++) this.#view.mean += values[from + k]! * ball.estimate[k]!;
    return this.#view;
  }
}
