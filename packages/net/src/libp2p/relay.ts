import { InvariantError, type PeerId } from "@coterie/core";
import { type CircuitRelayTransportComponents, circuitRelayTransport } from "@libp2p/circuit-relay-v2";
import type { PeerId as Libp2pId, Transport } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import { multiaddr } from "@multiformats/multiaddr";

/** What libp2p keeps of the slots that others hold for us. */
interface Reservations {
  addRelay(hub: Libp2pId, type: "configured"): Promise<unknown>;
  getReservation(hub: Libp2pId): { readonly addrs: readonly Uint8Array[] } | undefined;
}

/**
 * Being reachable through hubs, and reaching others through theirs. libp2p's own way is to listen on a relay's address;
 * it does not come back after the relay was away, so reservations are asked for here, whenever a hub was called.
 */
export class Relay {
  readonly #hubs = new Map<PeerId, Libp2pId>();
  #reservations: Reservations | null = null;
  #connections: CircuitRelayTransportComponents["connectionManager"] | null = null;

  /** `suffixes`: what an address through a hub may also be dialled by, other than as a plain circuit. */
  constructor(readonly suffixes: readonly string[] = []) {}

  /** To be handed to libp2p. */
  readonly transport = (components: CircuitRelayTransportComponents): Transport => {
    const transport = circuitRelayTransport()(components);
    if (!hasReservations(transport)) throw new InvariantError("the circuit transport keeps its reservations elsewhere");
    this.#reservations = transport.reservationStore;
    this.#connections = components.connectionManager;
    return transport;
  };

  /** Makes sure that the hub holds a slot for us. True if that is new: our addresses have changed. */
  async reserve(hub: PeerId): Promise<boolean> {
    const id = this.#hubs.get(hub) ?? peerIdFromString(hub);
    this.#hubs.set(hub, id);
    if (this.has(hub)) return false;
    // libp2p never again asks a relay that it could not dial, so it is not made to.
    if (this.#connections?.getConnections(id).length === 0) return false;
    await this.#reservations?.addRelay(id, "configured");
    return this.has(hub);
  }

  has(hub: PeerId): boolean {
    const id = this.#hubs.get(hub);
    return id !== undefined && this.#reservations?.getReservation(id) !== undefined;
  }

  /**
   * Where we can be reached through hubs, without our name. Of a hub's addresses the one that we came by is known to
   * lead there, and tabs need one of a WebSocket.
   */
  addresses(): string[] {
    return [...this.#hubs.values()].flatMap((hub) => {
      const [first, ...others] = (this.#reservations?.getReservation(hub)?.addrs ?? []).map((bytes) =>
        multiaddr(bytes).toString(),
      );
      if (first === undefined) return [];
      const forTabs = isWebSocket(first) ? first : others.find(isWebSocket);
      const ways = forTabs === undefined || forTabs === first ? [first] : [forTabs, first];
      return ways.flatMap((way) => ["", ...this.suffixes].map((suffix) => `${way}/p2p-circuit${suffix}`));
    });
  }
}

const isWebSocket = (address: string): boolean => /\/wss?(\/|$)/.test(address);

function hasReservations(transport: Transport): transport is Transport & { readonly reservationStore: Reservations } {
  return "reservationStore" in transport;
}
