import type { PeerId, Random } from "@coterie/core";
import type { PeerInfo } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LinkError } from "../link/link.ts";
import { ROUNDS_PER_HEARTBEAT } from "../membership/limits.ts";
import type { Membership, MembershipEvent } from "../membership/membership.ts";
import { Bootstrap } from "./bootstrap.ts";
import type { Calls, Response } from "./calls.ts";
import { Connections } from "./connections.ts";
import type { Context } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError } from "./events.ts";
import type { RequestKind } from "./frames.ts";
import {
  BURST_ROUND_MS,
  BURST_ROUNDS,
  GOSSIP_MS,
  IMPROVE_MS,
  MOST_IMPROVED,
  PROBE_EVERY,
  ROAM_EVERY,
} from "./limits.ts";
import type { Settings } from "./options.ts";
import type { Relay } from "./relay.ts";

interface Parts {
  readonly context: Context;
  readonly settings: Settings;
  readonly membership: Membership;
  readonly calls: Calls;
  readonly random: Random;
  /** Null where we can be reached without one. */
  readonly relay: Relay | null;
  isBusy(peer: PeerId): boolean;
  beat(): Promise<void>;
  tell(events: readonly MembershipEvent[]): void;
}

const NOTHING = new Uint8Array();
/** Somebody slow must not stop the rounds, nor may rounds pile up behind it. */
const MOST_UNDER_WAY = 3;

/** The network's own clockwork: heartbeats, rounds of gossip, bootstrap, and no more connections than agreed. */
export class Gossip {
  readonly #parts: Parts;
  readonly #bootstrap: Bootstrap;
  /** Who answered at a bootstrap address. */
  readonly #found = new Map<Multiaddr, PeerId>();
  readonly #connections: Connections;
  /** When a way without a hub was last looked for. */
  readonly #improved = new Map<PeerId, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rounds = 0;
  #underWay = 0;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { settings, random, calls, context, relay } = parts;
    this.#bootstrap = new Bootstrap(settings.bootstrap, random, (address) => {
      const peer = this.#found.get(address);
      return peer !== undefined && calls.isHub(peer) ? peer : null;
    });
    const { libp2p, clock } = context;
    const isNeeded = (peer: PeerId): boolean => relay?.has(peer) === true;
    this.#connections = new Connections({ libp2p, clock, most: settings.connections, isBusy: parts.isBusy, isNeeded });
  }

  start(): void {
    this.#parts.context.libp2p.addEventListener("peer:discovery", this.#discovered);
    this.#parts.context.libp2p.addEventListener("peer:connect", ({ detail }) => this.touch(detail.toString()));
    this.#parts.context.libp2p.addEventListener("peer:disconnect", ({ detail }) => {
      this.#connections.forget(detail.toString());
      // Without the hub nobody reaches us.
      if (this.#parts.relay?.lost(detail.toString()) === true) this.#bootstrap.lost();
    });
    void this.#round();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#parts.context.libp2p.removeEventListener("peer:discovery", this.#discovered);
  }

  /** A request whose outcome counts for or against the other peer. */
  async ask(to: PeerId, kind: RequestKind, body: Uint8Array, signal: AbortSignal): Promise<Response> {
    const { calls, membership, context } = this.#parts;
    this.touch(to);
    try {
      const response = await calls.ask(to, kind, body, signal);
      membership.contact(to, context.clock());
      this.touch(to);
      this.#connections.tidy();
      this.#improve(to);
      return response;
    } catch (error) {
      membership.failed(to, context.clock());
      if (error instanceof RefusedError || error instanceof LinkError) throw error;
      throw new LinkError(`no answer from ${to}: ${error instanceof Error ? error.message : "it failed"}`);
    }
  }

  /** The connection to a peer is in use. */
  touch(peer: PeerId): void {
    this.#connections.touch(peer);
  }

  /** One last round, to a few that are connected. */
  async farewell(signal: AbortSignal): Promise<void> {
    const { calls } = this.#parts;
    const hubsFirst = this.#connections.peers().sort((a, b) => Number(calls.isHub(b)) - Number(calls.isHub(a)));
    await Promise.allSettled(hubsFirst.slice(0, 4).map((peer) => calls.ask(peer, "gossip", NOTHING, signal)));
  }

  async #round(): Promise<void> {
    const { membership, context, random } = this.#parts;
    try {
      this.#parts.tell(membership.tick(context.clock()));
      this.#connections.tidy();
      if (this.#rounds % ROUNDS_PER_HEARTBEAT === 0) await this.#parts.beat();
      if (this.#underWay < MOST_UNDER_WAY) this.#meet();
    } catch {
      // A round that fails is made up for by the next.
    }
    this.#rounds += 1;
    if (this.#stopped) return;
    const pace = this.#rounds < BURST_ROUNDS ? BURST_ROUND_MS : membership.roundMs;
    this.#timer = setTimeout(() => void this.#round(), pace * (0.8 + 0.4 * random.uniform()));
  }

  #meet(): void {
    const { membership, context } = this.#parts;
    const now = context.clock();
    for (const address of this.#bootstrap.due(now, membership.reachable(now).length === 0))
      this.#begin(() => this.#contact(address, true));
    const partner = this.#partner();
    if (partner !== null) this.#begin(() => this.#gossip(partner));
  }

  async #gossip(peer: PeerId): Promise<unknown> {
    const { calls, membership, context } = this.#parts;
    this.touch(peer);
    await calls.connect(peer).catch((error: unknown) => {
      membership.failed(peer, context.clock());
      throw error;
    });
    return withDeadline(GOSSIP_MS, (signal) => this.ask(peer, "gossip", NOTHING, signal));
  }

  #begin(work: () => Promise<unknown>): void {
    this.#underWay += 1;
    work()
      .catch(() => {})
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  /** Mostly somebody connected; now and then somebody who is in doubt, or anybody: a dial costs ten rounds. */
  #partner(): PeerId | null {
    const { membership, context, settings } = this.#parts;
    const now = context.clock();
    const living = membership.reachable(now);
    const connected = new Set(this.#connections.peers());
    const doubtful = this.#doubtful(living.length === 0, connected);
    if (doubtful !== null) return doubtful;
    // Few connections make a star around the bootstrap peer, and gossip slow: half of those agreed are always kept.
    const sparse = connected.size < settings.connections / 2;
    if (sparse || this.#rounds % ROAM_EVERY === 3) return this.#oneOf(living);
    return this.#oneOf(living.filter((peer) => connected.has(peer))) ?? this.#oneOf(living);
  }

  /**
   * Somebody in doubt, if it is time for that. Those connected cost little. Others are dialled rarely, or a machine that
   * is too slow for its peers gets slower by looking after them; unless nobody else is there, because a hub's news may be
   * some seconds old, and then all that a newcomer knows of is in doubt.
   */
  #doubtful(lonely: boolean, connected: ReadonlySet<PeerId>): PeerId | null {
    const { membership, context } = this.#parts;
    if (!lonely && this.#rounds % PROBE_EVERY !== 1) return null;
    const all = membership.doubtful(context.clock());
    if (lonely || this.#rounds % ROAM_EVERY === 1) return this.#oneOf(all);
    return this.#oneOf(all.filter((peer) => connected.has(peer)));
  }

  #oneOf(peers: readonly PeerId[]): PeerId | null {
    return peers.length === 0 ? null : peers[this.#parts.random.below(peers.length)]!;
  }

  async #contact(address: Multiaddr, mayBeHub: boolean): Promise<void> {
    const { calls, context } = this.#parts;
    try {
      const peer = await calls.find(address, mayBeHub);
      if (mayBeHub) this.#found.set(address, peer);
      await this.#gossip(peer);
      if (!calls.isHub(peer)) return;
      await this.#reserve(peer);
      this.#bootstrap.found();
    } catch (error) {
      if (error instanceof RefusedError || this.#stopped) return;
      if (this.#bootstrap.hubAt(address) !== null) this.#bootstrap.lost();
      // A browser says of a WebSocket only that it failed, by an event.
      const message = error instanceof Error ? error.message : "it could not be reached";
      context.watch.tell({ kind: "unreachable", address: address.toString(), message });
    }
  }

  /** Asks a hub to be reachable through it. One that has no slot left is a hub all the same. */
  async #reserve(hub: PeerId): Promise<void> {
    const fresh = await this.#parts.relay?.reserve(hub).catch(() => false);
    if (fresh !== true) return;
    await this.#parts.beat();
    await this.#gossip(hub);
  }

  /** Looks for a way to a peer that needs no hub, now and then: the hub may go, and has others to serve. */
  #improve(peer: PeerId): void {
    const { calls, context } = this.#parts;
    const now = context.clock();
    if (now - (this.#improved.get(peer) ?? Number.NEGATIVE_INFINITY) < IMPROVE_MS) return;
    if (!this.#connections.isRelayed(peer)) return;
    this.#improved.delete(peer);
    this.#improved.set(peer, now);
    if (this.#improved.size > MOST_IMPROVED) this.#improved.delete(this.#improved.keys().next().value!);
    this.#begin(() => calls.improve(peer));
  }

  readonly #discovered = ({ detail }: CustomEvent<PeerInfo>): void => {
    const address = detail.multiaddrs[0];
    const known = this.#parts.membership.addresses(detail.id.toString()).length > 0;
    if (known || address === undefined || this.#underWay >= MOST_UNDER_WAY) return;
    const named = address.toString().includes("/p2p/") ? address : address.encapsulate(`/p2p/${detail.id}`);
    this.#begin(() => this.#contact(named, false));
  };
}
