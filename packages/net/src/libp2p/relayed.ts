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

/** What one peer may still have relayed, as it was at a moment. */
interface Allowance {
  bytes: number;
  at: number;
}

/**
 * What goes through a hub that relays. libp2p's own limits mark a connection as limited, and end it after some minutes
 * whatever goes over it; these end only what costs too much. They are for a peer and not for a circuit: another circuit
 * costs nothing.
 */
export class Relayed {
  bytes = 0;
  #open = 0;
  /** Of those who have not all of it: after half a minute of silence they do again. */
  readonly #allowances = new Map<PeerId, Allowance>();

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
      if (this.#open >= CIRCUITS || this.#allowance(peer).bytes < 0) return this.#end(stream, peer);
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
    const count = (bytes: number): void => {
      const allowance = this.#allowance(peer);
      this.bytes += bytes;
      allowance.bytes -= bytes;
      if (allowance.bytes < 0 && stream.status === "open") this.#end(stream, peer);
    };
    const send = stream.send.bind(stream);
    stream.send = (data) => {
      count(data.byteLength);
      return send(data);
    };
    stream.addEventListener("message", ({ data }) => count(data.byteLength));
  }

  #allowance(peer: PeerId): Allowance {
    const now = this.clock();
    const known = this.#allowances.get(peer);
    if (known !== undefined) {
      known.bytes = Math.min(CIRCUIT_BYTES, known.bytes + ((now - known.at) / 1000) * CIRCUIT_BYTES_PER_SECOND);
      known.at = now;
      return known;
    }
    const whole = { bytes: CIRCUIT_BYTES, at: now };
    if (this.#allowances.size >= CIRCUITS) this.#forget(now);
    this.#allowances.set(peer, whole);
    return whole;
  }

  /** Those who have all of it again need not be known. */
  #forget(now: number): void {
    for (const [peer, { bytes, at }] of this.#allowances) {
      if (bytes + ((now - at) / 1000) * CIRCUIT_BYTES_PER_SECOND >= CIRCUIT_BYTES) this.#allowances.delete(peer);
    }
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
