import type { Server, Socket } from "node:net";
import { InvariantError } from "@coterie/core";
import type { Listener, Transport } from "@libp2p/interface";
import type { ArrivalLimit } from "./arrivals.ts";
import { HELD_AT_ONCE, HELD_MS } from "./limits.ts";

/**
 * Turns sockets away before libp2p sees them: there it takes most of a millisecond to refuse one, here a tenth of that. Some are held for a moment
 * and then closed, so that whoever dials again as soon as it is refused comes less often.
 */
export function guarded<C, T extends Transport>(
  make: (components: C) => T,
  arrivals: ArrivalLimit,
): (components: C) => T {
  return (components) => {
    const transport = make(components);
    const createListener = transport.createListener.bind(transport);
    transport.createListener = (options) => {
      const listener = createListener(options);
      if (!hasServer(listener)) throw new InvariantError("the listener accepts connections elsewhere");
      const { server } = listener;
      const held = new Held();
      const accept = server.listeners("connection");
      server.removeAllListeners("connection");
      server.on("connection", (socket: Socket) => {
        if (arrivals.admits(addressOf(socket), performance.now())) {
          for (const handle of accept) handle.call(server, socket);
          return;
        }
        arrivals.onTurnedAway();
        held.add(socket);
      });
      const close = listener.close.bind(listener);
      // A server that closes waits for all its sockets.
      listener.close = (...given) => {
        held.clear();
        return close(...given);
      };
      return listener;
    };
    return transport;
  };
}

/** Sockets that wait for their end. Nothing is read from them but what fits into a socket's buffer. */
class Held {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): void {
    // What goes wrong with it no longer matters, but nobody listening would end the process.
    socket.on("error", () => {});
    if (this.#sockets.size >= HELD_AT_ONCE) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    setTimeout(() => this.#end(socket), HELD_MS).unref();
  }

  clear(): void {
    for (const socket of this.#sockets) this.#end(socket);
  }

  #end(socket: Socket): void {
    this.#sockets.delete(socket);
    socket.destroy();
  }
}

const addressOf = ({ remoteAddress, remoteFamily }: Socket): string =>
  `/${remoteFamily === "IPv6" ? "ip6" : "ip4"}/${remoteAddress ?? ""}`;

function hasServer(listener: Listener): listener is Listener & { readonly server: Server } {
  return "server" in listener;
}
