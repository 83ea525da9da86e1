import type { PeerId } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { memo } from "../membership/memo.ts";
import { hostOf, mayName, prefixOf, type Scope, scopeOf } from "../membership/prefix.ts";
import { type Hearsay, introducerOf, type NameSource } from "../membership/shares.ts";
import { DIAL_BUDGET_MS, DIALS_PER_INTRODUCER, MOST_DIALS, MOST_INSIDE, NO_DIAL_MS } from "./limits.ts";

/** Hosts and introducers that are remembered. */
const MOST_KEPT = 512;

/** Where an address leads. */
interface Place {
  readonly host: string;
  readonly scope: Scope;
  readonly prefix: string | null;
  /** Of the wide network a host is one somebody; on one's own each port may be another peer. */
  readonly key: string;
  /** The hub that the way goes through: it is the one to be dialled. */
  readonly hub: PeerId | null;
}

interface Host {
  /** Dials of which none led to a peer; less than any number where one did. */
  tries: number;
  /** From when on one more is allowed, whatever the number. */
  again: number;
}

/**
 * Where a peer may knock. An address is only somebody's word: whoever names the addresses of others must not make a room knock at
 * them. So a host at which no peer ever answered is tried a few times and no more, what one introducer names is dialled on a budget,
 * and nobody outside names hosts inside. One exception: two peers on one private network may know each other only through a hub
 * outside. Where a peer names itself an address on the network that we are on, it is tried, at few hosts in ten minutes.
 */
export class Dials {
  readonly #hosts = new Map<string, Host>();
  readonly #callers = new Map<string, true>();
  readonly #spent = new Map<NameSource, { left: number; at: number }>();
  /** Private networks that we are on. */
  #home: ReadonlySet<string | null> = new Set();
  /** Hosts inside that were dialled on the word of somebody outside, and when, until they answer. */
  readonly #inside = new Map<string, number>();
  #thrifty = false;

  constructor(
    /** Whether there is a connection to a hub: then nobody is dialled to get through it. */
    readonly isConnected: (hub: PeerId) => boolean = () => false,
  ) {}

  /** Where we are ourselves. */
  at(addresses: readonly string[]): void {
    const inside = addresses.flatMap((address) => placeOf(address) ?? []).filter(({ scope }) => scope === "network");
    this.#home = new Set(inside.map(({ prefix }) => prefix));
  }

  /** Those of a peer's addresses that may be dialled. */
  safe(addresses: readonly string[], word: Hearsay, now: number): readonly string[] {
    if (addresses.length === 1) return this.allows(addresses[0]!, word, now) ? addresses : [];
    // Several ports of one host are as many dials.
    const beside = new Map<string, number>();
    return addresses.filter((address) => {
      const key = this.#toDial(address)?.key ?? "";
      const more = beside.get(key) ?? 0;
      const allowed = this.allows(address, word, now, more);
      if (allowed) beside.set(key, more + 1);
      return allowed;
    });
  }

  /** Whether one may, beside others at the same host. */
  allows(address: string, word: Hearsay, now: number, beside = 0): boolean {
    const place = this.#toDial(address);
    return place === null || (this.#mayName(place, word, now) && this.#mayTry(place, beside, now));
  }

  /** Whether the budget of anybody may be spent. */
  get thrifty(): boolean {
    return this.#thrifty;
  }

  /** Whether what somebody brought may still be dialled. */
  affords(introducer: NameSource, now: number): boolean {
    const spent = this.#spent.get(introducer);
    return spent === undefined || spent.left + (now - spent.at) / DIAL_BUDGET_MS >= 1;
  }

  /** These are being dialled. */
  dialling(addresses: readonly string[], word: Hearsay, now: number): void {
    const introducer = introducerOf(word);
    for (const address of addresses) {
      const place = this.#toDial(address);
      if (place === null) continue;
      this.#try(place, now);
      if (!mayName(word.scope, place.scope)) keepNewest(this.#inside, place.key, now, MOST_KEPT);
    }
    if (introducer === null) return;
    const { left, at } = this.#spent.get(introducer) ?? { left: DIALS_PER_INTRODUCER, at: now };
    const earned = Math.min(DIALS_PER_INTRODUCER, left + (now - at) / DIAL_BUDGET_MS);
    keepNewest(this.#spent, introducer, { left: Math.max(0, earned - 1), at: now }, MOST_KEPT);
    this.#thrifty ||= earned < 2;
  }

  /** A peer spoke from there, or answered: whoever is at that host is no third party. */
  spoke(address: string, answered: boolean): void {
    const place = placeOf(address);
    if (place === null) return;
    if (!answered) {
      keepNewest(this.#callers, place.host, true, MOST_KEPT);
      return;
    }
    this.#inside.delete(place.key);
    keepNewest(this.#hosts, place.key, { tries: Number.NEGATIVE_INFINITY, again: 0 }, MOST_KEPT);
  }

  /** The place that a dial would go to; null where it takes none. */
  #toDial(address: string): Place | null {
    const place = placeOf(address);
    return place === null || (place.hub !== null && this.isConnected(place.hub)) ? null : place;
  }

  #mayName({ scope, prefix, key }: Place, word: Hearsay, now: number): boolean {
    if (mayName(word.scope, scope)) return true;
    if (scope !== "network" || introducerOf(word) !== null || !this.#home.has(prefix)) return false;
    if (this.#inside.has(key) || this.#hosts.get(key)?.tries === Number.NEGATIVE_INFINITY) return true;
    let lately = 0;
    for (const at of this.#inside.values()) if (now - at < NO_DIAL_MS) lately += 1;
    return lately < MOST_INSIDE;
  }

  #mayTry({ host, key }: Place, beside: number, now: number): boolean {
    if (this.#callers.has(host)) return true;
    const known = this.#hosts.get(key);
    return (known?.tries ?? 0) + beside < MOST_DIALS || (known !== undefined && beside === 0 && now >= known.again);
  }

  #try({ key }: Place, now: number): void {
    const tries = (this.#hosts.get(key)?.tries ?? 0) + 1;
    keepNewest(this.#hosts, key, { tries, again: now + NO_DIAL_MS }, MOST_KEPT);
  }
}

/** Null where it is not for us to say: no host of the network. */
const placeOf = memo((address): Place | null => {
  const host = hostOf(address);
  if (host === null) return null;
  const scope = scopeOf(host);
  const key = scope === "everywhere" ? host : address.split("/").slice(2, 5).join("/");
  return { host, scope, prefix: prefixOf(address), key, hub: /\/p2p\/([^/]+)\/p2p-circuit/.exec(address)?.[1] ?? null };
});
