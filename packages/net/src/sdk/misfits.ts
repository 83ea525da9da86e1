import type { PeerId } from "@coterie/core";

/** Whoever was not heard of for this long has gone, or fits by now. */
const FORGOTTEN_MS = 10 * 60_000;

/**
 * Members of the room with another agreement: other features, another policy or version, as while a deploy is under way.
 * Nothing is exchanged with them. A hub tells only how many it knows.
 */
export class Misfits {
  readonly #told = new Map<PeerId, { readonly count: number; readonly at: number }>();

  /** `who` is one, or a hub that knows `count`. True where that is news. */
  note(who: PeerId, count: number, now: number): boolean {
    const before = this.#told.get(who);
    const isNews = before === undefined || before.count !== count || now - before.at > FORGOTTEN_MS;
    if (count > 0) this.#told.set(who, { count, at: now });
    else this.#told.delete(who);
    return isNews && count > 0;
  }

  /** An exchange came about after all. */
  fits(peer: PeerId): void {
    this.#told.delete(peer);
  }

  /** At least so many are there now. A hub's may be the same as those met. */
  count(now: number): number {
    let met = 0;
    let most = 0;
    for (const [who, { count, at }] of this.#told) {
      if (now - at > FORGOTTEN_MS) this.#told.delete(who);
      else if (count === 1) met += 1;
      else most = Math.max(most, count);
    }
    return Math.max(met, most);
  }
}
