import type { PeerId, Random } from "@coterie/core";
import type { SignedEntry } from "../membership/entry.ts";

/** What a hub keeps of a peer. */
export interface Guest {
  readonly entry: SignedEntry;
  /** When its peer last said so. */
  readonly heard: number;
  /** The hub at whose socket it is; null where that is ours. */
  readonly via: PeerId | null;
}

/** Guests who fit together, in a list without gaps, so that some of them can be drawn without a look at the others. */
export class GuestList {
  readonly #guests: Guest[] = [];
  readonly #at = new Map<PeerId, number>();

  get size(): number {
    return this.#guests.length;
  }

  get(peer: PeerId): Guest | undefined {
    const at = this.#at.get(peer);
    return at === undefined ? undefined : this.#guests[at];
  }

  put(peer: PeerId, guest: Guest): void {
    const at = this.#at.get(peer) ?? this.#guests.length;
    this.#at.set(peer, at);
    this.#guests[at] = guest;
  }

  /** The last of the list takes the place of the one that goes. */
  remove(peer: PeerId): void {
    const at = this.#at.get(peer);
    if (at === undefined) return;
    const last = this.#guests.pop()!;
    this.#at.delete(peer);
    if (at === this.#guests.length) return;
    this.#guests[at] = last;
    this.#at.set(last.entry.claim.id, at);
  }

  /**
   * At most `count` different guests and not `but`; every such set is equally likely. O(count) steps whatever the size: Floyd's
   * algorithm. With m guests to draw from, for k from m - count to m - 1 it draws t from 0 to k and takes t, or k where it has t.
   */
  draw(count: number, but: PeerId, random: Random): Guest[] {
    const left = this.#at.get(but);
    // The one left out changes places with the last, in thought.
    const among = this.#guests.length - (left === undefined ? 0 : 1);
    const taken = new Set<number>();
    for (let k = Math.max(0, among - count); k < among; k++) {
      const drawn = random.below(k + 1);
      taken.add(taken.has(drawn) ? k : drawn);
    }
    return Array.from(taken, (k) => this.#guests[k === left ? among : k]!);
  }

  [Symbol.iterator](): IterableIterator<Guest> {
    return this.#guests[Symbol.iterator]();
  }
}
