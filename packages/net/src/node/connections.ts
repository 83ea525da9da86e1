import type { PeerId } from "@coterie/core";
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
  /** When each was last used. */
  readonly #used = new Map<PeerId, number>();
  /** With whom how much is under way. */
  readonly #busy = new Map<PeerId, number>();
  /** When a way without a hub was last looked for. */
  readonly #improved = new Map<PeerId, number>();

  /** `most`: connections to keep. `isNeeded`: whether the one to a peer must stay, used or not. */
  constructor(
    readonly most: number,
    readonly isNeeded: (peer: PeerId) => boolean,
  ) {}

  open(connection: Connection, now: number): void {
    this.#open.set(connection.id, connection);
    this.touch(connection.peer, now);
  }

  /** The peer to whom there is none left, or null. */
  close(id: string): PeerId | null {
    const peer = this.#open.get(id)?.peer;
    this.#open.delete(id);
    if (peer === undefined || this.has(peer)) return null;
    this.#used.delete(peer);
    return peer;
  }

  has(peer: PeerId): boolean {
    for (const connection of this.#open.values()) if (connection.peer === peer) return true;
    return false;
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

  /** The one to a peer, where there is one, is in use. */
  touch(peer: PeerId, now: number): void {
    if (this.has(peer)) this.#used.set(peer, now);
  }

  /** Something begins with a peer, or has ended. */
  use(peer: PeerId, change: 1 | -1, now: number): void {
    const count = (this.#busy.get(peer) ?? 0) + change;
    if (count > 0) this.#busy.set(peer, count);
    else this.#busy.delete(peer);
    this.touch(peer, now);
  }

  /** Whether to look for a way to a peer that needs no hub: the hub may go, and has others to serve. */
  improves(peer: PeerId, now: number): boolean {
    if (now - (this.#improved.get(peer) ?? Number.NEGATIVE_INFINITY) < IMPROVE_MS) return false;
    const ways = Array.from(this.#open.values()).filter((connection) => connection.peer === peer);
    if (ways.length === 0 || !ways.every(({ relayed }) => relayed)) return false;
    this.#improved.delete(peer);
    this.#improved.set(peer, now);
    if (this.#improved.size > MOST_IMPROVED) this.#improved.delete(this.#improved.keys().next().value!);
    return true;
  }

  /** To be closed: what goes through a hub to peers that are reached without one, and what was used longest ago. */
  excess(now: number): Connection[] {
    const all = [...this.#open.values()];
    const direct = new Set(all.filter(({ relayed }) => !relayed).map(({ peer }) => peer));
    const twice = all.filter(({ relayed, peer }) => relayed && direct.has(peer));
    const once = all.filter((connection) => !twice.includes(connection));
    return [...this.#idle(twice, now), ...this.#idle(once, now).slice(0, Math.max(0, once.length - this.most))];
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
