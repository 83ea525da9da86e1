import type { CircuitRelayService } from "@libp2p/circuit-relay-v2";
import type { Ed25519PrivateKey, Libp2p, PeerId as Libp2pId } from "@libp2p/interface";
import { tcp } from "@libp2p/tcp";
import { webSockets } from "@libp2p/websockets";
import { createLibp2p } from "libp2p";
import { prefixOf } from "../membership/prefix.ts";
import { baseOptions } from "./base.ts";
import type { Watch } from "./events.ts";
import { forwardedWebSockets } from "./forwarded.ts";
import type { HubConnections } from "./hubConnections.ts";
import type { HubSettings } from "./hubOptions.ts";
import { DOORWAY, RESERVATION_MS, STREAMS_PER_PEER } from "./limits.ts";
import { noiseKeys } from "./noiseKeys.ts";
import type { Prover } from "./proof.ts";
import type { Relayed } from "./relayed.ts";
import type { Roster } from "./roster.ts";
import type { Shares } from "./shares.ts";

export type HubNode = Libp2p<{ relay: CircuitRelayService }>;

/** What a hub knows, apart from its sockets. */
export interface HubState {
  readonly settings: HubSettings;
  readonly roster: Roster;
  readonly watch: Watch;
  readonly served: HubConnections;
  readonly relayed: Relayed;
  /** Who can be reached through it, by address prefix. */
  readonly reserved: Shares;
  /** The rooms it is for, with their keys; any room where there are none. */
  readonly known: ReadonlyMap<string, Prover | null>;
}

export async function createHubNode(book: HubState, key: Ed25519PrivateKey): Promise<HubNode> {
  const { settings, watch, served, relayed } = book;
  const { limits } = settings;
  const base = baseOptions(key, limits.connections + 2 * DOORWAY, { crypto: noiseKeys });
  const libp2p: HubNode = await createLibp2p({
    ...base,
    // When everybody who has to hear of connections listens.
    start: false,
    addresses: { listen: [...settings.listen], appendAnnounce: [...settings.announce] },
    connectionManager: {
      ...base.connectionManager,
      maxIncomingPendingConnections: limits.handshakes,
      inboundConnectionThreshold: limits.arrivalsPerSecond,
    },
    transports: [tcp(), settings.trustProxy ? forwardedWebSockets() : webSockets()],
    services: {
      ...base.services,
      relay: relayed.server({
        maxInboundHopStreams: STREAMS_PER_PEER * 16,
        maxOutboundStopStreams: STREAMS_PER_PEER * 16,
        reservations: {
          maxReservations: limits.reservations,
          applyDefaultLimit: false,
          reservationTtl: RESERVATION_MS,
        },
      }),
    },
    connectionGater: {
      // It dials nobody but the other hubs.
      denyDialPeer: (peer) => !settings.hubs.has(peer.toString()),
      denyDialMultiaddr: () => settings.hubs.size === 0,
      // Beyond the doorway there is no time to say why.
      denyInboundConnection: () => {
        const full = served.all >= limits.connections + DOORWAY;
        if (full) watch.overload(null, "connections");
        return full;
      },
      denyInboundRelayReservation: (peer) => !mayReserve(peer, book, libp2p),
    },
  });
  return libp2p;
}

/** A reservation is for those who meet here: nobody else's traffic is relayed. And no address has them all. */
function mayReserve(id: Libp2pId, { settings, roster, watch, reserved }: HubState, libp2p: HubNode): boolean {
  const peer = id.toString();
  if (!roster.has(peer)) {
    watch.violation(peer, "uninvited");
    return false;
  }
  const [connection] = libp2p.getConnections(id);
  const prefix = connection === undefined ? null : prefixOf(connection.remoteAddr);
  const full = reserved.size >= settings.limits.reservations;
  const limit = full ? "reservations" : reserved.isSpent(prefix) ? "reservationsPerPrefix" : null;
  if (limit !== null && !reserved.has(peer)) {
    watch.overload(peer, limit);
    return false;
  }
  reserved.add(peer, prefix);
  return true;
}
