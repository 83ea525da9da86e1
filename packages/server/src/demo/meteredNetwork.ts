import type { PeerId } from "@coterie/core";
import { type Libp2pNetwork, LinkError, type Network, type NetworkFactory } from "@coterie/net";

/** Bytes of the two messages of the last exchange with somebody. */
export interface Carried {
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** A peer's network with a meter in the line: it tells what an exchange carried. */
export class MeteredNetwork {
  readonly #last = new Map<PeerId, Carried>();
  #network: Libp2pNetwork | null = null;

  constructor(readonly join: (room: Parameters<NetworkFactory>[0]) => Promise<Libp2pNetwork>) {}

  readonly factory: NetworkFactory = async (room) => {
    const network = await this.join(room);
    this.#network = network;
    return this.#through(network);
  };

  get network(): Libp2pNetwork {
    if (this.#network === null) throw new LinkError("not joined yet");
    return this.#network;
  }

  /** What the last exchange with `peer` carried. */
  carried(peer: PeerId): Carried {
    return this.#last.get(peer) ?? { sentBytes: 0, receivedBytes: 0 };
  }

  #through(network: Libp2pNetwork): Network {
    const { link, self } = network;
    return {
      self,
      alive: () => network.alive(),
      onMembers: (changed) => network.onMembers(changed),
      close: () => network.close(),
      link: {
        request: async (to, message, options) => {
          this.#last.set(to, { sentBytes: message.length, receivedBytes: 0 });
          const answer = await link.request(to, message, options);
          this.#last.set(to, { sentBytes: message.length, receivedBytes: answer.length });
          return answer;
        },
        serve: (handler) => link.serve(handler),
        close: () => link.close(),
      },
    };
  }
}
