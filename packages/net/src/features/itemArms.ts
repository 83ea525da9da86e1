import { type Arms, ConfigError, check } from "@coterie/core";
import type { Features } from "./features.ts";

/** The arms of the items of a round. One per peer, filled anew each round: what it lends is good until then. */
export class ItemArms<in I> implements Arms {
  readonly #features: Features<I>;
  #values = new Float64Array(0);
  #count = 0;

  constructor(features: Features<I>) {
    this.#features = features;
  }

  /** 0 when nothing could be filled in. */
  get count(): number {
    return this.#count;
  }

  get values(): Float64Array {
    return this.#values;
  }

  /** Arm k is items[k]. Allocates only when there are more items than ever before. */
  fill<T extends I>(items: readonly T[]): this {
    this.#count = 0;
    check.list("items", items);
    if (items.length === 0) throw new ConfigError("items", items, "hold at least one item");
    const { dimension } = this.#features;
    const needed = items.length * dimension;
    if (this.#values.length < needed) this.#values = new Float64Array(Math.max(needed, 2 * this.#values.length));
    this.#features.encodeAll(items, this.#values);
    this.#count = items.length;
    return this;
  }
}
