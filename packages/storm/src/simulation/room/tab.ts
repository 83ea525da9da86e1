import { initialPeer, type Peer, type PeerId, type Random } from "@coterie/core";
import type { Record } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";
import type { TabRoom } from "./tabRoom.ts";

const TICK = { periodMs: 10_000, jitter: 0.1 };
const CONNECTIONS = 6;
const MOST_SLOTS = 1024;
const MOST_REWARD = 10;
const NOTHING = new Uint8Array();
const SIGNATURE = new Uint8Array(64);
const HUB = "hub";

/** Of what two peers say when they connect, and of a word that a connection is closed. */
const GREETING_BYTES = { hello: 98, welcome: 33 };
const PARTING_BYTES = 40;
/** The rest of a header, and the lengths before header and body. */
const HEADER_BYTES = 5;

interface Reply {
  readonly news: readonly parts.News[];
  readonly body: Uint8Array | null;
}

/**
 * One tab: the shipped node, driven without sockets, keys or promises. Signatures are not made, because nobody forges
 * them here; all else is as in a page.
 */
export class RoomTab {
  readonly node: parts.Node;
  readonly gossip: parts.Gossip;
  readonly born: number;
  alive = true;
  /** When its process was gone. */
  died = Number.POSITIVE_INFINITY;
  /** When its first exchange came about, and the first with kin. */
  first = Number.POSITIVE_INFINITY;
  firstKin = Number.POSITIVE_INFINITY;
  /** Those it lost after they were gone: none of them may come back. */
  readonly buried = new Set<RoomTab>();
  readonly #open = new Set<RoomTab>();
  /** Whom it is about to part from. */
  readonly #parting = new Set<RoomTab>();
  readonly #random: Random;
  readonly #peer: Peer;
  readonly #replies = new Map<number, Uint8Array | null>();
  #calls = 0;
  #tick = 0;
  #rests = false;
  /** What a claim of its has for bytes: all have as many. */
  #claimBytes: Uint8Array = NOTHING;

  constructor(
    readonly room: TabRoom,
    readonly id: PeerId,
    readonly kind: number,
    random: Random,
  ) {
    this.#random = random;
    this.born = room.now;
    const { policy, dimension } = room.school;
    const peer = initialPeer({ id, dimension, policy, peers: 1 });
    const limits = { dimension, most: MOST_SLOTS, reward: MOST_REWARD };
    const exchange = parts.createExchange({ peer, agreement: "room", limits });
    this.#peer = peer;
    this.node = new parts.Node({
      life: { peer, exchange, loss: new parts.Loss(), places: new parts.Places(), queue: new parts.ReportQueue() },
      config: { random: random.fork("exchanges"), admits: () => true },
    });
    const config = { self: id, incarnation: Math.floor(this.born), bootstrap: [HUB], connections: CONNECTIONS };
    this.gossip = this.node.enter({ ...config, random: random.fork("gossip"), mayDial: () => true }, this.born);
  }

  get connections(): number {
    return this.#open.size;
  }

  start(): void {
    this.feed({ kind: "moved", addresses: [ADDRESS] });
    this.feed({ kind: "serves", addresses: [ADDRESS] });
    this.feed({ kind: "start", tick: TICK, random: this.#random.fork("ticks") });
    this.#round();
    const { turnMs } = this.room.school;
    if (turnMs !== null) this.#turn(turnMs, this.#random.fork("turns"));
  }

  /** Somebody chooses and is rewarded, now and then. */
  #turn(everyMs: number, random: Random): void {
    this.room.after(everyMs * (0.5 + random.uniform()), () => {
      if (!this.alive) return;
      this.feed({ kind: "observe", ...this.room.school.turn(this.kind, this.#peer, random), beside: [] });
      this.#turn(everyMs, random);
    });
  }

  /** Its tab is closed. Sockets close with it, unless the machine is off the network. */
  end(how: "goodbye" | "close" | "vanish"): void {
    if (how === "goodbye") this.feed({ kind: "leaving", addresses: [ADDRESS] });
    this.alive = false;
    this.died = this.room.now;
    this.room.hub.delete(this);
    for (const other of this.#open) {
      // After all that it said: a connection keeps the order.
      this.room.after(how === "vanish" ? this.room.noticeMs : 2 * this.room.mostMs, () => other.#hungUp(this));
    }
  }

  /** The others in its view that are there. */
  neighbours(): RoomTab[] {
    return this.gossip.view().flatMap((peer) => this.room.find(peer) ?? []);
  }

  feed(event: parts.NodeEvent): void {
    if (!this.alive) return;
    for (const effect of this.node.step(event, this.room.now)) this.#perform(effect);
  }

  #round(): void {
    this.feed({ kind: "round", addresses: [ADDRESS] });
  }

  #perform(effect: parts.Effect): void {
    switch (effect.kind) {
      case "sign":
        if (this.#claimBytes.length === 0) this.#claimBytes = parts.encodeClaim(effect.claim);
        this.feed({
          kind: "signed",
          entry: { claim: effect.claim, bytes: this.#claimBytes, signature: SIGNATURE },
        });
        return;
      case "call":
        this.#ask(this.room.find(effect.peer), effect.peer, "gossip", NOTHING, () => {});
        return;
      case "contact":
        this.#contact(effect.address);
        return;
      case "improve":
        this.feed({ kind: "improved" });
        return;
      case "close":
        this.#part(effect.id);
        return;
      case "round-in":
        this.room.after(effect.ms, () => this.#round());
        return;
      case "joined":
        this.#joined(effect.peer);
        return;
      case "write":
        for (const next of effect.then) this.#perform(next);
        return;
      case "propose":
        this.#propose(effect.to, effect.proposal);
        return;
      case "check":
        this.feed({ kind: "checked", error: null });
        return;
      case "seal":
        this.feed({ kind: "sealed", call: effect.call, records: effect.records.map(signed) });
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
        return;
      default:
        return;
    }
  }

  #joined(peer: PeerId): void {
    const other = this.room.everybody.get(peer);
    if (other !== undefined && this.buried.has(other)) this.room.fault(`${peer} was buried and came back`);
  }

  #tickIn(ms: number): void {
    this.#tick += 1;
    const tick = this.#tick;
    this.room.after(ms, () => {
      if (tick === this.#tick) this.feed({ kind: "due" });
    });
  }

  #rest(): void {
    if (this.#rests) return;
    this.#rests = true;
    this.room.after(0, () => {
      this.#rests = false;
      this.feed({ kind: "rested" });
    });
  }

  #propose(to: PeerId, proposal: Uint8Array): void {
    const other = this.room.find(to);
    this.#ask(other, to, "exchange", proposal, (reply) => {
      const ok = reply?.body != null;
      this.room.exchanged(this, other, ok);
      if (ok) this.feed({ kind: "replied", answer: reply.body! });
      else this.feed({ kind: "unanswered", unsent: false });
    });
  }

  /** A request: a connection where there is none, a message there and one back. */
  #ask(
    other: RoomTab | null,
    peer: PeerId,
    kind: parts.Occasion,
    body: Uint8Array,
    then: (reply: Reply | null) => void,
  ): void {
    const work = kind === "gossip";
    this.feed({ kind: "asking", peer });
    const fail = (): void => {
      const gone = this.room.everybody.get(peer);
      if (gone !== undefined && !gone.alive) this.buried.add(gone);
      this.feed({ kind: "failed", peer, work });
      if (this.alive) then(null);
    };
    if (other === null) {
      this.room.after(this.room.failMs, fail);
      return;
    }
    const connected = this.#open.has(other);
    // A dial and a greeting are two round trips.
    const wait = connected ? 0 : 4 * this.room.latency();
    this.room.after(wait, () => {
      if (!this.alive) return;
      if (!other.alive) {
        this.room.after(this.room.failMs, fail);
        return;
      }
      if (!this.#open.has(other)) this.#connect(other);
      const { news } = this.gossip.pack(peer, kind, this.room.now);
      this.#count(news, body);
      this.room.after(this.room.latency(), () => {
        if (!other.alive) {
          this.room.after(this.room.failMs, fail);
          return;
        }
        const reply = other.#answer(this, kind, news, body);
        this.room.after(this.room.latency(), () => {
          if (!this.alive) return;
          this.#hear(peer, reply.news, kind);
          this.feed({ kind: "answered", peer, work });
          then(reply);
        });
      });
    });
  }

  #answer(from: RoomTab, kind: parts.Occasion, news: readonly parts.News[], body: Uint8Array): Reply {
    this.feed({ kind: "asked", peer: from.id });
    this.#hear(from.id, news, kind);
    const call = this.#calls++;
    if (kind === "exchange") this.feed({ kind: "proposal", call, from: from.id, proposal: body });
    const answer = kind === "gossip" ? NOTHING : (this.#replies.get(call) ?? null);
    this.#replies.delete(call);
    this.feed({ kind: "served", peer: from.id });
    const told = this.gossip.pack(from.id, kind, this.room.now);
    this.#count(told.news, answer ?? NOTHING);
    return { news: told.news, body: answer };
  }

  #hear(from: PeerId, told: readonly parts.News[], occasion: parts.Occasion): void {
    const news = told.filter((one) => this.gossip.wants(one, from, occasion, this.room.now));
    this.room.checked += news.length;
    this.feed({ kind: "heard", from, occasion, news, told });
  }

  #count(news: readonly parts.News[], body: Uint8Array): void {
    this.room.sent(HEADER_BYTES + parts.newsBytes(news), body.length);
  }

  #connect(other: RoomTab): void {
    this.room.sent(GREETING_BYTES.hello, 0);
    this.room.sent(GREETING_BYTES.welcome, 0);
    this.#opened(other);
    other.#opened(this);
  }

  #opened(other: RoomTab): void {
    this.#open.add(other);
    this.feed({ kind: "opened", connection: { id: other.id, peer: other.id, relayed: false } });
  }

  #part(peer: PeerId): void {
    const other = this.room.everybody.get(peer);
    if (other === undefined || !this.#open.has(other)) {
      this.feed({ kind: "closed", id: peer });
      return;
    }
    this.room.sent(PARTING_BYTES, 0);
    this.#parting.add(other);
    this.room.after(this.room.latency(), () => {
      other.feed({ kind: "parting", id: this.id });
      other.#closed(this);
      this.#closed(other);
    });
  }

  /** Its other end closed without a word. */
  #hungUp(other: RoomTab): void {
    if (this.#open.has(other) && !this.#parting.has(other)) this.buried.add(other);
    this.#closed(other);
  }

  #closed(other: RoomTab): void {
    this.#parting.delete(other);
    if (this.#open.delete(other)) this.feed({ kind: "closed", id: other.id });
  }

  /** A hub takes the entry, and names a few that came to it lately. */
  #contact(address: string): void {
    const own = this.gossip.introduce(HUB, this.room.now).news;
    this.room.sent(HEADER_BYTES + parts.newsBytes(own), 0);
    this.room.after(2 * this.room.latency(), () => {
      if (!this.alive) return;
      this.#hear(HUB, this.room.hub.introduce(this, own), "gossip");
      this.feed({ kind: "reached", address, hub: HUB, held: false });
    });
  }
}

const ADDRESS = "/ip4/203.0.113.7/tcp/40001/ws";

/** A record of its own has no signature yet; others can tell how long one is. */
const signed = (record: Record): Record => (record.signature === null ? { ...record, signature: SIGNATURE } : record);
