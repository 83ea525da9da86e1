import { type PeerId, Random } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import type { Libp2p } from "@libp2p/interface";
import { type Link, LinkError } from "../link/link.ts";
import type { Network, Room } from "../link/network.ts";
import { MEMBERSHIP_LIMITS } from "../membership/limits.ts";
import { Membership, type MembershipEvent } from "../membership/membership.ts";
import { heartbeat, type Notary, receive } from "../membership/receive.ts";
import { Answers } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Context, Traffic } from "./context.ts";
import { withDeadline } from "./deadline.ts";
import { type NetworkViolation, Watch } from "./events.ts";
import { Gossip } from "./gossip.ts";
import { GOODBYE_MS, PROTOCOL, REQUEST_MS, STOP_MS, STREAMS_PER_PEER } from "./limits.ts";
import { createNode } from "./node.ts";
import { createNotary } from "./notary.ts";
import type { Settings } from "./options.ts";
import { createProver, digest } from "./proof.ts";

type Changed = (event: MembershipEvent) => void;

/** A peer's place in a room over libp2p. */
export class Libp2pNetwork implements Network {
  readonly self: PeerId;
  readonly link: Link;
  /** Whether everybody who knows the room's name may join. */
  readonly open: boolean;
  readonly traffic: Traffic = { sentBytes: 0, receivedBytes: 0, answered: 0, failed: 0, served: 0 };
  readonly #libp2p: Libp2p;
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
  static async join(settings: Settings, room: Room): Promise<Libp2pNetwork> {
    room.signal?.throwIfAborted();
    const digests = { room: digest(`coterie room 1\n${room.name}`), agreement: digest(room.agreement) };
    const tag = Array.from(digests.room.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const { libp2p, key } = await createNode(settings, tag);
    const prover = settings.roomKey === null ? null : await createProver(settings.roomKey);
    const mine = { self: libp2p.peerId.toString(), ...digests, prover };
    const both = digest(`${room.name.length} ${room.name} ${room.agreement}`);
    const network = new Libp2pNetwork(settings, libp2p, mine, createNotary(key, both));
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

  private constructor(settings: Settings, libp2p: Libp2p, mine: Context["mine"], notary: Notary) {
    this.#libp2p = libp2p;
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
      take: (from, news) => this.#take(from, news),
    };
    this.#calls = new Calls(context, (peer) => this.#membership.addresses(peer));
    this.#answers = new Answers(context, STREAMS_PER_PEER * settings.connections);
    this.#gossip = new Gossip({
      context,
      settings,
      membership: this.#membership,
      calls: this.#calls,
      random: this.#random,
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
    return this.#libp2p.getMultiaddrs().map(String);
  }

  /** What others did that no correct peer does, by cause. */
  get violations(): ReadonlyMap<NetworkViolation, number> {
    return this.#watch.violations;
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

  async #close(): Promise<void> {
    this.#gossip.stop();
    await within(GOODBYE_MS, this.#goodbye());
    this.#calls.close();
    await within(STOP_MS, Promise.resolve(this.#libp2p.stop()));
  }

  /** Says that it goes, so that nobody waits for it. */
  async #goodbye(): Promise<void> {
    await heartbeat(this.#membership, this.#notary, { ...this.#state(), leaving: true });
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
      return body;
    } catch (error) {
      this.traffic.failed += 1;
      throw error;
    }
  }

  async #beat(): Promise<void> {
    await heartbeat(this.#membership, this.#notary, this.#state());
  }

  #state(): { addresses: string[]; serves: boolean; leaving: boolean } {
    const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
    const addresses = this.addresses().filter(({ length }) => length <= addressLength);
    return { addresses: addresses.slice(0, most), serves: this.#answers.handler !== null, leaving: false };
  }

  async #take(from: PeerId, news: Parameters<Context["take"]>[1]): Promise<void> {
    const { events, forged } = await receive(this.#membership, this.#notary, news, this.#clock);
    this.#membership.contact(from, this.#clock());
    this.#gossip.touch(from);
    this.#watch.violation(from, "forged-entry", forged);
    this.#tell(events);
  }

  #tell(events: readonly MembershipEvent[]): void {
    if (this.#closed !== null) return;
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }
}

/** Waits for something, but not for long, and not for its errors. */
async function within(ms: number, wait: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([wait.catch(() => {}), late]);
  clearTimeout(timer);
}
