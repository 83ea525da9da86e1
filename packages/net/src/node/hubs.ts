import type { PeerId, Random } from "@coterie/core";
import { HUB_AGAIN_MS, HUB_HEDGE_MS, HUB_HOME_MS, LONELY_FIRST_MS, LONELY_MOST_MS } from "./limits.ts";

/** A hub of the list. */
interface Candidate {
  readonly addresses: readonly string[];
  /** Calls so far: its addresses take turns. */
  calls: number;
  /** Who answered there. */
  peer: PeerId | null;
  /** Since when a call is under way. */
  calling: number | null;
  /** After it did not answer, or had no space: not to be called before, and how long to wait the next time. */
  again: number;
  wait: number;
}

/**
 * Which of several hubs to keep to: the first of the list that takes us. The list has an order of this peer's own (`libp2p/hubOrder.ts`).
 * When the hub is lost or full, the next one is called at once. Those before it in the list are tried again now and then, so
 * that peers spread evenly again after a hub was away.
 */
export class Hubs {
  readonly #hubs: readonly Candidate[];
  #current: Candidate | null = null;
  #next = Number.NEGATIVE_INFINITY;
  #home = Number.NEGATIVE_INFINITY;

  constructor(
    hubs: readonly (readonly string[])[],
    readonly random: Random,
  ) {
    const fresh = { calls: 0, peer: null, calling: null, again: Number.NEGATIVE_INFINITY, wait: LONELY_FIRST_MS };
    this.#hubs = hubs.filter(({ length }) => length > 0).map((addresses) => ({ addresses, ...fresh }));
  }

  /** Addresses to call now: regularly the hub that we keep to, because it introduces only those it hears of. */
  due(now: number): string[] {
    const current = this.#current;
    if (current === null) return this.#seek(now);
    const due: string[] = [];
    if (now >= this.#next && current.calling === null) {
      this.#next = now + this.#jitter(HUB_AGAIN_MS);
      due.push(this.#call(current, now));
    }
    if (now >= this.#home) {
      this.#home = now + this.#jitter(HUB_HOME_MS);
      const better = this.#free(this.#hubs.slice(0, this.#hubs.indexOf(current)), now);
      if (better !== undefined) due.push(this.#call(better, now));
    }
    return due;
  }

  /** Who answered at an address. Names the hub that we need no more. */
  reached(address: string, peer: PeerId | null, now: number): PeerId | null {
    const hub = this.#at(address);
    if (hub === undefined) return null;
    if (peer === null) this.missed(address, now);
    else {
      Object.assign(hub, { peer, calling: null, wait: LONELY_FIRST_MS, again: Number.NEGATIVE_INFINITY });
      const before = this.#current;
      if (before !== null && this.#hubs.indexOf(before) <= this.#hubs.indexOf(hub)) return null;
      this.#current = hub;
      this.#next = now + this.#jitter(HUB_AGAIN_MS);
      this.#home = now + this.#jitter(HUB_HOME_MS);
      return before?.peer ?? null;
    }
    return null;
  }

  /** It did not answer there, or had no space. */
  missed(address: string, now: number): void {
    const hub = this.#at(address);
    if (hub === undefined) return;
    hub.calling = null;
    hub.again = now + this.#jitter(hub.wait);
    hub.wait = Math.min(LONELY_MOST_MS, 2 * hub.wait);
    if (hub === this.#current) this.#current = null;
  }

  /** The connection to a hub was lost. */
  lost(peer: PeerId): void {
    if (this.#current?.peer === peer) this.#current = null;
  }

  /** The first that may be called; while one is called, another only where that one takes long. */
  #seek(now: number): string[] {
    if (this.#hubs.some(({ calling }) => calling !== null && now - calling < HUB_HEDGE_MS)) return [];
    const hub = this.#free(this.#hubs, now);
    return hub === undefined ? [] : [this.#call(hub, now)];
  }

  #free(hubs: readonly Candidate[], now: number): Candidate | undefined {
    return hubs.find(({ calling, again }) => calling === null && now >= again);
  }

  #call(hub: Candidate, now: number): string {
    hub.calling = now;
    hub.calls += 1;
    return hub.addresses[(hub.calls - 1) % hub.addresses.length]!;
  }

  #at(address: string): Candidate | undefined {
    return this.#hubs.find(({ addresses }) => addresses.includes(address));
  }

  #jitter(ms: number): number {
    return ms * (0.8 + 0.4 * this.random.uniform());
  }
}
