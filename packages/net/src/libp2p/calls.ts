import { type PeerId, ProtocolViolation } from "@coterie/core";
import type { Connection } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { LinkError } from "../link/link.ts";
import type { Context } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError } from "./events.ts";
import { type RequestKind, type ResponseKind, requests, responses } from "./frames.ts";
import { greet } from "./greeting.ts";
import { DIAL_MS, GREETING_BYTES, GREETING_MS, HEADER_BYTES, PROTOCOL, REFUSED_MS } from "./limits.ts";
import { Wire } from "./wire.ts";

export interface Response {
  readonly kind: ResponseKind;
  readonly body: Uint8Array;
}

/** A kept stream that turns out closed, and one on a connection that was about to be. */
const ATTEMPTS = 3;

/** Requests to others: one stream per peer, opened when first needed and kept, one request on it at a time. */
export class Calls {
  readonly #wires = new Map<PeerId, Wire>();
  readonly #turns = new Map<PeerId, Promise<unknown>>();
  readonly #refused = new Map<PeerId, { readonly error: RefusedError; readonly until: number }>();

  constructor(
    readonly context: Context,
    readonly addressesOf: (peer: PeerId) => readonly string[],
  ) {}

  /** Peers that a request is under way to, or waiting. */
  isBusy(peer: PeerId): boolean {
    return this.#turns.has(peer);
  }

  /** Whether there is a way at all: one that only dials out has no address. */
  canReach(peer: PeerId): boolean {
    return this.addressesOf(peer).length > 0 || this.#connectionTo(peer) !== undefined;
  }

  async ask(to: PeerId, kind: RequestKind, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    const before = this.#turns.get(to);
    const turn = (async () => {
      await before?.catch(() => {});
      return this.#ask(to, kind, body, signal);
    })();
    this.#turns.set(to, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(to) === turn) this.#turns.delete(to);
    }
  }

  /** Connects to whoever is at an address, and says who it is. */
  async find(address: Multiaddr): Promise<PeerId> {
    const { libp2p } = this.context;
    const { remotePeer } = await withDeadline(DIAL_MS, (signal) => libp2p.dial(address, { signal }));
    return remotePeer.toString();
  }

  close(): void {
    for (const wire of this.#wires.values()) wire.abort(new LinkError("the network is closed"));
    this.#wires.clear();
  }

  /**
   * The other side may close a stream or a connection that it thinks idle just as we use it. That says nothing about
   * it, so the request is made again; handlers get it twice then, as they may over any link.
   */
  async #ask(to: PeerId, kind: RequestKind, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const kept = this.#wires.get(to);
      const wire = kept?.stream.status === "open" ? kept : await this.#open(to, signal);
      try {
        return await this.#converse(to, wire, kind, body, signal);
      } catch (error) {
        if (attempt === ATTEMPTS || signal.aborted || error instanceof ProtocolViolation) throw error;
      }
    }
  }

  async #converse(to: PeerId, wire: Wire, kind: RequestKind, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    const { context } = this;
    const received = wire.receivedBytes;
    try {
      const header = requests.encode({ kind, news: context.pack(to) });
      await wire.write([header, body], signal);
      context.traffic.sentBytes += header.length + body.length;
      const answer = responses.decode(await wire.read(signal, HEADER_BYTES));
      const response = { kind: answer.kind, body: await wire.read(signal) };
      await context.take(to, answer.news);
      return response;
    } catch (error) {
      this.#drop(to, wire, error);
      if (error instanceof ProtocolViolation) context.watch.violation(to, error.reason);
      throw error;
    } finally {
      context.traffic.receivedBytes += wire.receivedBytes - received;
    }
  }

  async #open(to: PeerId, signal: AbortSignal): Promise<Wire> {
    this.#requireWelcome(to);
    const connection = await this.#connect(to, signal);
    const wire = await withDeadline(GREETING_MS, (within) => this.#greet(to, connection, within), signal);
    wire.widen(this.context.messageBytes);
    this.#wires.set(to, wire);
    wire.stream.addEventListener("close", () => this.#forget(to, wire));
    return wire;
  }

  async #greet(to: PeerId, connection: Connection, signal: AbortSignal): Promise<Wire> {
    const wire = new Wire(await connection.newStream(PROTOCOL, { signal }), GREETING_BYTES);
    try {
      await greet(wire, this.context.mine, to, signal);
      return wire;
    } catch (error) {
      wire.abort(error);
      if (error instanceof RefusedError) this.#noteRefusal(to, error, connection);
      if (error instanceof ProtocolViolation) this.context.watch.violation(to, error.reason);
      throw error;
    }
  }

  async #connect(to: PeerId, signal: AbortSignal): Promise<Connection> {
    const { libp2p } = this.context;
    const open = this.#connectionTo(to);
    if (open !== undefined) return open;
    const addresses = this.addressesOf(to).flatMap((address) => dialable(address, to));
    if (addresses.length === 0) throw new LinkError(`no address of ${to} is known`);
    return withDeadline(DIAL_MS, (within) => libp2p.dial(addresses, { signal: within }), signal);
  }

  #connectionTo(peer: PeerId): Connection | undefined {
    return this.context.libp2p.getConnections(peerIdFromString(peer)).find(({ status }) => status === "open");
  }

  #requireWelcome(to: PeerId): void {
    const refused = this.#refused.get(to);
    if (refused === undefined) return;
    if (refused.until > this.context.clock()) throw refused.error;
    this.#refused.delete(to);
  }

  #noteRefusal(peer: PeerId, error: RefusedError, connection: Connection): void {
    const { watch, clock } = this.context;
    if (error.reason !== "overloaded") this.#refused.set(peer, { error, until: clock() + REFUSED_MS });
    if (this.#refused.size > 256) this.#refused.delete(this.#refused.keys().next().value!);
    if (error.by === "us") watch.violation(peer, error.reason);
    watch.tell({ kind: "refused", peer, by: error.by, reason: error.reason });
    connection.close().catch(() => {});
  }

  #drop(to: PeerId, wire: Wire, error: unknown): void {
    wire.abort(error);
    this.#forget(to, wire);
  }

  #forget(to: PeerId, wire: Wire): void {
    if (this.#wires.get(to) === wire) this.#wires.delete(to);
  }
}

/** An address with the name of who must be there; none where it does not parse or names somebody else. */
function dialable(address: string, peer: PeerId): Multiaddr[] {
  try {
    const parsed = multiaddr(address);
    const named = parsed
      .getComponents()
      .reverse()
      .find(({ name }) => name === "p2p")?.value;
    if (named === undefined) return [parsed.encapsulate(`/p2p/${peer}`)];
    return named === peer ? [parsed] : [];
  } catch {
    return [];
  }
}
