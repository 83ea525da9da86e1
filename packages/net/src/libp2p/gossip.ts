import type { PeerId, Random } from "@coterie/core";
import type { PeerInfo } from "@libp2p/interface";
import type { Multiaddr } from "@multiformats/multiaddr";
import { LinkError } from "../link/link.ts";
import { ROUNDS_PER_HEARTBEAT } from "../membership/limits.ts";
import type { Membership, MembershipEvent } from "../membership/membership.ts";
import type { Calls, Response } from "./calls.ts";
import type { Context } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { RefusedError } from "./events.ts";
import type { RequestKind } from "./frames.ts";
import {
  BOOTSTRAP_AGAIN_MS,
  BURST_ROUND_MS,
  BURST_ROUNDS,
  GOSSIP_MS,
  LONELY_FIRST_MS,
  LONELY_MOST_MS,
  PROBE_EVERY,
  RECENT_MS,
  ROAM_EVERY,
} from "./limits.ts";
import type { Settings } from "./options.ts";

interface Parts {
  readonly context: Context;
  readonly settings: Settings;
  readonly membership: Membership;
  readonly calls: Calls;
  readonly random: Random;
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
  readonly #used = new Map<PeerId, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rounds = 0;
  #underWay = 0;
  #lonely = { wait: LONELY_FIRST_MS, next: Number.NEGATIVE_INFINITY };
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#parts.context.libp2p.addEventListener("peer:discovery", this.#discovered);
    this.#parts.context.libp2p.addEventListener("peer:connect", ({ detail }) => this.touch(detail.toString()));
    this.#parts.context.libp2p.addEventListener("peer:disconnect", ({ detail }) => {
      this.#used.delete(detail.toString());
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
      this.#tidy();
      return response;
    } catch (error) {
      membership.failed(to, context.clock());
      if (error instanceof RefusedError || error instanceof LinkError) throw error;
      throw new LinkError(`no answer from ${to}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The connection to a peer is in use. */
  touch(peer: PeerId): void {
    this.#used.set(peer, this.#parts.context.clock());
  }

  /** One last round, to a few that are connected. */
  async farewell(signal: AbortSignal): Promise<void> {
    const { calls } = this.#parts;
    await Promise.allSettled(
      this.#connected()
        .slice(0, 4)
        .map((peer) => calls.ask(peer, "gossip", NOTHING, signal)),
    );
  }

  async #round(): Promise<void> {
    const { membership, context, random } = this.#parts;
    this.#parts.tell(membership.tick(context.clock()));
    this.#tidy();
    try {
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
    for (const address of this.#bootstrapDue()) this.#begin(() => this.#contact(address));
    const partner = this.#partner();
    if (partner !== null) this.#begin(() => this.#gossip(partner));
  }

  #gossip(peer: PeerId): Promise<unknown> {
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
    const doubtful = this.#rounds % PROBE_EVERY === 1 ? this.#oneOf(membership.doubtful(now)) : null;
    if (doubtful !== null) return doubtful;
    const connected = new Set(this.#connected());
    // Few connections make a star around the bootstrap peer, and gossip slow: half of those agreed are always kept.
    const sparse = connected.size < settings.connections / 2;
    if (sparse || this.#rounds % ROAM_EVERY === 3) return this.#oneOf(living);
    return this.#oneOf(living.filter((peer) => connected.has(peer))) ?? this.#oneOf(living);
  }

  #oneOf(peers: readonly PeerId[]): PeerId | null {
    return peers.length === 0 ? null : peers[this.#parts.random.below(peers.length)]!;
  }

  /** All addresses while nobody is there, ever less often; otherwise one now and then. */
  #bootstrapDue(): readonly Multiaddr[] {
    const { membership, context, settings, random } = this.#parts;
    const now = context.clock();
    const lonely = membership.reachable(now).length === 0;
    const last = this.#lonely;
    if (!lonely) {
      if (last.wait !== BOOTSTRAP_AGAIN_MS) this.#lonely = { wait: BOOTSTRAP_AGAIN_MS, next: now + BOOTSTRAP_AGAIN_MS };
    } else if (last.wait === BOOTSTRAP_AGAIN_MS) this.#lonely = { wait: LONELY_FIRST_MS, next: now };
    if (now < this.#lonely.next || settings.bootstrap.length === 0) return [];
    const wait = lonely ? Math.min(LONELY_MOST_MS, 2 * this.#lonely.wait) : BOOTSTRAP_AGAIN_MS;
    this.#lonely = { wait, next: now + this.#lonely.wait * (0.8 + 0.4 * random.uniform()) };
    return lonely ? settings.bootstrap : [settings.bootstrap[random.below(settings.bootstrap.length)]!];
  }

  async #contact(address: Multiaddr): Promise<void> {
    const { calls, context } = this.#parts;
    try {
      const peer = await calls.find(address);
      await this.#gossip(peer);
    } catch (error) {
      if (error instanceof RefusedError || this.#stopped) return;
      const message = error instanceof Error ? error.message : String(error);
      context.watch.tell({ kind: "unreachable", address: address.toString(), message });
    }
  }

  readonly #discovered = ({ detail }: CustomEvent<PeerInfo>): void => {
    const address = detail.multiaddrs[0];
    const known = this.#parts.membership.addresses(detail.id.toString()).length > 0;
    if (known || address === undefined || this.#underWay >= MOST_UNDER_WAY) return;
    const named = address.toString().includes("/p2p/") ? address : address.encapsulate(`/p2p/${detail.id}`);
    this.#begin(() => this.#contact(named));
  };

  #connected(): PeerId[] {
    const { libp2p } = this.#parts.context;
    return [...new Set(libp2p.getConnections().map(({ remotePeer }) => remotePeer.toString()))].sort();
  }

  /** Closes the connections used longest ago, beyond those agreed. */
  #tidy(): void {
    const { context, settings, isBusy } = this.#parts;
    const connections = context.libp2p.getConnections();
    const excess = connections.length - settings.connections;
    if (excess <= 0) return;
    const idle = connections
      .map((connection) => {
        const peer = connection.remotePeer.toString();
        return { connection, peer, used: this.#used.get(peer) ?? Number.NEGATIVE_INFINITY };
      })
      .filter(({ peer, used }) => used < context.clock() - RECENT_MS && !isBusy(peer))
      .sort((a, b) => a.used - b.used);
    for (const { connection } of idle.slice(0, excess)) connection.close().catch(() => {});
  }
}
