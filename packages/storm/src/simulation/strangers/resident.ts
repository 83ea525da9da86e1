import { initialPeer, type PeerId, type Random } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import type { Stranger } from "./stranger.ts";
import { FAIL_MS, STRANGE, THIRD_PARTY, type Village } from "./village.ts";

const TICK = { periodMs: 10_000, jitter: 0.1 };
const CONNECTIONS = 6;
const LIMITS = { dimension: 2, most: 64, reward: 1 };
const NOTHING = new Uint8Array();
const SIGNATURE = new Uint8Array(64);
/** What came of an exchange of which something was heard. */
const ANSWERED = ["mix", "keep", "prune", "behind", "busy"];

interface Reply {
  readonly news: readonly parts.News[];
  readonly body: Uint8Array;
}

/** One honest peer: the shipped node, driven without sockets, keys or promises. */
export class Resident {
  readonly node: parts.Node;
  readonly gossip: parts.Gossip;
  /** Takes part in gossip and answers no exchange. */
  mute = false;
  readonly #open = new Set<PeerId>();
  readonly #replies = new Map<number, Uint8Array>();
  readonly #random: Random;
  /** Whom it is dialling: a second request waits for the same dial. */
  readonly #dialling = new Set<PeerId>();
  #calls = 0;
  #tick = 0;

  constructor(
    readonly village: Village,
    readonly id: PeerId,
    readonly address: string,
    first: Resident | null,
    random: Random,
  ) {
    this.#random = random;
    const peer = initialPeer({ id, dimension: 2, policy: village.config.policy, peers: 1 });
    const exchange = parts.createExchange({ peer, agreement: "room", limits: LIMITS });
    this.node = new parts.Node({
      life: { peer, exchange, loss: new parts.Loss(), places: new parts.Places(), queue: new parts.ReportQueue() },
      config: { random: random.fork("exchanges"), admits: () => true },
    });
    const bootstrap = first === null ? [] : [first.address];
    const config = { self: id, incarnation: 1 + Math.floor(village.now), bootstrap, connections: CONNECTIONS };
    this.gossip = this.node.enter({ ...config, random: random.fork("gossip"), mayDial: () => true }, village.now);
  }

  get isNeighbour(): boolean {
    return this.address.includes(STRANGE);
  }

  start(): void {
    this.feed({ kind: "moved", addresses: [this.address] });
    this.feed({ kind: "serves", addresses: [this.address] });
    this.feed({ kind: "start", tick: TICK, random: this.#random.fork("ticks") });
    this.feed({ kind: "round", addresses: [this.address] });
  }

  feed(event: parts.NodeEvent): void {
    for (const effect of this.node.step(event, this.village.now)) this.#perform(effect);
  }

  /** A stranger's request. */
  calledBy(stranger: Stranger, news: readonly parts.News[]): void {
    if (!this.#open.has(stranger.id)) this.#opened(stranger.id, stranger.address, false);
    // It may have been cut off at once.
    if (this.#open.has(stranger.id)) this.#hear(stranger.id, news, "gossip");
  }

  hungUp(peer: PeerId): void {
    if (this.#open.delete(peer)) this.feed({ kind: "closed", id: peer });
  }

  #perform(effect: parts.Effect): unknown {
    const { village } = this;
    switch (effect.kind) {
      case "sign":
        return this.feed({ kind: "signed", entry: { claim: effect.claim, bytes: NOTHING, signature: SIGNATURE } });
      case "call":
        return this.#ask(effect.peer, "gossip", NOTHING, () => {});
      case "contact":
        return this.#contact(effect.address);
      case "improve":
        return this.feed({ kind: "improved" });
      case "close":
      case "drop":
        return this.#close(effect.id, effect.kind === "close");
      case "round-in":
        return village.after(effect.ms, () => this.feed({ kind: "round", addresses: [this.address] }));
      case "write":
        return effect.then.map((next) => this.#perform(next));
      case "propose":
        return this.#ask(effect.to, "exchange", effect.proposal, (reply) => {
          if (reply === null) this.feed({ kind: "unanswered", unsent: false });
          else this.feed({ kind: "replied", answer: reply.body });
        });
      case "check":
        return this.feed({ kind: "checked", error: null });
      case "seal":
        return this.feed({ kind: "sealed", call: effect.call, records: effect.records });
      case "reply":
        return this.#replies.set(effect.call, effect.answer);
      case "next":
        return this.feed(effect.event);
      case "tell":
        return this.#told(effect.event);
      case "ticked":
        return village.after(0, () => this.feed({ kind: "rested" }));
      case "tick-in":
        return this.#tickIn(effect.ms);
      default:
        return undefined;
    }
  }

  #told(event: parts.HostEvent): void {
    if (event.kind !== "exchange" || event.side !== "proposed" || this.mute) return;
    if (ANSWERED.includes(event.verdict)) this.village.exchanged(this, event.partner);
    else this.village.failures += 1;
  }

  #tickIn(ms: number): void {
    this.#tick += 1;
    const tick = this.#tick;
    this.village.after(ms, () => {
      if (tick === this.#tick) this.feed({ kind: "due" });
    });
  }

  #contact(address: string): void {
    const found = [...this.village.residents.values()].find((one) => one.address === address);
    if (found === undefined || found === this) {
      this.village.after(FAIL_MS, () => this.feed({ kind: "missed", address, hub: null, refused: false }));
      return;
    }
    this.#ask(
      found.id,
      "gossip",
      NOTHING,
      (reply) => {
        if (reply === null) this.feed({ kind: "missed", address, hub: null, refused: false });
        else this.feed({ kind: "reached", address, hub: null, held: false });
      },
      false,
    );
  }

  /** A request: a connection where there is none, a message there and one back. */
  #ask(
    peer: PeerId,
    kind: parts.Occasion,
    body: Uint8Array,
    then: (reply: Reply | null) => void,
    work = kind === "gossip",
  ): void {
    const { village } = this;
    const connected = this.#open.has(peer);
    if (!connected && !this.#dialling.has(peer)) {
      this.#dialling.add(peer);
      for (const address of this.gossip.addresses(peer)) if (address === THIRD_PARTY) village.dials += 1;
    }
    this.feed({ kind: "asking", peer });
    const fail = (): void =>
      village.after(FAIL_MS, () => {
        this.#dialling.delete(peer);
        this.feed({ kind: "failed", peer, work });
        then(null);
      });
    village.after(connected ? 0 : 4 * village.latency(), (): unknown => {
      const other = village.residents.get(peer);
      if (other === undefined) return this.#askStranger(peer, kind, fail, then, work);
      if (!this.#open.has(peer)) this.#connect(other);
      if (!this.#open.has(peer) || (other.mute && kind === "exchange")) return fail();
      const { news } = this.gossip.pack(peer, kind, village.now);
      return village.after(village.latency(), () => {
        const reply = other.#answer(this, kind, news, body);
        village.after(village.latency(), () => this.#replied(peer, kind, reply, then, work));
      });
    });
  }

  #askStranger(
    peer: PeerId,
    kind: parts.Occasion,
    fail: () => void,
    then: (reply: Reply | null) => void,
    work: boolean,
  ): unknown {
    const stranger = this.village.strangers.get(peer);
    // Names that are only told of have nobody behind them.
    if (stranger === undefined || kind === "exchange") return fail();
    if (!this.#open.has(peer)) this.#opened(peer, stranger.address, true);
    if (!this.#open.has(peer)) return fail();
    return this.village.after(2 * this.village.latency(), () =>
      this.#replied(peer, kind, { news: stranger.news(), body: NOTHING }, then, work),
    );
  }

  #replied(peer: PeerId, kind: parts.Occasion, reply: Reply, then: (reply: Reply | null) => void, work: boolean): void {
    this.#hear(peer, reply.news, kind);
    this.feed({ kind: "answered", peer, work });
    then(reply);
  }

  #answer(from: Resident, kind: parts.Occasion, news: readonly parts.News[], body: Uint8Array): Reply {
    this.feed({ kind: "asked", peer: from.id });
    this.#hear(from.id, news, kind);
    const call = this.#calls++;
    if (kind === "exchange") this.feed({ kind: "proposal", call, from: from.id, proposal: body });
    const answer = this.#replies.get(call) ?? NOTHING;
    this.#replies.delete(call);
    this.feed({ kind: "served", peer: from.id });
    return { news: this.gossip.pack(from.id, kind, this.village.now).news, body: answer };
  }

  #hear(from: PeerId, told: readonly parts.News[], occasion: parts.Occasion): void {
    const news = told.filter((one) => this.gossip.wants(one, from, occasion, this.village.now));
    this.feed({ kind: "heard", from, occasion, news, told });
  }

  #connect(other: Resident): void {
    this.#opened(other.id, other.address, true);
    if (this.#open.has(other.id)) other.#opened(this.id, this.address, false);
  }

  #opened(peer: PeerId, address: string, outbound: boolean): void {
    this.#dialling.delete(peer);
    this.#open.add(peer);
    this.feed({ kind: "opened", connection: { id: peer, peer, relayed: false, address, outbound } });
  }

  /** `said`: the other end is told that this is no end. */
  #close(peer: PeerId, said: boolean): void {
    if (!this.#open.delete(peer)) return;
    this.feed({ kind: "closed", id: peer });
    const other = this.village.residents.get(peer);
    if (other === undefined) return;
    if (said) other.feed({ kind: "parting", id: this.id });
    other.hungUp(this.id);
  }
}
