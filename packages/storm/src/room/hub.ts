import type { Random } from "@coterie/core";
import type * as parts from "@coterie/net/internal";
import type { Member } from "./member.ts";

/** Entries that a hub names at a time. */
const INTRODUCED = 12;

/** A hub as far as members see it: it names some of those whose socket is open, with the last that each said of itself. */
export class RoomHub {
  readonly #guests: Member[] = [];
  readonly #places = new Map<Member, number>();
  readonly #entries = new Map<Member, { readonly news: parts.News; readonly at: number }>();

  constructor(
    readonly random: Random,
    readonly now: () => number,
  ) {}

  introduce(guest: Member, [own]: readonly parts.News[]): parts.News[] {
    const now = this.now();
    const found = new Set<Member>();
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

  #put(guest: Member, news: parts.News, at: number): void {
    if (!this.#places.has(guest)) this.#places.set(guest, this.#guests.push(guest) - 1);
    this.#entries.set(guest, { news, at });
  }

  /** Its socket has closed. */
  delete(guest: Member): void {
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
