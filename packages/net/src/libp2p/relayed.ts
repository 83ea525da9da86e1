import type { PeerId } from "@coterie/core";
import {
  type CircuitRelayServerComponents,
  type CircuitRelayServerInit,
  type CircuitRelayService,
  circuitRelayServer,
} from "@libp2p/circuit-relay-v2";
import type { Connection, Stream, StreamHandler } from "@libp2p/interface";
import { prefixOf } from "../membership/prefix.ts";
import { RefusedError } from "./events.ts";
import type { HubLimit, HubLimits } from "./hubLimits.ts";
import { Shares } from "./shares.ts";
import { FloodError } from "./wire.ts";

/** What one peer may still have relayed, as it was at a moment. */
interface Allowance {
  bytes: number;
  at: number;
}

export type RelayedLimits = Pick<HubLimits, "circuits" | "circuitsPerPrefix" | "relayBytes" | "relayBytesPerSecond">;

export interface RelayedParts {
  readonly limits: RelayedLimits;
  readonly clock: () => number;
  /** The limit that a connection is beyond, so that nothing is relayed for it. */
  readonly beyond: (connection: Connection) => HubLimit | null;
  readonly overload: (peer: PeerId, limit: HubLimit) => void;
  readonly flood: (peer: PeerId) => void;
}

/**
 * What goes through a hub that relays. libp2p's own limits mark a connection as limited, and end it after some minutes
 * whatever goes over it; these end only what costs too much. They are for a peer and not for a circuit: another circuit
 * costs nothing.
 */
export class Relayed {
  bytes = 0;
  readonly #parts: RelayedParts;
  /** Streams over which somebody is relayed, or asks for it. */
  readonly #open: Shares;
  #streams = 0;
  /** Of those who have not all of it: after half a minute of silence they do again. */
  readonly #allowances = new Map<PeerId, Allowance>();

  constructor(parts: RelayedParts) {
    this.#parts = parts;
    this.#open = new Shares(parts.limits.circuitsPerPrefix);
  }

  /** Connections that are being relayed, and requests for one. */
  get circuits(): number {
    return this.#open.size;
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
      const prefix = prefixOf(connection.remoteAddr);
      const limit = this.#lacks(connection, prefix);
      if (limit !== null) {
        this.#parts.overload(peer, limit);
        return stream.abort(new RefusedError("overloaded", "us"));
      }
      if (this.#allowance(peer).bytes < 0) return this.#end(stream, peer);
      this.#streams += 1;
      const key = String(this.#streams);
      this.#open.add(key, prefix);
      stream.addEventListener("close", () => this.#open.delete(key));
      this.#measure(stream, peer);
      return handler(stream, connection);
    };
  }

  #lacks(connection: Connection, prefix: string | null): HubLimit | null {
    if (this.#open.size >= this.#parts.limits.circuits) return "circuits";
    return this.#open.isSpent(prefix) ? "circuitsPerPrefix" : this.#parts.beyond(connection);
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
    const { relayBytes, relayBytesPerSecond, circuits } = this.#parts.limits;
    const now = this.#parts.clock();
    const known = this.#allowances.get(peer);
    if (known !== undefined) {
      known.bytes = Math.min(relayBytes, known.bytes + ((now - known.at) / 1000) * relayBytesPerSecond);
      known.at = now;
      return known;
    }
    const whole = { bytes: relayBytes, at: now };
    if (this.#allowances.size >= circuits) this.#forget(now);
    this.#allowances.set(peer, whole);
    return whole;
  }

  /** Those who have all of it again need not be known. */
  #forget(now: number): void {
    const { relayBytes, relayBytesPerSecond } = this.#parts.limits;
    for (const [peer, { bytes, at }] of this.#allowances) {
      if (bytes + ((now - at) / 1000) * relayBytesPerSecond >= relayBytes) this.#allowances.delete(peer);
    }
  }

  #end(stream: Stream, peer: PeerId): void {
    this.#parts.flood(peer);
    // Not within the event that brought the bytes.
    queueMicrotask(() => stream.abort(new FloodError("more than this hub relays")));
  }
}

function bound(from: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(from, name);
  return typeof value === "function" ? value.bind(from) : value;
}
