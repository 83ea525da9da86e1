import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { InvariantError } from "@coterie/core";
import type { Listener } from "@libp2p/interface";
import { webSockets } from "@libp2p/websockets";

type Accept = (socket: unknown, request: IncomingMessage) => void;

/**
 * WebSockets behind a proxy: whoever connects is taken to be at the address that the proxy gives, the last of `X-Forwarded-For`. What
 * stands before it the caller may have made up.
 */
export function forwardedWebSockets(): ReturnType<typeof webSockets> {
  return (components) => {
    const transport = webSockets()(components);
    const createListener = transport.createListener.bind(transport);
    transport.createListener = (options) => {
      const listener = createListener(options);
      if (!accepts(listener)) throw new InvariantError("the WebSocket listener accepts connections elsewhere");
      const accept = listener.onWsServerConnection.bind(listener);
      listener.onWsServerConnection = (socket, request) => accept(socket, fromForwarded(request));
      return listener;
    };
    return transport;
  };
}

function accepts(listener: Listener): listener is Listener & { onWsServerConnection: Accept } {
  return "onWsServerConnection" in listener && typeof listener.onWsServerConnection === "function";
}

/** The request as if it came from there; as it is where the proxy gives no address. */
function fromForwarded(request: IncomingMessage): IncomingMessage {
  const header = request.headers["x-forwarded-for"];
  const address = (Array.isArray(header) ? header.join(",") : header)?.split(",").at(-1)?.trim() ?? "";
  if (isIP(address) === 0) return request;
  const { remotePort } = request.socket;
  return Object.create(request, { socket: { value: { remoteAddress: address, remotePort } } }) as IncomingMessage;
}
