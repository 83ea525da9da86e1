import { type PeerId, Random } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import type { Libp2p } from "@libp2p/interface";
import { createNotary } from "../identity/notary.ts";
import type { Notary } from "../identity/signature.ts";
import { type Link, LinkError } from "../link/link.ts";
import type { Network, Room } from "../link/network.ts";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";
import { Membership, type MembershipEvent } from "../membership/membership.ts";
import type { Bulletin } from "../membership/pulse.ts";
import { heartbeat, receive } from "../membership/receive.ts";
import { Answers } from "./answers.ts";
import { type CreateNode, type Node, wall } from "./base.ts";
import { Calls } from "./calls.ts";
import { type Context, noTraffic } from "./context.ts";
import type { Cut } from "./cut.ts";
import { withDeadline } from "./deadline.ts";
import { type NetworkViolation, Watch } from "./events.ts";
import { Gossip } from "./gossip.ts";
import { welcome } from "./greeting.ts";
import { GOODBYE_MS, PROTOCOL, REQUEST_MS, STOP_MS, STREAMS_PER_PEER } from "./limits.ts";
import type { Settings } from "./options.ts";
import { createProver, digest, entrySeal, roomDigest } from "./proof.ts";
import type { Relay } from "./relay.ts";
import { isRelayed } from "./ways.ts";
import { within } from "./within.ts";

type Changed = (event: MembershipEvent) => void;

/** A peer's place in a room over libp2p. */
export class Libp2pNetwork implements Network {
  readonly self: PeerId;
  readonly link: Link;
  /** Whether everybody who knows the room's name may join. */
  readonly open: boolean;
  readonly traffic = noTraffic();
  readonly #libp2p: Libp2p;
  readonly #relay: Relay;
  readonly #cut: Cut;
  readonly #notary: Notary;
  readonly #watch: Watch;
  readonly #membership: Membership;
  readonly #calls: Calls;
  readonly #answers: Answers;
  readonly #gossip: Gossip;
  readonly #random = Random.seeded(Number(new DataView(randomBytes(8).buffer).getBigUint64(0) >> 11n));
  readonly #listeners = new Set<Changed>();
  readonly #clock = (): number => performance.now();
  #closed: Promise<void> | null = null;

  /** Starts to listen and to look for others; does not wait until some are found. */
  static async join(settings: Settings, room: Room, createNode: CreateNode): Promise<Libp2pNetwork> {
    room.signal?.throwIfAborted();
    const digests = { room: roomDigest(room.name), agreement: digest(room.agreement) };
    const tag = Array.from(digests.room.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    // A key of the network's own goes before the one that the peer's store has.
    const privateKey = settings.privateKey ?? room.identity?.seed ?? null;
    const node = await createNode({ ...settings, privateKey }, tag);
    const { libp2p, key } = node;
    const prover = settings.roomKey === null ? null : await createProver(settings.roomKey);
    const mine = { self: libp2p.peerId.toString(), ...digests, prover };
    const notary = createNotary(mine.self, key, await entrySeal(prover, digests));
    const network = new Libp2pNetwork(settings, node, mine, notary);
    await libp2p.handle(PROTOCOL, network.#answers.handle, {
      // Above ours, so that it is us who count.
      maxInboundStreams: 2 * STREAMS_PER_PEER,
    });
    await network.#beat();
    network.#gossip.start();
    room.signal?.addEventListener("abort", () => void network.close(), { once: true });
    if (room.signal?.aborted) await network.close();
    return network;
  }

  private constructor(settings: Settings, node: Node, mine: Context["mine"], notary: Notary) {
    const { libp2p, relay, cut } = node;
    this.#libp2p = libp2p;
    this.#cut = cut;
    this.#relay = relay;
    this.#notary = notary;
    this.#watch = new Watch(settings.onEvent);
    this.self = mine.self;
    this.open = mine.prover === null;
    this.#membership = new Membership(this.self, Date.now(), this.#clock());
    const context: Context = {
      libp2p,
      mine,
      watch: this.#watch,
      messageBytes: settings.messageBytes,
      clock: this.#clock,
      traffic: this.traffic,
      pack: (to) => this.#membership.pack(this.#clock(), this.#random, to),
      introduce: () => ({ news: this.#membership.introduction(), pulses: [] }),
      take: (from, bulletin) => this.#take(from, bulletin),
    };
    this.#calls = new Calls(context, (peer) => this.#membership.addresses(peer).filter(node.mayDial));
    this.#answers = new Answers(context, 2 * wall(settings.connections), async (wire, caller, signal) => {
      await welcome(wire, mine, caller, signal);
      return { pack: () => context.pack(caller), take: (bulletin) => context.take(caller, bulletin) };
    });
    this.#gossip = new Gossip({
      context,
      settings,
      membership: this.#membership,
      calls: this.#calls,
      random: this.#random,
      relay: settings.relay ? relay : null,
      isBusy: (peer) => this.#calls.isBusy(peer) || this.#answers.isBusy(peer),
      beat: () => this.#beat(),
      tell: (events) => this.#tell(events),
    });
    this.link = this.#makeLink();
    if (this.open) {
      const message = "the room has no key: everybody who knows its name can join it and read what peers exchange";
      settings.onEvent({ kind: "open-room", message });
    }
  }

  /** Where it can be reached, to be somebody's bootstrap. */
  addresses(): string[] {
    return this.#places().map((address) => `${address}/p2p/${this.self}`);
  }

  /** What others did that no correct peer does, by cause. */
  get violations(): ReadonlyMap<NetworkViolation, number> {
    return this.#watch.violations;
  }

  /** Peers that are connected without a hub in between. */
  directly(): PeerId[] {
    const direct = this.#libp2p.getConnections().filter(({ remoteAddr }) => !isRelayed(remoteAddr.toString()));
    const peers = direct.map(({ remotePeer }) => remotePeer.toString()).filter((peer) => !this.#calls.isHub(peer));
    return [...new Set(peers)].sort();
  }

  get connections(): number {
    return this.#libp2p.getConnections().length;
  }

  alive(): readonly PeerId[] {
    if (this.#closed !== null) return [];
    return this.#membership.alive(this.#clock()).filter((peer) => this.#calls.canReach(peer));
  }

  onMembers(changed: Changed): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Stops without a word to anybody, as a crash would. For those who try what a crash does to the others. */
  abandon(): Promise<void> {
    this.#closed ??= this.#stop();
    return this.#closed;
  }

  /**
   * Cuts the lines to those for whom `beyond` holds, until it is called again: what is open is closed, and nobody gets
   * through from either side. For those who try what a network does that falls apart.
   */
  cut(beyond: (peer: PeerId) => boolean): void {
    this.#cut.at(this.#libp2p, beyond);
  }

  async #close(): Promise<void> {
    this.#gossip.stop();
    await within(GOODBYE_MS, this.#goodbye());
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#gossip.stop();
    this.#calls.close();
    await within(STOP_MS, Promise.resolve(this.#libp2p.stop()));
  }

  /** Says that it goes, so that nobody waits for it. */
  async #goodbye(): Promise<void> {
    await heartbeat(this.#membership, this.#notary, { ...this.#state(), leaving: true }, this.#clock());
    await this.#gossip.farewell(AbortSignal.timeout(GOODBYE_MS));
  }

  #makeLink(): Link {
    return {
      request: (to, message, options) => this.#request(to, message, options?.signal),
      serve: (handler) => {
        this.#answers.handler = handler;
        void this.#beat().catch(() => {});
      },
      close: () => this.close(),
    };
  }

  async #request(to: PeerId, message: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    if (this.#closed !== null) throw new LinkError("the network is closed");
    signal?.throwIfAborted();
    try {
      const ask = (within: AbortSignal) => this.#gossip.ask(to, "exchange", message, within);
      const { kind, body } = await withDeadline(REQUEST_MS, ask, signal);
      if (kind !== "answer")
        throw new LinkError(`${to} ${kind === "idle" ? "answers no exchanges" : "could not answer"}`);
      this.traffic.answered += 1;
      this.traffic.exchangeSentBytes += message.length;
      this.traffic.exchangeReceivedBytes += body.length;
      return body;
    } catch (error) {
      this.traffic.failed += 1;
      throw error;
    }
  }

  async #beat(): Promise<void> {
    await heartbeat(this.#membership, this.#notary, this.#state(), this.#clock());
  }

  #state(): { addresses: string[]; serves: boolean; leaving: boolean } {
    const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
    const addresses = this.#places().filter(({ length }) => length <= addressLength);
    return { addresses: addresses.slice(0, most), serves: this.#answers.handler !== null, leaving: false };
  }

  /** Where it can be reached, through hubs first: those are few. Without its name, which goes along with them anyway. */
  #places(): string[] {
    const own = new RegExp(`/p2p/${this.self}$`);
    const direct = this.#libp2p.getMultiaddrs().map((address) => address.toString().replace(own, ""));
    return [...this.#relay.addresses(), ...direct];
  }

  async #take(from: PeerId, { news, pulses }: Bulletin): Promise<void> {
    const { events, forged } = await receive(this.#membership, this.#notary, news, this.#clock);
    this.#membership.contact(from, this.#clock());
    if (!this.#calls.isHub(from)) this.#membership.hear(from, pulses, this.#clock());
    this.#gossip.touch(from);
    this.#watch.violation(from, "forged-entry", forged);
    this.#tell(events);
  }

  #tell(events: readonly MembershipEvent[]): void {
    if (this.#closed !== null) return;
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }
}
