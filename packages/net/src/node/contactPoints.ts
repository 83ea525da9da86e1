import type { PeerId, Random } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { Bootstrap } from "./bootstrap.ts";
import { contacts, type GossipEffect } from "./event.ts";
import { Hubs } from "./hubs.ts";

const MOST_ANSWERED = 64;
const withoutName = (address: string): string => address.replace(/\/p2p\/[^/]+$/, "");

export interface ContactPointsConfig {
  readonly random: Random;
  /** Addresses to begin with. */
  readonly bootstrap: readonly string[];
  /** Hubs, each with its addresses, of which one is enough; the first is the one to keep to. */
  readonly hubs?: readonly (readonly string[])[];
  /** Where others answered before the last start: called while nobody is there. No hub is looked for there. */
  readonly places?: readonly string[] | undefined;
}

/** Addresses to call at, whoever is there, and the hubs that were found at them. */
export class ContactPoints {
  readonly #bootstrap: Bootstrap;
  readonly #list: Hubs;
  /** Which hub was found at an address. */
  readonly #hubs = new Map<string, PeerId>();
  /** Addresses that our app gave, and who answered there lately. */
  readonly #given: ReadonlySet<string>;
  readonly #answered = new Map<PeerId, true>();
  /** Hubs through which others reach us. */
  readonly #held = new Set<PeerId>();

  constructor({ random, bootstrap, hubs = [], places = [] }: ContactPointsConfig) {
    this.#bootstrap = new Bootstrap(bootstrap, places, random, (address) => this.#hubs.get(address) ?? null);
    this.#list = new Hubs(hubs, random);
    this.#given = new Set(bootstrap.map(withoutName));
  }

  /** Hubs that were found. They are no members. */
  get hubs(): ReadonlySet<PeerId> {
    return new Set(this.#hubs.values());
  }

  isHub(peer: PeerId): boolean {
    for (const hub of this.#hubs.values()) if (hub === peer) return true;
    return false;
  }

  /** A connection of ours was made to that address. */
  opened(peer: PeerId, address: string): void {
    if (this.#given.has(withoutName(address))) keepNewest(this.#answered, peer, true, MOST_ANSWERED);
  }

  /** Whether our app named the peer, by its address: then it is no stranger who brings names. */
  isGiven(peer: PeerId): boolean {
    return this.#answered.has(peer);
  }

  /** Whether others reach us through this hub. */
  isHeld(peer: PeerId): boolean {
    return this.#held.has(peer);
  }

  /** Where to call now. `lonely`: nobody is there. */
  due(now: number, lonely: boolean): GossipEffect[] {
    return [
      ...contacts([...this.#bootstrap.due(now, lonely), ...this.#list.due(now)]),
      ...contacts(this.#bootstrap.places(now, lonely), false),
    ];
  }

  /** Somebody answered there: a hub, which may relay for us, or a peer. */
  reached(address: string, hub: PeerId | null, held: boolean, now: number): void {
    const left = this.#list.reached(address, hub, now);
    if (left !== null) this.#held.delete(left);
    if (hub === null) this.#hubs.delete(address);
    else {
      this.#hubs.set(address, hub);
      if (held) this.#held.add(hub);
      this.#bootstrap.found();
    }
  }

  /** Nobody answered there, or a hub had no space. The next of several hubs is called at once. */
  missed(address: string, hub: PeerId | null, refused: boolean, now: number): GossipEffect[] {
    if (hub !== null) this.#hubs.set(address, hub);
    if (!refused && this.#hubs.has(address)) this.#bootstrap.lost();
    this.#list.missed(address, now);
    return contacts(this.#list.due(now));
  }

  /** There is no connection to a peer any more. Without a hub that relays for us nobody reaches us: the next one is called. */
  closed(peer: PeerId, now: number): GossipEffect[] {
    if (!this.#held.delete(peer)) return [];
    this.#bootstrap.lost();
    this.#list.lost(peer);
    return contacts(this.#list.due(now));
  }
}
