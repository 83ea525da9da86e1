import type { PeerId } from "@coterie/core";
import type { ConnectionGater, Libp2p } from "@libp2p/interface";
import { LinkError } from "../link/link.ts";

type Gater = Pick<
  ConnectionGater,
  "denyDialPeer" | "denyOutboundEncryptedConnection" | "denyInboundEncryptedConnection"
>;

/** A switch in a node's lines: with those beyond it no connection stays, and none is made, whoever begins. */
export class Cut {
  #beyond: (peer: PeerId) => boolean = () => false;

  readonly gater: Gater = {
    denyDialPeer: (peer) => this.#beyond(peer.toString()),
    denyOutboundEncryptedConnection: (peer) => this.#beyond(peer.toString()),
    denyInboundEncryptedConnection: (peer) => this.#beyond(peer.toString()),
  };

  /** From now on; whoever is not beyond any more can be reached again. */
  at(libp2p: Libp2p, beyond: (peer: PeerId) => boolean): void {
    this.#beyond = beyond;
    for (const connection of libp2p.getConnections()) {
      if (beyond(connection.remotePeer.toString())) connection.abort(new LinkError("the connection was cut"));
    }
  }
}
