import type { Random } from "@coterie/core";
import type * as parts from "@coterie/net/internal";
import type { RoomTab } from "./tab.ts";

/** Entries that a hub names at a time. */
const INTRODUCED = 12;

/** A hub as far as members see it: it names some of those whose socket is open, with the last that each said of itself. */
export class RoomHub {
  readonly #guests: RoomTab[] = [];
  readonly #places = new Map<RoomTab, number>();
  readonly #entries = new Map<RoomTab, { readonly news: parts.News; readonly at: number }>();

  constructor(
    readonly random: Random,
    readonly now: () => number,
  ) {}

  introduce(guest: RoomTab, [own]: readonly parts.News[]): parts.News[] {
    const now = this.now();
    const found = new Set<RoomTab>();
    for (let k = 0; k < INTRODUCED && this.#guests.length > 0; k++) {
      found.add(this.#guests[this.random.below(this.#guests.length)]!);
    }
    found.delete(guest);
    if (own !== undefined) this.#put(guest, own, now);
    return [...found].map((other) => {
      const { news, at } = this.#entries.get(other)!;
      return { entry: news.entry, ageMs: news.ageMs + now - at };
    });
  }

  #put(guest: RoomTab, news: parts.News, at: number): void {
    if (!this.#places.has(guest)) this.#places.set(guest, this.#guests.push(guest) - 1);
    this.#entries.set(guest, { news, at });
  }

  /** Its socket has closed. */
  delete(guest: RoomTab): void {
    const place = this.#places.get(guest);
    if (place === undefined) return;
    const last = this.#guests.pop()!;
    if (last !== guest) {
      this.#guests[place] = last;
      this.#places.set(last, place);
    }
    this.#places.delete(guest);
    this.#entries.delete(guest);
  }
}
