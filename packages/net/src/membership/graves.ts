import type { PeerId } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { type Claim, compareAge, type News, type SignedEntry } from "./entry.ts";
import { FIRST_TRY_MS, GRAVE_MS, GRAVE_SLACK_MS, MEMBERSHIP_LIMITS, TRY_FACTOR } from "./limits.ts";
import type { Known } from "./view.ts";

interface Grave {
  /** Null where it was not in view: then nobody tries it again. */
  readonly entry: SignedEntry | null;
  readonly known: Known | null;
  readonly at: number;
  /** When to try it again, and how long after that. */
  readonly next: number;
  readonly wait: number;
  /** Whether it said itself that it goes. */
  readonly left: boolean;
}

/**
 * Those who seem to be gone: their connection closed, a call failed, or they said so. What they signed before that does
 * not bring them back. What they signed later does, and so does a call of theirs.
 */
export class Graves {
  readonly #graves = new Map<PeerId, Grave>();

  /** A goodbye is no reason to try again. */
  bury(peer: PeerId, entry: SignedEntry | null, now: number, known: Known | null = null, goodbye = false): void {
    const before = this.#graves.get(peer);
    const held = entry ?? before?.entry ?? null;
    const wait = before === undefined ? FIRST_TRY_MS : TRY_FACTOR * before.wait;
    const left = goodbye || held?.claim.leaving === true;
    const next = held === null || left ? Number.POSITIVE_INFINITY : now + wait;
    const grave: Grave = { entry: held, known: known ?? before?.known ?? null, at: now, next, wait, left };
    keepNewest(this.#graves, peer, grave, MEMBERSHIP_LIMITS.graves);
  }

  get(peer: PeerId): SignedEntry | undefined {
    return this.#graves.get(peer)?.entry ?? undefined;
  }

  /** What was known of it in view. */
  known(peer: PeerId): Known | undefined {
    return this.#graves.get(peer)?.known ?? undefined;
  }

  has(peer: PeerId): boolean {
    return this.#graves.has(peer);
  }

  /** Whether there is no reason to try it again. */
  isFinal(peer: PeerId): boolean {
    return this.#graves.get(peer)?.next === Number.POSITIVE_INFINITY;
  }

  /**
   * Whether what a peer sends us of itself says nothing of it since it was buried: it is older than what it said before. Whoever said
   * goodbye has to sign anew: what it sent before that may come after it, on another stream.
   */
  barsItsOwn(claim: Claim): boolean {
    const grave = this.#graves.get(claim.id);
    if (grave === undefined || grave.entry === null) return false;
    const newer = compareAge(claim, grave.entry.claim);
    return newer < 0 || (grave.left && newer === 0);
  }

  /**
   * Whether an entry says nothing of a peer since it was buried. A newer one with other addresses does, whenever it was signed: a
   * call to the old ones says nothing of them, as where somebody was called before its hub relayed for it. A goodbye is no such call.
   */
  bars({ entry, ageMs }: News, now: number): boolean {
    const grave = this.#graves.get(entry.claim.id);
    if (grave === undefined) return false;
    if (grave.entry !== null) {
      if (compareAge(entry.claim, grave.entry.claim) <= 0) return true;
      if (!grave.left && !sameAddresses(entry.claim, grave.entry.claim)) return false;
    }
    return now - ageMs <= grave.at + GRAVE_SLACK_MS;
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

const sameAddresses = (a: Claim, b: Claim): boolean =>
  a.addresses.length === b.addresses.length && a.addresses.every((address, k) => address === b.addresses[k]);
