import type { PeerId } from "@coterie/core";
import { compareAge, type News, type SignedEntry } from "./entry.ts";
import { FIRST_TRY_MS, GRAVE_MS, GRAVE_SLACK_MS, MEMBERSHIP_LIMITS, TRY_FACTOR } from "./limits.ts";

interface Grave {
  /** Null where it was not in view: then nobody tries it again. */
  readonly entry: SignedEntry | null;
  readonly at: number;
  /** When to try it again, and how long after that. */
  readonly next: number;
  readonly wait: number;
}

/**
 * Those who seem to be gone: their connection closed, a call failed, or they said so. What they signed before that does
 * not bring them back. What they signed later does, and so does a call of theirs.
 */
export class Graves {
  readonly #graves = new Map<PeerId, Grave>();

  /** A goodbye is no reason to try again. */
  bury(peer: PeerId, entry: SignedEntry | null, now: number): void {
    const before = this.#graves.get(peer);
    // Set anew, so that the first of the map is the one that was buried longest ago.
    this.#graves.delete(peer);
    const held = entry ?? before?.entry ?? null;
    const wait = before === undefined ? FIRST_TRY_MS : TRY_FACTOR * before.wait;
    const next = held === null || held.claim.leaving ? Number.POSITIVE_INFINITY : now + wait;
    this.#graves.set(peer, { entry: held, at: now, next, wait });
    if (this.#graves.size > MEMBERSHIP_LIMITS.graves) this.#graves.delete(this.#graves.keys().next().value!);
  }

  get(peer: PeerId): SignedEntry | undefined {
    return this.#graves.get(peer)?.entry ?? undefined;
  }

  has(peer: PeerId): boolean {
    return this.#graves.has(peer);
  }

  /** Whether there is no reason to try it again. */
  isFinal(peer: PeerId): boolean {
    return this.#graves.get(peer)?.next === Number.POSITIVE_INFINITY;
  }

  /** Whether an entry says nothing of a peer since it was buried. */
  bars({ entry, ageMs }: News, now: number): boolean {
    const grave = this.#graves.get(entry.claim.id);
    if (grave === undefined) return false;
    return (
      now - ageMs <= grave.at + GRAVE_SLACK_MS ||
      (grave.entry !== null && compareAge(entry.claim, grave.entry.claim) <= 0)
    );
  }

  /** It lives. */
  open(peer: PeerId): void {
    this.#graves.delete(peer);
  }

  /** Worth a try now. `all`: whenever they were tried last, because nobody else is there. */
  due(now: number, all: boolean): PeerId[] {
    const names: PeerId[] = [];
    for (const [peer, { next }] of this.#graves) {
      if (next <= now || (all && next < Number.POSITIVE_INFINITY)) names.push(peer);
    }
    return names.sort();
  }

  tick(now: number): void {
    for (const [peer, { at }] of this.#graves) {
      if (now - at < GRAVE_MS) return;
      this.#graves.delete(peer);
    }
  }
}
