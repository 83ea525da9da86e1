import { type Arms, ConfigError, check } from "@coterie/core";
import type { Contributions, Features } from "./features.ts";
import { Variation } from "./variation.ts";
import { manyCoordinates, sameForAll, uncrossed, type Warning } from "./warnings.ts";

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

export interface MenuConfig {
  readonly onBadItem?: OnBadItem;
  /** Hears of each item that is left out because it is bad. */
  readonly onBad?: (bad: BadItem) => void;
  /** Hears of what is surely not meant. */
  readonly onWarning?: (warning: Warning) => void;
}

/** Items as arms, and for whom they are. */
export interface Offered {
  readonly arms: Arms;
  /** Of each arm, the place of its item; null where arm k is items[k]. */
  readonly places: readonly number[] | null;
  readonly items: readonly unknown[];
  readonly unit?: string | undefined;
}

type Exclude<T> = ((item: T, index: number) => boolean) | undefined;

/** Items become arms. One per peer, read anew for each menu: what it lends is good until then. */
export class Menu<in I, in X = undefined> implements Arms {
  readonly #features: Features<I, Contributions, X>;
  readonly #skips: boolean;
  readonly #onBad: (bad: BadItem) => void;
  readonly #onWarning: (warning: Warning) => void;
  readonly #variation: Variation;
  #first = true;
  values = new Float64Array(0);
  /** 0 when nothing could be filled in. */
  count = 0;
  /** Of each arm, the place of its item; null where arm k is items[k]. */
  places: readonly number[] | null = null;

  constructor(
    features: Features<I, Contributions, X>,
    { onBadItem = "error", onBad = () => {}, onWarning = () => {} }: MenuConfig = {},
  ) {
    this.#features = features;
    this.#skips = onBadItem === "skip";
    this.#onBad = onBad;
    this.#onWarning = onWarning;
    this.#variation = new Variation(features.spans, features.dimension);
  }

  /** The arm of items[index] that the app itself chose: it must be one that is not left out. */
  armOf(index: unknown, items: readonly unknown[]): number {
    const place = check.whole("index", index, 0, items.length - 1);
    const arm = this.places === null ? place : this.places.indexOf(place);
    if (arm >= 0) return arm;
    throw new ConfigError("index", index, `be that of an item that is not left out, one of ${this.count}`);
  }

  /** Allocates only when there are more items than ever before, or when some are left out. `more`: further fields of `options`. */
  read<T extends I>(items: readonly T[], options: object = {}, more: readonly string[] = []): Offered {
    const { context, exclude, unit } = check.fields("options", options, ["context", "exclude", "unit", ...more]);
    if (exclude !== undefined && typeof exclude !== "function") {
      throw new ConfigError("options.exclude", exclude, "be a function of an item and its place");
    }
    this.#fill(items, context as X | undefined, exclude as Exclude<T>);
    this.#warn();
    return { arms: this, places: this.places, items, unit: unit === undefined ? undefined : check.text("unit", unit) };
  }

  #fill<T extends I>(items: readonly T[], context: X | undefined, exclude: Exclude<T>): void {
    this.count = 0;
    this.places = null;
    check.list("items", items);
    if (items.length === 0) throw new ConfigError("items", items, "hold at least one item");
    const offered = exclude === undefined ? items : this.#offer(items, exclude);
    const { dimension } = this.#features;
    const needed = offered.length * dimension;
    if (this.values.length < needed) this.values = new Float64Array(Math.max(needed, 2 * this.values.length));
    this.#encode(items, offered, context);
  }

  #warn(): void {
    const { spans, dimension } = this.#features;
    if (this.#first) {
      this.#first = false;
      for (const warning of [uncrossed(spans), manyCoordinates(spans, dimension)]) {
        if (warning !== null) this.#onWarning(warning);
      }
    }
    const steady = this.#variation.look(this);
    if (steady !== null) this.#onWarning(sameForAll(steady, spans));
  }

  #offer<T extends I>(items: readonly T[], exclude: (item: T, index: number) => boolean): T[] {
    const places = items.flatMap((item, index) => (exclude(item, index) ? [] : [index]));
    if (places.length === 0) throw new ConfigError("exclude", `all ${items.length} items`, "leave at least one item");
    if (places.length < items.length) this.places = places;
    return places.map((index) => items[index]);
  }

  #encode<T extends I>(items: readonly T[], offered: readonly T[], context: X | undefined): void {
    try {
      this.#features.encodeAll(offered, this.values, 0, context);
      this.count = offered.length;
    } catch (error) {
      if (!(error instanceof ConfigError) || !error.field.startsWith("items[")) throw error;
      if (!this.#skips) throw this.#placed(error, this.places ?? []);
      this.#encodeGood(items, context);
    }
  }

  /** One by one, because somebody's item is bad. Throws where no item is good. */
  #encodeGood<T extends I>(items: readonly T[], context: X | undefined): void {
    const { dimension } = this.#features;
    const places: number[] = [];
    let first: ConfigError | null = null;
    for (const index of this.places ?? items.keys()) {
      try {
        this.#features.encode(items[index], this.values, places.length * dimension, context);
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
    this.places = places;
    this.count = places.length;
  }

  /** The error with the item's place in the caller's own list. */
  #placed(error: ConfigError, places: readonly number[]): ConfigError {
    if (places.length === 0) return error;
    const field = error.field.replace(/^items\[(\d+)\]/, (_, arm: string) => `items[${places[Number(arm)]}]`);
    return new ConfigError(field, error.value, error.bound);
  }
}
