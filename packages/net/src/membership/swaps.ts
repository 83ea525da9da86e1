import type { PeerId, Random } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { MOST_SWAPS, SWAP_SIZE } from "./limits.ts";
import type { Known, View } from "./view.ts";

/** Where all of a room fits into a view, the younger half of those drawn: nobody's entry need be saved, and news travels faster. */
function newest(view: View, drawn: number, random: Random, fits: (known: Known) => boolean, count: number): Known[] {
  const some = view.sample(drawn, random, fits).sort((a, b) => b.signed - a.signed);
  return some.slice(0, count);
}

/** A swap under way. */
interface Swap {
  /** What the other side was offered: the first to make room for what it sends. */
  readonly offered: PeerId[];
  /** What has made room for what it sent: it gets that in return. */
  readonly owed: Known[];
}

/**
 * Swaps of entries. What comes takes the place of what was sent, so that no entry is lost between the two, and how many
 * hold a peer's entry does not change.
 */
export class Swaps {
  readonly #swaps = new Map<PeerId, Swap>();

  /** What to send to `to`: what it is owed, and others drawn at random; not what it told itself. */
  offer(to: PeerId, view: View, random: Random, fits: (known: Known) => boolean = () => true): Known[] {
    const owed = this.#swaps.get(to)?.owed ?? [];
    const isOther = (known: Known): boolean => known.entry.claim.id !== to && known.from !== to && fits(known);
    const count = SWAP_SIZE - 1 - owed.length;
    const more = view.isFull ? view.sample(count, random, isOther) : newest(view, 2 * count, random, isOther, count);
    this.#begin(to, { offered: more.map(({ entry }) => entry.claim.id), owed: [] });
    return [...owed, ...more];
  }

  /** Whether what `from` sends may take somebody's place: it brings no more than it gets. */
  hasRoom(from: PeerId): boolean {
    const swap = this.#swaps.get(from);
    return swap === undefined || swap.offered.length > 0 || swap.owed.length < SWAP_SIZE - 1;
  }

  /** Whose place it is, in a full view; null where there is none. */
  makeRoom(from: PeerId, view: View, random: Random, fits: (known: Known) => boolean): Known | null {
    const swap = this.#swaps.get(from) ?? this.#begin(from, { offered: [], owed: [] });
    for (let peer = swap.offered.pop(); peer !== undefined; peer = swap.offered.pop()) {
      const known = view.get(peer);
      if (known !== undefined && fits(known)) return known;
    }
    const isOther = (known: Known): boolean => known.from !== from && known.entry.claim.id !== from && fits(known);
    const [out] = view.sample(1, random, isOther);
    if (out === undefined) return null;
    swap.owed.push(out);
    return out;
  }

  /** Another swap begins, in which nothing is offered. */
  forget(partner: PeerId): void {
    this.#swaps.delete(partner);
  }

  #begin(partner: PeerId, swap: Swap): Swap {
    return keepNewest(this.#swaps, partner, swap, MOST_SWAPS);
  }
}
