import { type Arms, ConfigError, check } from "@coterie/core";
import type { Contributions, Features } from "./features.ts";

/** What becomes of a menu with an item that cannot be encoded: refused, or the item is left out. */
export type OnBadItem = "error" | "skip";

/** An item that was left out, and why. */
export interface BadItem {
  /** Its place in the list that was offered. */
  readonly index: number;
  /** Such as `items[3].topic`. */
  readonly field: string;
  readonly value: unknown;
  /** As the end of "must …". */
  readonly bound: string;
  /** All of it as a sentence. */
  readonly message: string;
}

/** How a menu is read. */
export interface MenuOptions<in T, out X> {
  readonly context?: X | undefined;
  /** True for items that must not be chosen. */
  readonly exclude?: ((item: T, index: number) => boolean) | undefined;
}

export interface ItemArmsOptions {
  readonly onBadItem?: OnBadItem;
  /** Hears of each item that is left out because it is bad. */
  readonly onBad?: (bad: BadItem) => void;
}

/** The arms of the items of a menu. One per peer, filled anew for each menu: what it lends is good until then. */
export class ItemArms<in I, in X = undefined> implements Arms {
  readonly #features: Features<I, Contributions, X>;
  readonly #skips: boolean;
  readonly #onBad: (bad: BadItem) => void;
  #values = new Float64Array(0);
  #count = 0;
  #places: readonly number[] | null = null;

  constructor(
    features: Features<I, Contributions, X>,
    { onBadItem = "error", onBad = () => {} }: ItemArmsOptions = {},
  ) {
    this.#features = features;
    this.#skips = onBadItem === "skip";
    this.#onBad = onBad;
  }

  /** 0 when nothing could be filled in. */
  get count(): number {
    return this.#count;
  }

  get values(): Float64Array {
    return this.#values;
  }

  /** Of each arm, the place of its item; null where arm k is items[k]. */
  get places(): readonly number[] | null {
    return this.#places;
  }

  /** The arm of items[index]; -1 where that item was left out. */
  armOf(index: number): number {
    return this.#places === null ? index : this.#places.indexOf(index);
  }

  /** Allocates only when there are more items than ever before, or when some are left out. */
  fill<T extends I>(items: readonly T[], { context, exclude }: MenuOptions<T, X> = {}): this {
    this.#count = 0;
    this.#places = null;
    check.list("items", items);
    if (items.length === 0) throw new ConfigError("items", items, "hold at least one item");
    const offered = exclude === undefined ? items : this.#offer(items, exclude);
    const { dimension } = this.#features;
    const needed = offered.length * dimension;
    if (this.#values.length < needed) this.#values = new Float64Array(Math.max(needed, 2 * this.#values.length));
    this.#encode(items, offered, context);
    return this;
  }

  #offer<T extends I>(items: readonly T[], exclude: (item: T, index: number) => boolean): T[] {
    const places = items.flatMap((item, index) => (exclude(item, index) ? [] : [index]));
    if (places.length === 0) throw new ConfigError("exclude", `all ${items.length} items`, "leave at least one item");
    if (places.length < items.length) this.#places = places;
    return places.map((index) => items[index]);
  }

  #encode<T extends I>(items: readonly T[], offered: readonly T[], context: X | undefined): void {
    try {
      this.#features.encodeAll(offered, this.#values, 0, context);
      this.#count = offered.length;
    } catch (error) {
      if (!(error instanceof ConfigError) || !error.field.startsWith("items[")) throw error;
      if (!this.#skips) throw this.#placed(error, this.#places ?? []);
      this.#encodeGood(items, context);
    }
  }

  /** One by one, because somebody's item is bad. Throws where no item is good. */
  #encodeGood<T extends I>(items: readonly T[], context: X | undefined): void {
    const { dimension } = this.#features;
    const places: number[] = [];
    let first: ConfigError | null = null;
    for (const index of this.#places ?? items.keys()) {
      try {
        this.#features.encode(items[index], this.#values, places.length * dimension, context);
        places.push(index);
      } catch (error) {
        if (!(error instanceof ConfigError) || !error.field.startsWith("item")) throw error;
        const bad = new ConfigError(error.field.replace(/^item/, `items[${index}]`), error.value, error.bound);
        first ??= bad;
        const { field, value, bound, message } = bad;
        this.#onBad({ index, field, value, bound, message });
      }
    }
    if (first !== null && places.length === 0) throw first;
    this.#places = places;
    this.#count = places.length;
  }

  /** The error with the item's place in the caller's own list. */
  #placed(error: ConfigError, places: readonly number[]): ConfigError {
    if (places.length === 0) return error;
    const field = error.field.replace(/^items\[(\d+)\]/, (_, arm: string) => `items[${places[Number(arm)]}]`);
    return new ConfigError(field, error.value, error.bound);
  }
}
