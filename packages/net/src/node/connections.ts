import type { PeerId } from "@coterie/core";
import { keepNewest } from "../keep.ts";
import { hostOf, prefixOf, scopeOf } from "../membership/prefix.ts";
import { NOWHERE, type Route } from "../membership/shares.ts";
import { IMPROVE_MS, MOST_IMPROVED, RECENT_MS } from "./limits.ts";

/** A way to a peer that is open. There may be two: one through a hub, and one without. */
export interface Connection {
  readonly id: string;
  readonly peer: PeerId;
  /** All of it goes through a hub. */
  readonly relayed: boolean;
  /** Where its other end is, as far as that shows, and whether we called. */
  readonly address?: string | undefined;
  readonly outbound?: boolean | undefined;
}

/** Which connections are open, which of them are in use, and which to close: no more than agreed, and none twice. */
export class Connections {
  readonly #open = new Map<string, Connection>();
  /** How many there are to each. */
  readonly #counts = new Map<PeerId, number>();
  /** How messages of each come, where that was asked. */
  readonly #vias = new Map<PeerId, Route>();
  /** When each was last used. */
  readonly #used = new Map<PeerId, number>();
  /** With whom how much is under way. */
  readonly #busy = new Map<PeerId, number>();
  /** When a way without a hub was last looked for. */
  readonly #improved = new Map<PeerId, number>();
  /** Those who have said something: others may be no members. */
  readonly #heard = new Set<PeerId>();
  /** Those that one of the two ends closes to make room. */
  readonly #parting = new Set<string>();

  /** `most`: connections to keep. `isNeeded`: whether the one to a peer must stay, used or not. `isKin`: whom we learn from. */
  constructor(
    readonly most: number,
    readonly isNeeded: (peer: PeerId) => boolean,
    readonly isKin: (peer: PeerId) => boolean = () => false,
  ) {}

  open(connection: Connection, now: number): void {
    const { id, peer } = connection;
    if (!this.#open.has(id)) this.#counts.set(peer, (this.#counts.get(peer) ?? 0) + 1);
    this.#open.set(id, connection);
    this.#vias.delete(peer);
    this.#touch(peer, now);
  }

  /** One of the two ends says that it closes it to make room. */
  part(id: string): void {
    this.#parting.add(id);
  }

  /** The peer to whom there is none left, or null. `parted`: it was closed to make room, which says nothing of the peer. */
  close(id: string): { readonly peer: PeerId; readonly parted: boolean } | null {
    const parted = this.#parting.delete(id);
    const peer = this.#open.get(id)?.peer;
    if (peer === undefined) return null;
    this.#open.delete(id);
    this.#vias.delete(peer);
    const left = this.#counts.get(peer)! - 1;
    if (left > 0) {
      this.#counts.set(peer, left);
      return null;
    }
    this.#counts.delete(peer);
    this.#used.delete(peer);
    this.#heard.delete(peer);
    return { peer, parted };
  }

  has(peer: PeerId): boolean {
    return this.#counts.has(peer);
  }

  /** How somebody's messages come, by its connection without a hub where there is one. */
  via(peer: PeerId): Route {
    if (!this.has(peer)) return NOWHERE;
    const via = this.#vias.get(peer) ?? this.#viaOf(peer);
    this.#vias.set(peer, via);
    return via;
  }

  #viaOf(peer: PeerId): Route {
    let found: Connection | null = null;
    for (const connection of this.#open.values())
      if (connection.peer === peer && (found === null || found.relayed)) found = connection;
    const host = hostOf(found?.address ?? "");
    if (found?.address === undefined || host === null) return NOWHERE;
    return { prefix: found.relayed ? null : prefixOf(found.address), scope: scopeOf(host), hub: false };
  }

  /** Connections to a peer. */
  to(peer: PeerId): Connection[] {
    return [...this.#open.values()].filter((connection) => connection.peer === peer);
  }

  /** Those that others made from an address prefix. */
  from(prefix: string): Connection[] {
    return [...this.#open.values()].filter(
      ({ outbound, relayed, address }) => outbound === false && !relayed && prefixOf(address ?? "") === prefix,
    );
  }

  /** All but those to some peers. */
  but(peers: ReadonlySet<PeerId>): string[] {
    return Array.from(this.#open.values()).flatMap(({ id, peer }) => (peers.has(peer) ? [] : [id]));
  }

  /** Those to whom there is one, in the order of their names. */
  peers(): PeerId[] {
    return [...new Set(Array.from(this.#open.values(), ({ peer }) => peer))].sort();
  }

  /** Those that we made, and that need no hub, where it is known where they lead. */
  called(): Connection[] {
    return [...this.#open.values()].filter(({ outbound, relayed, address }) => outbound && !relayed && address);
  }

  /** A peer said something. */
  hear(peer: PeerId, now: number): void {
    if (this.has(peer)) this.#heard.add(peer);
    this.#touch(peer, now);
  }

  /** Whether a peer that is connected has said something. */
  hasHeard(peer: PeerId): boolean {
    return this.#heard.has(peer);
  }

  /** The one to a peer, where there is one, is in use. */
  #touch(peer: PeerId, now: number): void {
    if (this.has(peer)) this.#used.set(peer, now);
  }

  /** Something begins with a peer, or has ended. */
  use(peer: PeerId, change: 1 | -1, now: number): void {
    const count = (this.#busy.get(peer) ?? 0) + change;
    if (count > 0) this.#busy.set(peer, count);
    else this.#busy.delete(peer);
    this.#touch(peer, now);
  }

  /** Whether to look for a way to a peer that needs no hub: the hub may go, and has others to serve. */
  improves(peer: PeerId, now: number): boolean {
    if (now - (this.#improved.get(peer) ?? Number.NEGATIVE_INFINITY) < IMPROVE_MS) return false;
    const ways = Array.from(this.#open.values()).filter((connection) => connection.peer === peer);
    if (ways.length === 0 || !ways.every(({ relayed }) => relayed)) return false;
    keepNewest(this.#improved, peer, now, MOST_IMPROVED);
    return true;
  }

  /** To be closed, each named once: what goes through a hub to peers that are reached without one, and what was used longest ago. */
  makeRoom(now: number): string[] {
    const ids = this.#excess(now).flatMap(({ id }) => (this.#parting.has(id) ? [] : [id]));
    for (const id of ids) this.part(id);
    return ids;
  }

  #excess(now: number): Connection[] {
    const all = [...this.#open.values()];
    const direct = new Set(all.filter(({ relayed }) => !relayed).map(({ peer }) => peer));
    const twice = all.filter(({ relayed, peer }) => relayed && direct.has(peer));
    const once = all.filter((connection) => !twice.includes(connection));
    const surplus = Math.max(0, once.length - this.most);
    const spare = surplus === 0 ? [] : this.#unprotected(once, this.#kinLast(this.#idle(once, now)));
    return [...this.#idle(twice, now), ...spare.slice(0, surplus)];
  }

  /** Half of the connections are for those whom we called: however many call us, they keep their places. */
  #unprotected(all: readonly Connection[], idle: readonly Connection[]): Connection[] {
    let called = all.filter(({ outbound }) => outbound).length;
    return idle.filter(({ outbound }) => {
      if (!outbound) return true;
      called -= 1;
      return called >= this.most / 2;
    });
  }

  /** Kin will be called again, and a connection says at once that its peer has gone: as many as half of them go last. */
  #kinLast(idle: readonly Connection[]): Connection[] {
    const kin = idle.filter(({ peer }) => this.isKin(peer)).slice(-Math.floor(this.most / 2));
    return [...idle.filter((connection) => !kin.includes(connection)), ...kin];
  }

  /** Those not needed right now or lately, the one used longest ago first. */
  #idle(connections: readonly Connection[], now: number): Connection[] {
    const used = ({ peer }: Connection): number => this.#used.get(peer) ?? Number.NEGATIVE_INFINITY;
    return connections
      .filter((connection) => {
        // One of two may go although the peer is in use; what is under way on it is asked for again.
        const recent = !connection.relayed && used(connection) >= now - RECENT_MS;
        return !recent && !this.#busy.has(connection.peer) && !this.isNeeded(connection.peer);
      })
      .sort((a, b) => used(a) - used(b));
  }
}
