import type { PeerId } from "@coterie/core";
import {
  type CircuitRelayServerComponents,
  type CircuitRelayServerInit,
  type CircuitRelayService,
  circuitRelayServer,
} from "@libp2p/circuit-relay-v2";
import type { Stream, StreamHandler } from "@libp2p/interface";
import { CIRCUIT_BYTES, CIRCUIT_BYTES_PER_SECOND, CIRCUITS } from "./limits.ts";
import { FloodError } from "./wire.ts";

/**
 * What goes through a hub that relays. libp2p's own limits mark a connection as limited, and end it after some minutes
 * whatever goes over it; these end only what costs too much.
 */
export class Relayed {
  bytes = 0;
  #open = 0;

  constructor(
    readonly clock: () => number,
    readonly flood: (peer: PeerId) => void,
  ) {}

  /** Connections that are being relayed, and requests for one. */
  get circuits(): number {
    return this.#open;
  }

  /** libp2p's relay, with a watch on the streams over which it is asked and relays. */
  server(init: CircuitRelayServerInit): (components: CircuitRelayServerComponents) => CircuitRelayService {
    return (components) => {
      const { registrar } = components;
      const handle: typeof registrar.handle = (protocol, handler, options) =>
        registrar.handle(protocol, this.#watched(handler), options);
      // Not `libp2p.use`: that calls a handler once more for every stream there was before.
      const watched = new Proxy(registrar, { get: (from, name) => (name === "handle" ? handle : bound(from, name)) });
      return circuitRelayServer({ ...init })(
        new Proxy(components, {
          get: (from, name) => (name === "registrar" ? watched : Reflect.get(from, name)),
        }),
      );
    };
  }

  #watched(handler: StreamHandler): StreamHandler {
    return (stream, connection) => {
      const peer = connection.remotePeer.toString();
      if (this.#open >= CIRCUITS) return this.#end(stream, peer);
      this.#open += 1;
      stream.addEventListener("close", () => {
        this.#open -= 1;
      });
      this.#measure(stream, peer);
      return handler(stream, connection);
    };
  }

  /** Counts both ways: what comes from the caller, and what is sent back to it. */
  #measure(stream: Stream, peer: PeerId): void {
    let allowance = CIRCUIT_BYTES;
    let at = this.clock();
    const count = (bytes: number): void => {
      const now = this.clock();
      this.bytes += bytes;
      allowance = Math.min(CIRCUIT_BYTES, allowance + ((now - at) / 1000) * CIRCUIT_BYTES_PER_SECOND) - bytes;
      at = now;
      if (allowance < 0 && stream.status === "open") this.#end(stream, peer);
    };
    const send = stream.send.bind(stream);
    stream.send = (data) => {
      count(data.byteLength);
      return send(data);
    };
    stream.addEventListener("message", ({ data }) => count(data.byteLength));
  }

  #end(stream: Stream, peer: PeerId): void {
    this.flood(peer);
    // Not within the event that brought the bytes.
    queueMicrotask(() => stream.abort(new FloodError("more than this hub relays")));
  }
}

function bound(from: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(from, name);
  return typeof value === "function" ? value.bind(from) : value;
}
