import type { Random } from "@coterie/core";
import type { CatalogueConfig } from "./config.ts";

/** Items that are the same for all peers and rounds; a turn shows all of them in order, or some at random. */
export class Catalogue {
  /** [item][feature]. */
  readonly items: Float64Array;
  readonly #order: Int32Array;

  constructor(
    readonly config: CatalogueConfig,
    readonly features: number,
    drawAll: (values: Float64Array, draw: Random) => void,
    random: Random,
  ) {
    const { items, vectors } = config;
    this.items = new Float64Array(items * features);
    if (vectors === "sphere") drawAll(this.items, random);
    else for (let item = 0; item < items; item++) this.items[item * features + item] = 1;
    this.#order = new Int32Array(items);
  }

  /** values = the shown items, [arm][feature]. */
  fill(values: Float64Array, draw: Random): void {
    const { show, items } = this.config;
    if (show === undefined) {
      values.set(this.items);
      return;
    }
    const order = this.#order;
    const d = this.features;
    for (let k = 0; k < items; k++) order[k] = k;
    // The first `show` of a shuffle: without replacement, in random order.
    for (let arm = 0; arm < show; arm++) {
      const pick = arm + draw.below(items - arm);
      const item = order[pick]!;
      order[pick] = order[arm]!;
      for (let i = 0; i < d; i++) values[arm * d + i] = this.items[item * d + i]!;
    }
  }
}
