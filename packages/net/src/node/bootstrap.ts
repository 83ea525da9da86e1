import type { PeerId, Random } from "@coterie/core";
import { BOOTSTRAP_AGAIN_MS, HUB_AGAIN_MS, LONELY_FIRST_MS, LONELY_MOST_MS, PLACES_AT_ONCE } from "./limits.ts";

/**
 * When to call at which of the addresses one was given: all of them while nobody is there, ever less often; otherwise
 * every hub regularly, because it introduces only those it hears of, and one of the others now and then, so that
 * islands merge.
 */
export class Bootstrap {
  #wait = LONELY_FIRST_MS;
  #next = Number.NEGATIVE_INFINITY;
  #nextHubs = Number.NEGATIVE_INFINITY;
  #hubWait = HUB_AGAIN_MS;
  #missed = false;
  #lonely = true;
  /** Which of those of before is next, and when. */
  #place = 0;
  #nextPlaces = Number.NEGATIVE_INFINITY;
  #placesWait = LONELY_FIRST_MS;

  constructor(
    readonly addresses: readonly string[],
    /** Where others answered before the last start. */
    readonly before: readonly string[],
    readonly random: Random,
    /** Which hub was found there, if it was one. */
    readonly hubAt: (address: string) => PeerId | null,
  ) {}

  due(now: number, lonely: boolean): readonly string[] {
    if (lonely !== this.#lonely) this.#turn(now, lonely);
    if (this.addresses.length === 0) return [];
    if (lonely) return this.#dueWhenLonely(now);
    const due = now < this.#nextHubs ? [] : this.#oneOfEachHub();
    if (now >= this.#nextHubs) {
      this.#nextHubs = now + this.#jitter(this.#hubWait);
      this.#hubWait = Math.min(HUB_AGAIN_MS, 2 * this.#hubWait);
    }
    const others = now < this.#next ? [] : this.addresses.filter((address) => this.hubAt(address) === null);
    if (now >= this.#next) this.#next = now + this.#jitter(BOOTSTRAP_AGAIN_MS);
    return others.length === 0 ? due : [...due, others[this.random.below(others.length)]!];
  }

  /** Of those of before, some at a time while nobody is there: all of them are called soon, and none often. */
  places(now: number, lonely: boolean): readonly string[] {
    if (!lonely || this.before.length === 0 || now < this.#nextPlaces) return [];
    const some = Array.from({ length: Math.min(PLACES_AT_ONCE, this.before.length) }, () => {
      const place = this.before[this.#place % this.before.length]!;
      this.#place += 1;
      return place;
    });
    if (this.#place % this.before.length < some.length)
      this.#placesWait = Math.min(LONELY_MOST_MS, 2 * this.#placesWait);
    this.#nextPlaces = now + this.#jitter(this.#placesWait);
    return some;
  }

  /** A hub answered. */
  found(): void {
    this.#missed = false;
  }

  /** One did not, or its connection was lost: look for it at once, then ever less often. */
  lost(): void {
    if (this.#missed) return;
    this.#missed = true;
    this.#nextHubs = Number.NEGATIVE_INFINITY;
    this.#hubWait = LONELY_FIRST_MS;
  }

  #turn(now: number, lonely: boolean): void {
    this.#lonely = lonely;
    this.#wait = LONELY_FIRST_MS;
    this.#next = lonely ? now : now + this.#jitter(BOOTSTRAP_AGAIN_MS);
    if (!this.#missed) this.#nextHubs = now + this.#jitter(HUB_AGAIN_MS);
  }

  #oneOfEachHub(): string[] {
    const at = new Map<PeerId, string[]>();
    for (const address of this.addresses) {
      const hub = this.hubAt(address);
      if (hub !== null) at.set(hub, [...(at.get(hub) ?? []), address]);
    }
    return [...at.values()].map((addresses) => addresses[this.random.below(addresses.length)]!);
  }

  #dueWhenLonely(now: number): readonly string[] {
    if (now < this.#next) return [];
    this.#next = now + this.#jitter(this.#wait);
    this.#wait = Math.min(LONELY_MOST_MS, 2 * this.#wait);
    return this.addresses;
  }

  #jitter(ms: number): number {
    return ms * (0.8 + 0.4 * this.random.uniform());
  }
}
