import { type Arms, ConfigError, check } from "@coterie/core";
import type { Contributions, Features } from "../features/features.ts";
import { type BadItem, ItemArms, type OnBadItem } from "../features/itemArms.ts";
import { Variation } from "../features/variation.ts";
import type { Shown } from "./log.ts";
import { manyCoordinates, sameForAll, uncrossed } from "./warnings.ts";

/** What is known of the situation: `context` must be there where the features declare one. */
export type Situation<X> = [X] extends [undefined]
  ? { readonly context?: undefined }
  : unknown extends X
    ? { readonly context?: X }
    : { readonly context: X };

/** What may be said of a menu. `T` is the type of its items, `X` that of the context. */
export type ChooseOptions<T = never, X = undefined> = Situation<X> & {
  /** True for items that must not be chosen, though they are in the list. */
  readonly exclude?: ((item: T, index: number) => boolean) | undefined;
  /** For whom it is made, such as a visitor's key; only logged. Choices of one unit are not independent. */
  readonly unit?: string | undefined;
};

/** Options as the last argument: they may be left out where they need not hold a context. */
export type Last<O, X> = [X] extends [undefined] ? [options?: O] : unknown extends X ? [options?: O] : [options: O];

/** A menu as arms, and what a log says of it. */
export interface Offered extends Shown {
  readonly arms: Arms;
  /** Of each arm, the place of its item; null where arm k is items[k]. */
  readonly places: readonly number[] | null;
}

export interface MenusConfig<I, X> {
  readonly features: Features<I, Contributions, X>;
  readonly onBadItem: OnBadItem;
  readonly onBad: (bad: BadItem) => void;
  readonly onWarning: (warning: { features: readonly string[]; message: string }) => void;
}

/** Reads menus: items become arms, and what is wrong with them is told. */
export class Menus<I, X> {
  readonly #config: MenusConfig<I, X>;
  readonly #arms: ItemArms<I, X>;
  readonly #variation: Variation;
  #first = true;

  constructor(config: MenusConfig<I, X>) {
    const { features, onBadItem, onBad } = config;
    this.#config = config;
    this.#arms = new ItemArms(features, { onBadItem, onBad });
    this.#variation = new Variation(features.spans, features.dimension);
  }

  /** What it gives is good until the next menu is read. `more`: further fields that `options` may have. */
  read<T extends I>(items: readonly T[], options: object = {}, more: readonly string[] = []): Offered {
    const { context, exclude, unit } = check.fields("options", options, ["context", "exclude", "unit", ...more]);
    if (exclude !== undefined && typeof exclude !== "function") {
      throw new ConfigError("options.exclude", exclude, "be a function of an item and its place");
    }
    const given = { context: context as X, exclude: exclude as ((item: T, index: number) => boolean) | undefined };
    const arms = this.#arms.fill(items, given);
    this.#warn(arms);
    return { arms, places: arms.places, items, unit: unit === undefined ? undefined : check.text("unit", unit) };
  }

  /** The arm of an item that the app itself chose: it must be a good one. */
  armOf(index: unknown, { arms, items }: Offered): number {
    const arm = this.#arms.armOf(check.whole("index", index, 0, items.length - 1));
    if (arm < 0) throw new ConfigError("index", index, `be that of an item that is not left out, one of ${arms.count}`);
    return arm;
  }

  #warn(arms: Arms): void {
    const { features, onWarning } = this.#config;
    if (this.#first) {
      this.#first = false;
      for (const warning of [uncrossed(features.spans), manyCoordinates(features.spans, features.dimension)]) {
        if (warning !== null) onWarning(warning);
      }
    }
    const steady = this.#variation.look(arms);
    if (steady !== null) onWarning(sameForAll(steady, features.spans));
  }
}
