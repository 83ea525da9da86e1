import type { Card } from "../deck/cards.ts";

/**
 * Deals cards that have not been shown yet. When too few are left, those shown longest ago come again; so nothing is seen twice
 * within a deck, whatever the peer would like to show.
 */
export class Dealer {
  readonly #deck: readonly Card[];
  readonly #hand: number;
  /** Ids of those shown, oldest first. */
  #seen: number[];

  constructor(deck: readonly Card[], hand: number, seen: readonly number[] = []) {
    this.#deck = deck;
    this.#hand = hand;
    const known = new Set(deck.map(({ id }) => id));
    this.#seen = [...new Set(seen)].filter((id) => known.has(id));
    this.#trim();
  }

  get seen(): readonly number[] {
    return this.#seen;
  }

  /** A hand of cards; `random` gives numbers from 0 to 1. */
  deal(random: () => number): Card[] {
    const seen = new Set(this.#seen);
    const fresh = this.#deck.filter(({ id }) => !seen.has(id)).map((card) => ({ card, key: random() }));
    return fresh
      .sort((a, b) => a.key - b.key)
      .slice(0, this.#hand)
      .map(({ card }) => card);
  }

  show({ id }: Card): void {
    this.#seen = [...this.#seen.filter((other) => other !== id), id];
    this.#trim();
  }

  /** There must always be a hand to deal. */
  #trim(): void {
    this.#seen = this.#seen.slice(Math.max(0, this.#seen.length - (this.#deck.length - this.#hand)));
  }
}
