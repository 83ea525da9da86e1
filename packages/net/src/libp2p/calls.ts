import { type PeerId, ProtocolViolation } from "@coterie/core";
import type { Connection, Stream } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import type { Multiaddr } from "@multiformats/multiaddr";
import { keepNewest } from "../keep.ts";
import { type Link, LinkError } from "../link/link.ts";
import { ANSWER_MS } from "../node/limits.ts";
import type { CallContext } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError } from "./events.ts";
import { type RequestKind, type ResponseKind, requests, responses } from "./frames.ts";
import { type Answerer, greet } from "./greeting.ts";
import {
  CONNECT_MS,
  DIAL_MS,
  DIALS_AT_ONCE,
  DIRECT_DIAL_MS,
  GREETING_BYTES,
  GREETING_MS,
  HEADER_BYTES,
  PROTOCOL,
  REFUSED_MS,
} from "./limits.ts";
import { Turnstile } from "./turnstile.ts";
import { isRelayed, isTabToTab, waysTo } from "./ways.ts";
import { Wire } from "./wire.ts";

export interface Response {
  readonly kind: ResponseKind;
  readonly body: Uint8Array;
}

/**
 * Of all peers of this process together: they share its one thread, and when more than a few connect at once on a busy
 * machine, all of them are too late.
 */
const dials = new Turnstile(DIALS_AT_ONCE);

/** A kept stream that turns out closed, and one on a connection that was about to be. */
const ATTEMPTS = 3;

/** Requests to others: one stream per peer, opened when first needed and kept, one request on it at a time. */
export class Calls {
  readonly #wires = new Map<PeerId, Wire>();
  readonly #throughHub = new WeakSet<Wire>();
  readonly #turns = new Map<PeerId, Promise<unknown>>();
  /** Where a hub was named to us; nobody else may take the place of one. */
  readonly #meetingPoints = new Set<PeerId>();
  readonly #hubs = new Set<PeerId>();
  readonly #refused = new Map<PeerId, { readonly error: RefusedError; readonly until: number }>();

  #left = false;

  constructor(
    readonly context: CallContext,
    readonly addressesOf: (peer: PeerId) => readonly string[],
  ) {}

  /** What the host asks, over its link. */
  readonly request: Link["request"] = async (to, message, { signal, withinMs } = {}) => {
    if (this.#left) throw new LinkError("the network is closed");
    signal?.throwIfAborted();
    const { traffic } = this.context;
    let written = false;
    const onWrite = (): void => {
      written = true;
    };
    const ask = (within: AbortSignal): Promise<Response> => this.ask(to, "exchange", message, within, onWrite);
    const ms = withinMs ?? (signal === undefined ? ANSWER_MS : undefined);
    try {
      const { kind, body } = await this.counted(to, false, () => withDeadline(ms, ask, signal));
      if (kind !== "answer")
        throw new LinkError(`${to} ${kind === "idle" ? "answers no exchanges" : "could not answer"}`);
      traffic.answered += 1;
      traffic.exchangeSentBytes += message.length;
      traffic.exchangeReceivedBytes += body.length;
      return body;
    } catch (error) {
      traffic.failed += 1;
      if (written || error instanceof RefusedError) throw error;
      throw new LinkError(error instanceof Error ? error.message : `no way to ${to}`, true);
    }
  };

  /** `onWrite` is called before anything of the request leaves. */
  async ask(
    to: PeerId,
    kind: RequestKind,
    body: Uint8Array,
    signal: AbortSignal,
    onWrite = (): void => {},
  ): Promise<Response> {
    const before = this.#turns.get(to);
    const turn = (async () => {
      await before?.catch(() => {});
      return this.#ask(to, kind, body, signal, onWrite);
    })();
    this.#turns.set(to, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(to) === turn) this.#turns.delete(to);
    }
  }

  /** A request whose outcome counts for or against the other one. `work`: the node asked for it. */
  async counted(peer: PeerId, work: boolean, ask: () => Promise<Response>): Promise<Response> {
    this.context.tell({ kind: "asking", peer });
    try {
      const response = await ask();
      this.context.tell({ kind: "answered", peer, work });
      return response;
    } catch (error) {
      this.context.tell({ kind: "failed", peer, work });
      if (error instanceof RefusedError || error instanceof LinkError) throw error;
      throw new LinkError(`no answer from ${peer}: ${error instanceof Error ? error.message : "it failed"}`);
    }
  }

  /** Connects to whoever is at an address, and says who it is. It may be a hub where we were told to begin. */
  async find(address: Multiaddr, mayBeHub: boolean): Promise<PeerId> {
    const { libp2p } = this.context;
    const dial = (signal: AbortSignal): Promise<Connection> => libp2p.dial(address, { signal });
    const { remotePeer } = await dials.pass(() => withDeadline(DIAL_MS, dial));
    const peer = remotePeer.toString();
    if (mayBeHub) this.#meetingPoints.add(peer);
    return peer;
  }

  /** Whether the peer answered as a hub when it was last called. */
  isHub(peer: PeerId): boolean {
    return this.#hubs.has(peer);
  }

  /** Who was refused before and greets well now is another version of itself: it may be called at once. */
  welcomed(peer: PeerId): void {
    this.#refused.delete(peer);
  }

  /** Tries to connect without the hub that a peer is reached through now. */
  async improve(peer: PeerId): Promise<void> {
    const { libp2p, mine } = this.context;
    const [ways] = waysTo(
      peer,
      this.addressesOf(peer).filter((address) => !isRelayed(address)),
    );
    // Of two tabs one is enough to try.
    if (ways === undefined || (mine.self > peer && ways.some((way) => isTabToTab(way.toString())))) return;
    const dial = (signal: AbortSignal): Promise<Connection> => libp2p.dial([...ways], { signal, force: true });
    await dials.pass(() => withDeadline(DIAL_MS, dial));
  }

  /** Nothing more of the host's is asked; farewells still are. */
  leave(): void {
    this.#left = true;
  }

  close(): void {
    this.leave();
    for (const wire of this.#wires.values()) wire.abort(new LinkError("the network is closed"));
    this.#wires.clear();
  }

  /**
   * The other side may close a stream or a connection that it thinks idle just as we use it. That says nothing about
   * it, so the request is made again; handlers get it twice then, as they may over any link.
   */
  async #ask(
    to: PeerId,
    kind: RequestKind,
    body: Uint8Array,
    signal: AbortSignal,
    onWrite: () => void,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      this.#requireSight();
      const kept = this.#wires.get(to);
      const wire = kept !== undefined && this.#serves(to, kept) ? kept : await this.#open(to, signal);
      try {
        onWrite();
        return await this.#converse(to, wire, kind, body, signal);
      } catch (error) {
        const final = error instanceof ProtocolViolation || error instanceof RefusedError;
        if (attempt === ATTEMPTS || signal.aborted || final) throw error;
      }
    }
  }

  async #converse(to: PeerId, wire: Wire, kind: RequestKind, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    const { context } = this;
    const received = wire.receivedBytes;
    try {
      this.#requireSight();
      const hub = this.#hubs.has(to);
      const bulletin = hub ? context.introduce(to) : context.pack(to, kind);
      const header = requests.encode({ ...bulletin, kind });
      const said = hub ? context.asks(to) : body;
      await wire.write([header, said], signal);
      context.traffic.sentBytes += header.length + said.length;
      const answer = responses.decode(await wire.read(signal, HEADER_BYTES));
      const response = { kind: answer.kind, body: await wire.read(signal) };
      // Without a ticket of our own, nothing can be made of those of others.
      if (hub && said.length > 0) await context.granted(to, response.body);
      await context.take(to, answer, kind);
      if (!hub && !context.admits(to)) throw new RefusedError("ticket", "us");
      return response;
    } catch (error) {
      this.#drop(to, wire, error);
      if (error instanceof ProtocolViolation || error instanceof RefusedError)
        context.watch.violation(to, error.reason);
      throw error;
    } finally {
      context.traffic.receivedBytes += wire.receivedBytes - received;
    }
  }

  async #open(to: PeerId, signal: AbortSignal): Promise<Wire> {
    this.#requireWelcome(to);
    const wire = await this.#greeted(to, signal);
    wire.widen(this.context.messageBytes);
    this.#wires.set(to, wire);
    wire.stream.addEventListener("close", () => this.#forget(to, wire));
    return wire;
  }

  /**
   * A stream past the greeting. A connection that was open before and does not answer one is none: the other side may be
   * closing it, and between tabs the two may have given up the dial at different times. Then another one is used or made.
   */
  async #greeted(to: PeerId, signal: AbortSignal): Promise<Wire> {
    for (let attempt = 1; ; attempt++) {
      const kept = this.#connectionTo(to);
      const connection = kept ?? (await this.#connect(to, signal));
      try {
        const wire = await withDeadline(GREETING_MS, (within) => this.#greet(to, connection, within), signal);
        if (isRelayed(connection.remoteAddr.toString())) this.#throughHub.add(wire);
        return wire;
      } catch (error) {
        const answered = error instanceof RefusedError || error instanceof ProtocolViolation;
        if (answered || (signal.aborted && !isTabToTab(connection.remoteAddr.toString()))) throw error;
        connection.abort(error instanceof Error ? error : new LinkError("no greeting"));
        if (signal.aborted || kept === undefined || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #greet(to: PeerId, connection: Connection, signal: AbortSignal): Promise<Wire> {
    const wire = new Wire(await this.#stream(to, connection, signal), GREETING_BYTES);
    try {
      const answerer = await greet(wire, this.context.mine, to, signal);
      this.#note(to, answerer);
      return wire;
    } catch (error) {
      wire.abort(error);
      if (error instanceof RefusedError) this.#noteRefusal(to, error, connection);
      if (error instanceof ProtocolViolation) this.context.watch.violation(to, error.reason);
      throw error;
    }
  }

  /** Whoever does not know the protocol speaks another version of it. */
  async #stream(to: PeerId, connection: Connection, signal: AbortSignal): Promise<Stream> {
    try {
      return await connection.newStream(PROTOCOL, { signal });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "UnsupportedProtocolError") throw error;
      const refused = new RefusedError("another-version", "them");
      this.#noteRefusal(to, refused, connection);
      throw refused;
    }
  }

  #note(peer: PeerId, answerer: Answerer): void {
    this.#hubs.delete(peer);
    if (answerer.kind === "member") return;
    if (!this.#meetingPoints.has(peer)) throw new ProtocolViolation("mismatch", "greeting", "meet", "be a welcome");
    this.#hubs.add(peer);
    if (answerer.misfits > 0) this.context.watch.tell({ kind: "misfits", hub: peer, count: answerer.misfits });
  }

  /** Makes sure that there is a connection: what is asked next takes no longer than the asking. */
  async connect(to: PeerId): Promise<void> {
    this.#requireWelcome(to);
    if (this.#connectionTo(to) !== undefined) return;
    await withDeadline(CONNECT_MS, (signal) => this.#connect(to, signal));
  }

  async #connect(to: PeerId, signal: AbortSignal): Promise<Connection> {
    const { libp2p } = this.context;
    const open = this.#connectionTo(to);
    if (open !== undefined) return open;
    const ways = waysTo(to, this.addressesOf(to));
    if (ways.length === 0) throw new LinkError(`no address of ${to} is known`);
    for (const [k, addresses] of ways.entries()) {
      const last = k === ways.length - 1;
      try {
        const dial = (within: AbortSignal): Promise<Connection> => libp2p.dial([...addresses], { signal: within });
        const ms = last || addresses.some((it) => isTabToTab(it.toString())) ? DIAL_MS : DIRECT_DIAL_MS;
        return await dials.pass(() => withDeadline(ms, dial, signal), signal);
      } catch (error) {
        if (last || signal.aborted) throw error;
      }
    }
    throw new LinkError(`no way to ${to}`);
  }

  /** Whether a kept stream is the one to use: not if it goes through a hub and there is a way without by now. */
  #serves(to: PeerId, { stream }: Wire): boolean {
    if (stream.status !== "open") return false;
    const best = this.#throughHub.has(this.#wires.get(to)!) ? this.#connectionTo(to) : undefined;
    return best === undefined || isRelayed(best.remoteAddr.toString());
  }

  /** A direct one, if there is one. */
  #connectionTo(peer: PeerId): Connection | undefined {
    const open = this.context.libp2p.getConnections(peerIdFromString(peer)).filter(({ status }) => status === "open");
    return open.find(({ remoteAddr }) => !isRelayed(remoteAddr.toString())) ?? open[0];
  }

  /** Whatever began before the page went out of sight, no word of it may follow the goodbye and undo it. */
  #requireSight(): void {
    if (this.context.isHidden()) throw new LinkError("the page is out of sight", true);
  }

  #requireWelcome(to: PeerId): void {
    const refused = this.#refused.get(to);
    if (refused === undefined) return;
    if (refused.until > this.context.clock()) throw refused.error;
    this.#refused.delete(to);
  }

  #noteRefusal(peer: PeerId, error: RefusedError, connection: Connection): void {
    const { watch, clock } = this.context;
    if (error.reason !== "overloaded") keepNewest(this.#refused, peer, { error, until: clock() + REFUSED_MS }, 256);
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
