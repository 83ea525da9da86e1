import type { Arms, Random } from "@coterie/core";
import type { DatasetCatalogue } from "../data/catalogue.ts";

/** What the peers of a dataset are offered: the vectors of the items, and whether each item is the peer's own. */
export abstract class Offers {
  readonly peers: number;
  readonly dimension: number;
  readonly clusters = null;
  readonly knowsMeans = false;
  readonly #catalogue: DatasetCatalogue;
  /** The items of one offer, [arm]; used again for every peer. */
  readonly #items: Int32Array;
  /** [peer]: the vectors of its arms, arms × dimension. */
  readonly #arms: readonly Arms[];
  /** [peer][arm]: 1 for an item of the peer's own. */
  readonly #own: Uint8Array;
  /** Per peer one bit an item: is it its own? */
  readonly #liked: readonly Uint8Array[];

  constructor(catalogue: DatasetCatalogue, arms: number) {
    this.peers = catalogue.peers.length;
    this.dimension = catalogue.dimension;
    this.#catalogue = catalogue;
    this.#items = new Int32Array(arms);
    this.#arms = catalogue.peers.map(() => ({ count: arms, values: new Float64Array(arms * catalogue.dimension) }));
    this.#own = new Uint8Array(catalogue.peers.length * arms);
    this.#liked = catalogue.peers.map(({ items }) => {
      const bits = new Uint8Array((catalogue.itemCount + 7) >> 3);
      for (const item of items) bits[item >> 3]! |= 1 << (item & 7);
      return bits;
    });
  }

  arms(peer: number): Arms {
    return this.#arms[peer]!;
  }

  /** 1 for any item of the peer's own, else 0. */
  pay(peer: number, arm: number): number {
    return this.#own[peer * this.#items.length + arm]!;
  }

  mean(): number {
    return 0;
  }

  bestMean(): number {
    return 0;
  }

  /** Offers a peer the item `own` and arms − 1 of the catalogue, with replacement, in random order. */
  protected offer(peer: number, own: number, random: Random): void {
    const { features, itemCount, dimension: d } = this.#catalogue;
    const items = this.#items;
    items[0] = own;
    for (let arm = 1; arm < items.length; arm++) items[arm] = random.below(itemCount);
    random.shuffle(items);
    const { values } = this.#arms[peer]!;
    const liked = this.#liked[peer]!;
    for (let arm = 0; arm < items.length; arm++) {
      const item = items[arm]!;
      for (let i = 0; i < d; i++) values[arm * d + i] = features[item * d + i]!;
      this.#own[peer * items.length + arm] = (liked[item >> 3]! >> (item & 7)) & 1;
    }
  }
}
