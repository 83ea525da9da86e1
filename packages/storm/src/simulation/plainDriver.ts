import { initialPeer, type Peer, type PeerId, type Policy, type Random } from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";

const TICK = { periodMs: 10_000, jitter: 0.1 };
const CONNECTIONS = 6;
const MOST_SLOTS = 1024;
const MOST_REWARD = 10;
export const NOTHING = new Uint8Array();
export const SIGNATURE = new Uint8Array(64);

/** Virtual time. */
export interface VirtualTime {
  readonly now: number;
  after(ms: number, action: () => void): void;
}

export interface PlainDriverConfig {
  readonly id: PeerId;
  readonly address: string;
  readonly policy: Policy;
  readonly dimension: number;
  /** What its store held, of one that was there before. */
  readonly peer?: Peer | undefined;
  readonly incarnation: number;
  readonly bootstrap: readonly string[];
  readonly random: Random;
}

export interface Reply {
  readonly news: readonly parts.News[];
  /** Null where an exchange got no answer. */
  readonly body: Uint8Array | null;
}

/**
 * The shipped node, driven without sockets, keys or promises: rooms of many peers are played fast. Signatures are not made, because
 * nobody forges them here. How messages travel and connections end is for the room to say.
 */
export abstract class PlainDriver {
  readonly id: PeerId;
  readonly address: string;
  readonly peer: Peer;
  readonly node: parts.Node;
  readonly gossip: parts.Gossip;
  alive = true;
  readonly #around: VirtualTime;
  readonly #random: Random;
  readonly #replies = new Map<number, Uint8Array>();
  #calls = 0;
  #tick = 0;
  #rests = false;
  /** What a claim of its has for bytes: all have as many. */
  #claimBytes: Uint8Array = NOTHING;

  constructor(
    around: VirtualTime,
    { id, address, policy, dimension, random, peer: before, ...place }: PlainDriverConfig,
  ) {
    this.#around = around;
    this.#random = random;
    this.id = id;
    this.address = address;
    this.peer = before ?? initialPeer({ id, dimension, policy, peers: 1 });
    const limits = { dimension, most: MOST_SLOTS, reward: MOST_REWARD };
    const { peer } = this;
    const exchange = parts.createExchange({ peer, agreement: "room", limits });
    this.node = new parts.Node({
      life: { peer, exchange, loss: new parts.Loss(), places: new parts.Places(), queue: new parts.ReportQueue() },
      config: { random: random.fork("exchanges"), admits: () => true },
    });
    const config = { self: id, ...place, connections: CONNECTIONS, mayDial: () => true };
    this.gossip = this.node.enter({ ...config, random: random.fork("gossip") }, () => around.now);
  }

  start(): void {
    const addresses = [this.address];
    this.feed({ kind: "moved", addresses });
    this.feed({ kind: "serves", addresses });
    this.feed({ kind: "start", tick: TICK, random: this.#random.fork("ticks") });
    this.feed({ kind: "round", addresses });
  }

  feed(event: parts.NodeEvent): void {
    if (!this.alive) return;
    for (const effect of this.node.step(event, this.#around.now)) this.perform(effect);
  }

  /** A swap with a peer is due. */
  protected abstract call(peer: PeerId): void;
  protected abstract contact(address: string): void;
  protected abstract propose(to: PeerId, proposal: Uint8Array): void;
  /** `said`: the other end is told that its peer does not leave. */
  protected abstract hangUp(peer: PeerId, said: boolean): void;

  /** A record of its own as it leaves. */
  protected seal(record: PeerRecord): PeerRecord {
    return record;
  }

  /** Acts on an effect. */
  protected perform(effect: parts.NodeEffect): void {
    switch (effect.kind) {
      case "sign":
        if (this.#claimBytes.length === 0) this.#claimBytes = parts.encodeClaim(effect.claim);
        this.feed({ kind: "signed", entry: { claim: effect.claim, bytes: this.#claimBytes, signature: SIGNATURE } });
        return;
      case "call":
        this.call(effect.peer);
        return;
      case "contact":
        this.contact(effect.address);
        return;
      case "improve":
        this.feed({ kind: "improved" });
        return;
      case "close":
      case "drop":
        this.hangUp(effect.id, effect.kind === "close");
        return;
      case "round-in":
        this.#around.after(effect.ms, () => this.feed({ kind: "round", addresses: [this.address] }));
        return;
      case "write":
        for (const next of effect.then) this.perform(next);
        return;
      case "propose":
        this.propose(effect.to, effect.proposal);
        return;
      case "check":
        this.feed({ kind: "checked", error: null });
        return;
      case "seal":
        this.feed({ kind: "sealed", call: effect.call, records: effect.records.map((record) => this.seal(record)) });
        return;
      case "reply":
        this.#replies.set(effect.call, effect.answer);
        return;
      case "next":
        this.feed(effect.event);
        return;
      case "ticked":
        this.#rest();
        return;
      case "tick-in":
        this.#tickIn(effect.ms);
    }
  }

  /** A request comes in. */
  protected answer(from: PeerId, kind: parts.Occasion, news: readonly parts.News[], body: Uint8Array): Reply {
    this.feed({ kind: "asked", peer: from });
    this.hear(from, news, kind);
    const call = this.#calls++;
    if (kind === "exchange") this.feed({ kind: "proposal", call, from, proposal: body });
    const answer = kind === "gossip" ? NOTHING : (this.#replies.get(call) ?? null);
    this.#replies.delete(call);
    this.feed({ kind: "served", peer: from });
    return { news: this.gossip.bulletins.pack(from, kind, this.#around.now).news, body: answer };
  }

  /** How many entries were worth a signature check. */
  protected hear(from: PeerId, told: readonly parts.News[], occasion: parts.Occasion, hub = false): number {
    const news = told.filter((one) => this.gossip.bulletins.wants(one, from, occasion, this.#around.now, hub));
    this.feed({ kind: "heard", from, occasion, news, told, hub });
    return news.length;
  }

  protected opened(peer: PeerId, address: string, outbound: boolean): void {
    this.feed({ kind: "opened", connection: { id: peer, peer, relayed: false, address, outbound } });
  }

  #tickIn(ms: number): void {
    this.#tick += 1;
    const tick = this.#tick;
    this.#around.after(ms, () => {
      if (tick === this.#tick) this.feed({ kind: "due" });
    });
  }

  #rest(): void {
    if (this.#rests) return;
    this.#rests = true;
    this.#around.after(0, () => {
      this.#rests = false;
      this.feed({ kind: "rested" });
    });
  }
}
