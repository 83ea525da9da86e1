import type { Arms } from "@coterie/core";
import type { Span } from "./features.ts";

/** So many menus without a difference are no accident. */
export const MENUS = 100;

/** Finds features of items that are the same for all items of every menu: they cannot change which one is chosen. */
export class Variation {
  /** Those that have never varied. */
  #steady: Span[];
  #left = MENUS;

  constructor(
    spans: readonly Span[],
    readonly dimension: number,
  ) {
    this.#steady = spans.filter(({ of }) => of === "item");
  }

  /** Looks at a menu. The names of features that have not varied in `MENUS` menus: told once, null at all other times. */
  look(arms: Arms): readonly string[] | null {
    if (this.#left === 0 || arms.count < 2) return null;
    if (this.#steady.length > 0) this.#steady = this.#steady.filter((span) => !this.#varies(arms, span));
    this.#left -= 1;
    return this.#left === 0 && this.#steady.length > 0 ? this.#steady.map(({ name }) => name) : null;
  }

  #varies({ count, values }: Arms, { from, end }: Span): boolean {
    for (let at = this.dimension; at < count * this.dimension; at += this.dimension) {
      for (let i = from; i < end; i++) if (values[at + i] !== values[i]) return true;
    }
    return false;
  }
}
