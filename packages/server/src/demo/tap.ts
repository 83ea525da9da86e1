import type { PeerId } from "@coterie/core";
import { type Libp2pNetwork, LinkError, type Network, type NetworkFactory } from "@coterie/net";

/** Bytes of the two messages of the last exchange with somebody. */
export interface Carried {
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** A peer's network with a meter and a switch in the line: it counts what passes, and can be cut. */
export class Tap {
  readonly #last = new Map<PeerId, Carried>();
  #network: Libp2pNetwork | null = null;
  /** Those on the other side of a cut. */
  #beyond: (peer: PeerId) => boolean = () => false;

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

  /** From now on nothing passes to or from those for whom `beyond` holds. */
  cut(beyond: (peer: PeerId) => boolean): void {
    this.#beyond = beyond;
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
          if (this.#beyond(to)) throw new LinkError(`the way to ${to} is cut`);
          const answer = await link.request(to, message, options);
          this.#last.set(to, { sentBytes: message.length, receivedBytes: answer.length });
          return answer;
        },
        serve: (handler) =>
          link.serve((from, message) => {
            if (this.#beyond(from)) throw new LinkError(`the way from ${from} is cut`);
            return handler(from, message);
          }),
        close: () => link.close(),
      },
    };
  }
}
