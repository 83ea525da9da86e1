import type { PeerId } from "@coterie/core";
import { hostOf, mayName, type Scope, scopeOf } from "../membership/prefix.ts";
import { DIAL_BUDGET_MS, DIALS_PER_INTRODUCER, MOST_DIALS, NO_DIAL_MS } from "./limits.ts";

/** Hosts and introducers that are remembered. */
const MOST_KEPT = 512;

interface Host {
  /** Dials since the last that led to a peer. */
  tries: number;
  /** When the first of them was. */
  since: number;
}

/**
 * Where a peer may knock. An address is only somebody's word: whoever names the addresses of others must not make a room knock at
 * them. So nobody outside names hosts inside, a host at which no peer ever answered is tried a few times and no more, and what one
 * introducer names is dialled on a budget.
 */
export class Dials {
  readonly #hosts = new Map<string, Host>();
  readonly #callers = new Map<string, true>();
  #thrifty = false;
  readonly #spent = new Map<PeerId, { left: number; at: number }>();

  /** Whether an address may be dialled, that was named from `scope`. What goes through a hub is that hub's business. */
  allows(address: string, scope: Scope, now: number): boolean {
    if (scope === "machine" && this.#hosts.size === 0) return true;
    const host = hostOf(address);
    if (host === null || address.includes("/p2p-circuit")) return true;
    if (!mayName(scope, scopeOf(host))) return false;
    if (this.#callers.has(host)) return true;
    const known = this.#hosts.get(keyOf(address, host));
    return known === undefined || known.tries < MOST_DIALS || now - known.since >= NO_DIAL_MS;
  }

  /** Whether the budget of anybody may be spent. */
  get thrifty(): boolean {
    return this.#thrifty;
  }

  /** Whether what somebody brought may still be dialled. */
  affords(introducer: PeerId, now: number): boolean {
    const spent = this.#spent.get(introducer);
    return spent === undefined || spent.left + (now - spent.at) / DIAL_BUDGET_MS >= 1;
  }

  /** These are being dialled, because `introducer` named them; null where their peer named them itself. */
  dialling(addresses: readonly string[], introducer: PeerId | null, now: number): void {
    for (const address of addresses) this.#try(address, now);
    if (introducer === null) return;
    const { left, at } = this.#spent.get(introducer) ?? { left: DIALS_PER_INTRODUCER, at: now };
    const earned = Math.min(DIALS_PER_INTRODUCER, left + (now - at) / DIAL_BUDGET_MS);
    keep(this.#spent, introducer, { left: Math.max(0, earned - 1), at: now });
    this.#thrifty ||= earned < 2;
  }

  /** A peer spoke from there, or answered: whoever is at that host is no third party. */
  spoke(address: string, answered: boolean): void {
    const host = hostOf(address);
    if (host === null) return;
    if (answered) keep(this.#hosts, keyOf(address, host), { tries: Number.NEGATIVE_INFINITY, since: 0 });
    else keep(this.#callers, host, true);
  }

  #try(address: string, now: number): void {
    const host = hostOf(address);
    if (host === null || address.includes("/p2p-circuit")) return;
    const key = keyOf(address, host);
    const known = this.#hosts.get(key);
    const again = known === undefined || now - known.since >= NO_DIAL_MS;
    if (again && known?.tries !== Number.NEGATIVE_INFINITY) keep(this.#hosts, key, { tries: 1, since: now });
    else known!.tries += 1;
  }
}

/** Of the wide network a host is one somebody; on one's own each port may be another peer. */
function keyOf(address: string, host: string): string {
  if (scopeOf(host) === "everywhere") return host;
  return address.split("/").slice(2, 5).join("/");
}

/** Set anew, so that the first of the map is the one of which nothing was heard longest. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value!);
}
