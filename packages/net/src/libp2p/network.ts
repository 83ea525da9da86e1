import { type PeerId, Random } from "@coterie/core";
import { randomBytes } from "@libp2p/crypto";
import type { Libp2p } from "@libp2p/interface";
import { createNotary, createVerifier } from "../identity/notary.ts";
import type { Notary } from "../identity/signature.ts";
import type { Link } from "../link/link.ts";
import { LinkError } from "../link/link.ts";
import type { Network, Room } from "../link/network.ts";
import type { MembershipEvent } from "../membership/entry.ts";
import { ticketSeal } from "../membership/ticket.ts";
import type { Gossip } from "../node/gossip.ts";
import { type Hearing, hear } from "../node/hearing.ts";
import { Node } from "../node/node.ts";
import { Answers } from "./answers.ts";
import { type CreateNode, type Libp2pNode, wall } from "./base.ts";
import { Calls } from "./calls.ts";
import { type CallContext, noTraffic } from "./context.ts";
import type { Cut } from "./cut.ts";
import { Driver } from "./driver.ts";
import { turnAway } from "./earlier.ts";
import { type NetworkViolation, Watch } from "./events.ts";
import { TOKEN_BYTES } from "./frames.ts";
import { welcome } from "./greeting.ts";
import { hubsInOrder } from "./hubOrder.ts";
import { EARLIER_PROTOCOL, GOODBYE, GOODBYE_MS, PARTING, PROTOCOL, STOP_MS, STREAMS_PER_PEER } from "./limits.ts";
import type { Libp2pSettings } from "./options.ts";
import { createProver, digest, entrySeal, roomDigest } from "./proof.ts";
import type { Relay } from "./relay.ts";
import { isRelayed } from "./ways.ts";
import { within } from "./within.ts";

type Changed = (event: MembershipEvent) => void;

/** Tells the room's peer of those that do not fit, and the app everything. */
function heard({ onEvent }: Libp2pSettings, { onMisfit }: Room): Libp2pSettings["onEvent"] {
  return (event) => {
    if (event.kind === "misfits") onMisfit?.(event.hub, event.count);
    if (event.kind === "refused" && event.reason === "another-agreement") onMisfit?.(event.peer, 1);
    onEvent(event);
  };
}

/** At the ports of before where they were left open; where others have them now, at any. */
async function startAgain<T>(
  { listen }: Libp2pSettings,
  { node }: Room,
  start: (listen: readonly string[]) => Promise<T>,
): Promise<T> {
  const before = listen.map((address) => node?.places?.again(address) ?? address);
  if (before.every((address, k) => address === listen[k])) return start(listen);
  return start(before).catch(() => start(listen));
}

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
  readonly #watch: Watch;
  readonly #gossip: Gossip;
  readonly #calls: Calls;
  readonly #answers: Answers;
  readonly #driver: Driver;
  readonly #listeners = new Set<Changed>();
  readonly #clock = (): number => performance.now();
  readonly #end = new AbortController();
  #closed: Promise<void> | null = null;

  /** @internal Starts to listen and to look for others; does not wait until some are found. */
  static async join(settings: Libp2pSettings, room: Room, createNode: CreateNode): Promise<Libp2pNetwork> {
    room.signal?.throwIfAborted();
    // Those who ask for tickets and those who do not cannot be in one room: it is part of what is agreed.
    const agreed = settings.tickets === null ? room.agreement : `${room.agreement}\ntickets`;
    const digests = { room: roomDigest(room.name), agreement: digest(agreed) };
    const tag = Array.from(digests.room.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
    // A key of the network's own goes before the one that the peer's store has.
    const privateKey = settings.privateKey ?? room.identity?.seed ?? null;
    const node = await startAgain(settings, room, (listen) => createNode({ ...settings, privateKey, listen }, tag));
    const { libp2p, key } = node;
    const prover = settings.roomKey === null ? null : await createProver(settings.roomKey);
    const mine = { self: libp2p.peerId.toString(), ...digests, prover, nonce: () => randomBytes(TOKEN_BYTES) };
    const notary = createNotary(mine.self, key, await entrySeal(prover, digests));
    const machine = room.node ?? new Node(null);
    const network = new Libp2pNetwork({ ...settings, onEvent: heard(settings, room) }, node, mine, notary, machine);
    await libp2p.handle(PROTOCOL, network.#answers.handle, {
      // Above ours, so that it is us who count.
      maxInboundStreams: 2 * STREAMS_PER_PEER,
    });
    await libp2p.handle(PARTING, (stream, { id }) => {
      network.#driver.tell({ kind: "parting", id });
      stream.close().catch(() => {});
    });
    await libp2p.handle(GOODBYE, (stream, { remotePeer }) => {
      network.#driver.tell({ kind: "goodbye", peer: remotePeer.toString() });
      stream.close().catch(() => {});
    });
    await libp2p.handle(EARLIER_PROTOCOL, turnAway(network.#watch));
    await network.#driver.start();
    // The signal is for joining alone: whoever has joined is closed, however long its signal lives.
    if (room.signal?.aborted) await network.close();
    room.signal?.throwIfAborted();
    return network;
  }

  private constructor(
    settings: Libp2pSettings,
    node: Libp2pNode,
    mine: CallContext["mine"],
    notary: Notary,
    machine: Node,
  ) {
    const { libp2p, relay, cut } = node;
    this.#libp2p = libp2p;
    this.#cut = cut;
    this.#relay = relay;
    this.#watch = new Watch(settings.onEvent, (peer, cause, times) => this.#driver?.offended(peer, cause, times));
    if (node.arrivals !== null) node.arrivals.onTurnedAway = () => this.#watch.turnedAway();
    this.self = mine.self;
    this.open = mine.prover === null;
    this.#gossip = machine.enter(
      {
        self: this.self,
        incarnation: Date.now(),
        random: Random.seeded(Number(new DataView(randomBytes(8).buffer).getBigUint64(0) >> 11n)),
        bootstrap: settings.bootstrap.map(String),
        hubs: hubsInOrder(settings.hubs.map(String).filter(node.mayDial), String(mine.room), this.self),
        connections: settings.connections,
        mayDial: node.mayDial,
        open: this.open,
        ...(settings.tickets !== null && { tickets: settings.tickets }),
      },
      this.#clock,
      (effect) => this.#driver.perform(effect),
    );
    const hearing: Hearing = {
      gossip: this.#gossip,
      notary,
      clock: this.#clock,
      tell: (event) => this.#driver.tell(event),
      verifyTicket: createVerifier(ticketSeal(mine.room)),
      isHub: (peer) => this.#calls.isHub(peer),
      onForged: (from) => this.#watch.violation(from, "forged-entry"),
    };
    const context: CallContext = {
      libp2p,
      mine,
      watch: this.#watch,
      messageBytes: settings.messageBytes,
      clock: this.#clock,
      traffic: this.traffic,
      pack: (to, occasion) => this.#gossip.bulletins.pack(to, occasion, this.#clock()),
      introduce: (to) => this.#gossip.bulletins.introduce(to, this.#clock()),
      take: (...message) => hear(hearing, ...message),
      asks: (hub) => this.#driver.asks(hub),
      granted: (hub, answer) => this.#driver.granted(hub, answer),
      admits: (peer) => this.#gossip.admits(peer, this.#clock()),
      tell: (event) => this.#driver.tell(event),
      isHidden: () => this.#gossip.hidden,
    };
    this.#calls = new Calls(context, (peer) => this.#gossip.addresses(peer));
    this.#answers = new Answers(context, 2 * wall(settings.connections), async (wire, caller, signal) => {
      await welcome(wire, mine, caller, signal);
      this.#calls.welcomed(caller);
      return {
        pack: (occasion) => context.pack(caller, occasion),
        take: (bulletin, occasion) => context.take(caller, bulletin, occasion),
        serving: (kind) => context.tell({ kind, peer: caller }),
        // Whoever was not told that we go finds out when it calls.
        isHidden: context.isHidden,
        ...(settings.tickets !== null && { admits: () => context.admits(caller) }),
      };
    });
    this.#driver = new Driver({
      context,
      node: machine,
      gossip: this.#gossip,
      calls: this.#calls,
      notary,
      relay: settings.relay ? relay : null,
      arrivals: node.arrivals,
      addresses: () => this.#places(),
      tell: (event) => this.#tell(event),
    });
    this.link = {
      request: (...request) => {
        // An exchange in doubt is asked for again whoever is alive; a word of ours would undo the goodbye.
        if (this.#gossip.hidden) return Promise.reject(new LinkError("the page is out of sight", true));
        return this.#calls.request(...request);
      },
      serve: (handler) => {
        this.#answers.handler = handler;
        void this.#driver.moved("serves");
      },
      close: () => this.close(),
    };
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
    return this.#gossip.alive();
  }

  onMembers(changed: Changed): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Aborted when it is closed. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** The page goes out of sight, for good or for a while: others are told that it goes. */
  hide(): void {
    if (this.#closed === null) this.#driver.hide();
  }

  /** It is back. */
  show(): void {
    if (this.#closed === null) this.#driver.show();
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

  /** Says that it goes, so that nobody waits for it. */
  async #close(): Promise<void> {
    this.#calls.leave();
    await within(GOODBYE_MS, this.#driver.leave());
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#end.abort();
    this.#driver.stop();
    this.#calls.close();
    await within(STOP_MS, Promise.resolve(this.#libp2p.stop()));
  }

  /** Where it can be reached, through hubs first: those are few. Without its name, which goes along with them anyway. */
  #places(): string[] {
    const own = new RegExp(`/p2p/${this.self}$`);
    const direct = this.#libp2p.getMultiaddrs().map((address) => address.toString().replace(own, ""));
    return [...this.#relay.addresses(), ...direct];
  }

  #tell(event: MembershipEvent): void {
    if (this.#closed === null) for (const listener of this.#listeners) listener(event);
  }
}
