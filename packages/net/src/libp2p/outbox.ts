import type { PeerId } from "@coterie/core";
import type { Place } from "./roster.ts";

interface Word {
  readonly place: Place;
  readonly peer: PeerId;
  readonly here: boolean;
}

/** What another hub has still to be told, each guest once: what is said of it is looked up when its turn comes. */
export class Outbox {
  readonly #waiting = new Map<string, Word>();
  /** Guests that it was told of, so that it must hear when they go. */
  readonly #told = new Set<string>();

  put(place: Place, peer: PeerId, here: boolean): void {
    const key = `${place.room} ${place.fit} ${peer}`;
    if (here || this.#told.has(key)) this.#waiting.set(key, { place, peer, here });
    else this.#waiting.delete(key);
  }

  /** The first of them, so many at most. */
  take(most: number): Word[] {
    const taken: Word[] = [];
    for (const [key, word] of this.#waiting) {
      if (taken.length >= most) break;
      this.#waiting.delete(key);
      if (word.here) this.#told.add(key);
      else this.#told.delete(key);
      taken.push(word);
    }
    return taken;
  }
}
