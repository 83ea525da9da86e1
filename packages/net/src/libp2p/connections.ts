import type { PeerId } from "@coterie/core";
import type { Connection, Libp2p } from "@libp2p/interface";
import { RECENT_MS } from "./limits.ts";
import { isRelayed } from "./ways.ts";

interface Parts {
  readonly libp2p: Libp2p;
  readonly clock: () => number;
  /** Connections to keep. */
  readonly most: number;
  /** Whether something is under way with the peer. */
  isBusy(peer: PeerId): boolean;
  /** Whether the connection to it must stay, used or not. */
  isNeeded(peer: PeerId): boolean;
}

/** No more connections than agreed, and none twice. */
export class Connections {
  readonly #parts: Parts;
  readonly #used = new Map<PeerId, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The connection to a peer is in use. */
  touch(peer: PeerId): void {
    this.#used.set(peer, this.#parts.clock());
  }

  forget(peer: PeerId): void {
    this.#used.delete(peer);
  }

  /** Peers that are connected, in the order of their names. */
  peers(): PeerId[] {
    return [...new Set(this.#parts.libp2p.getConnections().map(nameOf))].sort();
  }

  /** Whether a peer is connected, but only through a hub. */
  isRelayed(peer: PeerId): boolean {
    const those = this.#parts.libp2p.getConnections().filter((connection) => nameOf(connection) === peer);
    return those.length > 0 && those.every(throughHub);
  }

  /** Closes what goes through a hub to peers that are reached without one, and what was used longest ago. */
  tidy(): void {
    const all = this.#parts.libp2p.getConnections();
    const direct = new Set(all.filter((connection) => !throughHub(connection)).map(nameOf));
    const twice = all.filter((connection) => throughHub(connection) && direct.has(nameOf(connection)));
    const once = all.filter((connection) => !twice.includes(connection));
    for (const connection of this.#idle(twice)) close(connection);
    const excess = once.length - this.#parts.most;
    if (excess > 0) for (const connection of this.#idle(once).slice(0, excess)) close(connection);
  }

  /** Those not needed right now or lately, the one used longest ago first. */
  #idle(connections: readonly Connection[]): Connection[] {
    const { clock, isBusy, isNeeded } = this.#parts;
    const since = clock() - RECENT_MS;
    const used = (connection: Connection): number => this.#used.get(nameOf(connection)) ?? Number.NEGATIVE_INFINITY;
    return connections
      .filter((connection) => {
        const peer = nameOf(connection);
        // One of two may go although the peer is in use; what is under way on it is asked for again.
        const recent = !throughHub(connection) && used(connection) >= since;
        return !recent && !isBusy(peer) && !isNeeded(peer);
      })
      .sort((a, b) => used(a) - used(b));
  }
}

const nameOf = ({ remotePeer }: Connection): PeerId => remotePeer.toString();
const throughHub = ({ remoteAddr }: Connection): boolean => isRelayed(remoteAddr.toString());
const close = (connection: Connection): void => void connection.close().catch(() => {});
