import type { PeerId } from "@coterie/core";
import type { Connection, PeerInfo } from "@libp2p/interface";
import { multiaddr } from "@multiformats/multiaddr";
import type { Notary } from "../identity/signature.ts";
import { reader, signedBy } from "../membership/codec.ts";
import type { MembershipEvent } from "../membership/entry.ts";
import { encodeTicket, readGrant, type Ticket } from "../membership/ticket.ts";
import type { GossipEffect, GossipEvent } from "../node/event.ts";
import type { Gossip } from "../node/gossip.ts";
import type { Node } from "../node/node.ts";
import type { Cause } from "../node/scores.ts";
import type { ArrivalLimit } from "./arrivals.ts";
import type { Calls, Response } from "./calls.ts";
import type { CallContext } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { isRefusal, type NetworkViolation, RefusedError } from "./events.ts";
import { GOODBYE, GOSSIP_MS, PARTING, PARTING_MS } from "./limits.ts";
import type { Relay } from "./relay.ts";
import { isRelayed } from "./ways.ts";

interface Parts {
  readonly context: CallContext;
  readonly node: Node;
  /** What the node says of the room. */
  readonly gossip: Gossip;
  readonly calls: Calls;
  readonly notary: Notary;
  /** Null where we can be reached without one. */
  readonly relay: Relay | null;
  /** Null where nobody can connect. */
  readonly arrivals: ArrivalLimit | null;
  /** Where we can be reached. */
  addresses(): string[];
  tell(event: MembershipEvent): void;
}

const NOTHING = new Uint8Array();
/** Asks for a ticket of whoever has none. */
const ANY = Uint8Array.of(0);

/** Does for the node what takes a socket, a key or a timer, and tells it what came of that. Decides nothing. */
export class Driver {
  readonly #parts: Parts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins with what we say of ourselves; then the rounds go on by themselves. */
  async start(): Promise<void> {
    const { libp2p } = this.#parts.context;
    await this.moved();
    libp2p.addEventListener("peer:discovery", this.#discovered);
    libp2p.addEventListener("connection:open", ({ detail }) => this.#opened(detail));
    libp2p.addEventListener("connection:close", ({ detail: { id } }) => this.tell({ kind: "closed", id }));
    for (const connection of libp2p.getConnections()) this.#opened(connection);
    this.#round();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#parts.context.libp2p.removeEventListener("peer:discovery", this.#discovered);
  }

  /** Where we can be reached may have changed. Resolves when that is signed. */
  moved(kind: "moved" | "serves" = "moved"): Promise<void> {
    return this.#feed({ kind, addresses: this.#parts.addresses() });
  }

  /** No more rounds, and one last word to a few. */
  leave(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#feed({ kind: "leaving", addresses: this.#parts.addresses() });
  }

  /** The page goes out of sight: all that is to be said leaves before this returns to the browser. */
  hide(): void {
    this.tell({ kind: "hidden" });
  }

  show(): void {
    this.tell({ kind: "shown", addresses: this.#parts.addresses() });
  }

  /** What a hub is asked for: a ticket where one is due, by the one we hold or by a byte. */
  asks(hub: PeerId): Uint8Array {
    const { gossip, context } = this.#parts;
    const { tickets } = gossip;
    if (tickets?.trusts(hub) !== true || !tickets.isDue(context.clock())) return NOTHING;
    return tickets.own === null ? ANY : encodeTicket(tickets.own);
  }

  /** What it gave. */
  async granted(hub: PeerId, answer: Uint8Array): Promise<void> {
    const { watch } = this.#parts.context;
    if (answer.length === 0) return watch.tell({ kind: "refused", peer: hub, by: "them", reason: "overloaded" });
    await this.#feed({ kind: "granted", grant: readGrant(reader(answer)) });
  }

  /** What came about that nobody waits for. */
  tell(event: GossipEvent): void {
    if (!this.#stopped) this.#parts.node.note(event);
  }

  /** Somebody did what no correct peer does. */
  offended(peer: PeerId, violation: NetworkViolation, times: number): void {
    // What befalls those who fit together in nothing, or lose their connection, says little.
    const mild = violation === "truncated" || violation === "slow";
    const cause = mild ? "slow" : isRefusal(violation) ? "refused" : (OFFENCES[violation] ?? "malformed");
    this.tell({ kind: "offended", peer, cause, times });
  }

  /** Resolves when all that follows is done, the next round excepted. */
  async #feed(event: GossipEvent): Promise<void> {
    if (!this.#stopped) await this.#parts.node.tell(event);
  }

  async perform(effect: GossipEffect): Promise<void> {
    const { notary, context, tell } = this.#parts;
    switch (effect.kind) {
      case "sign":
        return signedBy(notary, effect.claim).then(
          (entry) => this.#feed({ kind: "signed", entry }),
          () => {}, // What one round does not get to say the next one does.
        );
      case "call":
        await this.#gossip(effect.peer, true).catch(() => {});
        return;
      case "contact":
        return this.#contact(effect.address, effect.mayBeHub);
      case "improve":
        await this.#parts.calls.improve(effect.peer).catch(() => {});
        return this.#feed({ kind: "improved" });
      case "close":
        for (const connection of context.libp2p.getConnections())
          if (connection.id === effect.id) void this.#part(connection);
        return;
      case "farewell":
        // To ask for the stream is the message. Nobody may be left to hear the answer.
        for (const connection of context.libp2p.getConnections())
          if (connection.id === effect.id) connection.newStream(GOODBYE).catch(() => {});
        return;
      case "drop":
        for (const connection of context.libp2p.getConnections())
          if (connection.id === effect.id) this.#drop(connection);
        return;
      case "round-in":
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#round(), effect.ms);
        return;
      default:
        tell(effect);
    }
  }

  #drop(connection: Connection): void {
    const { arrivals, context } = this.#parts;
    if (connection.direction === "inbound") arrivals?.dropped(connection.remoteAddr.toString(), context.clock());
    connection.abort(new RefusedError("overloaded", "us"));
  }

  /** Says that it is no end, and closes. A stream of this protocol is all that takes. */
  async #part(connection: Connection): Promise<void> {
    try {
      await withDeadline(PARTING_MS, async (signal) => {
        const stream = await connection.newStream(PARTING, { signal });
        await stream.close({ signal });
      });
    } catch {
      // A hub does not know the word, and need not.
    }
    await connection.close().catch(() => {});
  }

  #round(): void {
    this.tell({ kind: "round", addresses: this.#parts.addresses() });
  }

  #gossip(peer: PeerId, work: boolean): Promise<Response> {
    const { calls } = this.#parts;
    return calls.counted(peer, work, async () => {
      await calls.connect(peer);
      return withDeadline(GOSSIP_MS, (signal) => calls.ask(peer, "gossip", NOTHING, signal));
    });
  }

  /** Calls whoever is at an address; asks a hub to be reachable through it, and tells it under which address that is. */
  async #contact(address: string, mayBeHub: boolean): Promise<void> {
    const { calls, relay, context } = this.#parts;
    let peer: PeerId | null = null;
    const ticket = this.#parts.gossip.tickets?.own;
    const hub = (): PeerId | null => (peer !== null && calls.isHub(peer) ? peer : null);
    try {
      peer = await calls.find(multiaddr(address), mayBeHub);
      await this.#gossip(peer, false);
      if (hub() !== null) await this.#showTicket(peer, ticket);
      const fresh = hub() === null ? undefined : await this.#reserve(peer);
      if (fresh === true) {
        await this.moved();
        await this.#gossip(peer, false);
      }
      this.tell({ kind: "reached", address, hub: hub(), held: relay?.has(peer) === true });
    } catch (error) {
      const refused = error instanceof RefusedError;
      this.tell({ kind: "missed", address, hub: hub(), refused });
      if (refused || this.#stopped) return;
      // A browser says of a WebSocket only that it failed, by an event.
      const message = error instanceof Error ? error.message : "it could not be reached";
      context.watch.tell({ kind: "unreachable", address, message });
    }
  }

  /** A new ticket becomes part of what we say of ourselves, and the hub tells others of that. Without one we go on to the next hub. */
  async #showTicket(hub: PeerId, before: Ticket | null | undefined): Promise<void> {
    const { tickets } = this.#parts.gossip;
    if (tickets === null || !tickets.trusts(hub)) return;
    if (tickets.own === null) throw new RefusedError("overloaded", "them");
    if (tickets.own === before) return;
    await this.moved();
    await this.#gossip(hub, false);
  }

  /** One that has no slot left is a hub all the same. */
  async #reserve(hub: PeerId): Promise<boolean> {
    try {
      return (await this.#parts.relay?.reserve(hub)) === true;
    } catch (error) {
      const reason = isFull(error) ? "overloaded" : null;
      if (reason !== null) this.#parts.context.watch.tell({ kind: "refused", peer: hub, by: "them", reason });
      return false;
    }
  }

  #opened({ id, remotePeer, remoteAddr, direction }: Connection): void {
    const address = remoteAddr.toString();
    const [peer, outbound] = [remotePeer.toString(), direction === "outbound"];
    const connection = { id, peer, relayed: isRelayed(address), address, outbound };
    this.tell({ kind: "opened", connection });
  }

  readonly #discovered = ({ detail }: CustomEvent<PeerInfo>): void => {
    const address = detail.multiaddrs[0];
    const peer = detail.id.toString();
    if (address === undefined) return;
    const named = address.toString().includes("/p2p/") ? address : address.encapsulate(`/p2p/${peer}`);
    this.tell({ kind: "discovered", peer, address: named.toString() });
  };
}

const OFFENCES: { readonly [cause in NetworkViolation]?: Cause } = {
  forged: "forged",
  "forged-entry": "forged",
  flood: "excessive",
};

/** libp2p names the status of an answer in its message. The hub knows us: it denies for want of space only. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && /RESERVATION_REFUSED|PERMISSION_DENIED/.test(error.message);
