import type { PeerId } from "@coterie/core";
import type { Membership } from "../membership/membership.ts";
import { introducerOf } from "../membership/shares.ts";
import type { Connections } from "./connections.ts";
import { Dials } from "./dials.ts";

/** Whom a peer can reach: over a connection, or at those addresses of its entry that may be dialled. */
export class Dialling {
  readonly #dials: Dials;
  readonly #underWay = new Set<PeerId>();

  constructor(
    readonly membership: Membership,
    readonly connections: Connections,
    /** Whether an address is one that we can dial. */
    readonly canDial: (address: string) => boolean,
  ) {
    this.#dials = new Dials((hub) => connections.has(hub));
  }

  /** Where we are ourselves. */
  at(places: readonly string[]): void {
    this.#dials.at(places);
  }

  hasWay(peer: PeerId, now: number): boolean {
    if (this.connections.has(peer)) return true;
    if (!this.affords(peer, now)) return false;
    const word = this.membership.entries.word(peer);
    return this.membership.entries
      .addresses(peer)
      .some((address) => this.canDial(address) && this.#dials.allows(address, word, now));
  }

  /** Where to dial a peer. */
  addresses(peer: PeerId, now: number): readonly string[] {
    const addresses = this.membership.entries.addresses(peer).filter((address) => this.canDial(address));
    return addresses.length === 0 ? addresses : this.#dials.safe(addresses, this.membership.entries.word(peer), now);
  }

  /** Whether a peer may be dialled on the budget of whoever introduced it. */
  affords(peer: PeerId, now: number): boolean {
    if (!this.#dials.thrifty) return true;
    const introducer = introducerOf(this.membership.entries.word(peer));
    return introducer === null || this.#dials.affords(introducer, now);
  }

  /** A call to somebody begins; where there is no connection that takes a dial. */
  call(peer: PeerId, now: number): void {
    if (this.connections.has(peer) || this.#underWay.has(peer)) return;
    this.#underWay.add(peer);
    this.#dials.dialling(this.addresses(peer, now), this.membership.entries.word(peer), now);
  }

  /** The call has ended. */
  over(peer: PeerId): void {
    this.#underWay.delete(peer);
  }

  /** Whether to look for a way to somebody that needs no hub; if so, that takes a dial. */
  improves(peer: PeerId, now: number): boolean {
    if (!this.connections.improves(peer, now)) return false;
    this.#dials.dialling(this.addresses(peer, now), this.membership.entries.word(peer), now);
    return true;
  }

  /** A peer spoke from there, or answered. */
  spoke(address: string, answered: boolean): void {
    this.#dials.spoke(address, answered);
  }
}
