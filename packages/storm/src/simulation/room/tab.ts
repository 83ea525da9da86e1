import { type PeerId, type Random, step } from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";
import { NOTHING, PlainDriver, type Reply, SIGNATURE } from "../plainDriver.ts";
import type { TabRoom } from "./tabRoom.ts";
import type { Visit, Visitor } from "./visit.ts";

const HUB = "hub";

/** Of what two peers say when they connect, and of a word that a connection is closed. */
const GREETING_BYTES = { hello: 98, welcome: 33 };
const PARTING_BYTES = 40;
/** The rest of a header, and the lengths before header and body. */
const HEADER_BYTES = 5;

/** One tab. */
export class RoomTab extends PlainDriver {
  /** Those it lost after they were gone: none of them may come back. */
  readonly buried = new Set<Visit>();
  /** Connections, by the name of the other end. */
  readonly #open = new Map<PeerId, RoomTab>();
  /** Whom it is about to part from. */
  readonly #parting = new Set<RoomTab>();
  readonly #random: Random;

  constructor(
    readonly room: TabRoom,
    readonly visit: Visit,
    random: Random,
    before: Visitor | null = null,
  ) {
    const [a, b, c] = [1 + random.below(9), random.below(256), random.below(256)];
    const address = `/ip4/${a}.${b}.${c}.7/tcp/40001/ws`;
    const { policy, dimension } = room.school;
    const incarnation = Math.floor(room.now);
    super(room, {
      id: visit.id,
      address,
      policy,
      dimension,
      peer: before?.peer,
      incarnation,
      bootstrap: [HUB],
      random,
    });
    this.#random = random;
    visit.tab = this;
  }

  get born(): number {
    return this.visit.born;
  }

  get kind(): number {
    return this.visit.kind;
  }

  get connections(): number {
    return this.#open.size;
  }

  override start(): void {
    super.start();
    const { turnMs } = this.room.school;
    if (turnMs !== null) this.#turn(turnMs, this.#random.fork("turns"));
  }

  /** Somebody chooses and is rewarded, now and then. */
  #turn(everyMs: number, random: Random): void {
    this.room.after(everyMs * (0.5 + random.uniform()), () => {
      if (!this.alive) return;
      const { regret, ...seen } = this.room.school.turn(this.kind, this.peer, random);
      this.room.chose(regret);
      step(this.peer, { kind: "observe", ...seen });
      this.#turn(everyMs, random);
    });
  }

  /** Its tab is closed. Sockets close with it, unless the machine is off the network. */
  end(how: "goodbye" | "close" | "vanish"): void {
    if (how === "goodbye") this.feed({ kind: "leaving", addresses: [this.address] });
    this.alive = false;
    this.visit.died = this.room.now;
    this.visit.tab = null;
    this.room.hub.delete(this);
    for (const other of this.#open.values()) {
      // After all that it said: a connection keeps the order.
      this.room.after(how === "vanish" ? this.room.noticeMs : 2 * this.room.mostMs, () => other.#hungUp(this));
    }
  }

  /** Others can tell how long a signature is. */
  protected override seal(record: PeerRecord): PeerRecord {
    return record.signature === null ? { ...record, slot: record.slot, signature: SIGNATURE } : record;
  }

  /** The others in its view that are there. */
  neighbours(): RoomTab[] {
    return this.gossip.view().flatMap((peer) => this.room.find(peer) ?? []);
  }

  protected override perform(effect: parts.NodeEffect): void {
    super.perform(effect);
    if (effect.kind === "joined") this.#joined(effect.peer);
  }

  protected call(peer: PeerId): void {
    this.#ask(this.room.find(peer), peer, "gossip", NOTHING, () => {});
  }

  #joined(peer: PeerId): void {
    const other = this.room.visits.get(peer);
    if (other !== undefined && this.buried.has(other)) this.room.fault(`${peer} was buried and came back`);
  }

  protected propose(to: PeerId, proposal: Uint8Array): void {
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
      const gone = this.room.visits.get(peer);
      if (gone?.tab === null) this.buried.add(gone);
      this.feed({ kind: "failed", peer, work });
      if (this.alive) then(null);
    };
    if (other === null) {
      this.room.after(this.room.failMs, fail);
      return;
    }
    const connected = this.#open.has(peer);
    // A dial and a greeting are two round trips.
    const wait = connected ? 0 : 4 * this.room.latency();
    this.room.after(wait, () => {
      if (!this.alive) return;
      if (!other.alive) {
        this.room.after(this.room.failMs, fail);
        return;
      }
      if (!this.#open.has(peer)) this.#connect(other);
      const { news } = this.gossip.bulletins.pack(peer, kind, this.room.now);
      this.#count(news, body);
      this.room.after(this.room.latency(), () => {
        if (!other.alive) {
          this.room.after(this.room.failMs, fail);
          return;
        }
        const reply = other.#answers(this, kind, news, body);
        this.room.after(this.room.latency(), () => {
          if (!this.alive) return;
          this.hear(peer, reply.news, kind);
          this.feed({ kind: "answered", peer, work });
          then(reply);
        });
      });
    });
  }

  #answers(from: RoomTab, kind: parts.Occasion, news: readonly parts.News[], body: Uint8Array): Reply {
    const reply = this.answer(from.id, kind, news, body);
    this.#count(reply.news, reply.body ?? NOTHING);
    return reply;
  }

  protected override hear(from: PeerId, told: readonly parts.News[], occasion: parts.Occasion, hub = false): number {
    const checked = super.hear(from, told, occasion, hub);
    this.room.checked += checked;
    return checked;
  }

  #count(news: readonly parts.News[], body: Uint8Array): void {
    this.room.sent(HEADER_BYTES + parts.newsBytes(news), body.length);
  }

  #connect(other: RoomTab): void {
    this.room.sent(GREETING_BYTES.hello, 0);
    this.room.sent(GREETING_BYTES.welcome, 0);
    this.#open.set(other.id, other);
    this.opened(other.id, other.address, true);
    other.#open.set(this.id, this);
    other.opened(this.id, this.address, false);
  }

  protected hangUp(peer: PeerId, said: boolean): void {
    if (said) this.#part(peer);
    else this.#drop(peer);
  }

  #part(peer: PeerId): void {
    const other = this.#open.get(peer);
    if (other === undefined) {
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

  #drop(peer: PeerId): void {
    const other = this.#open.get(peer);
    if (other === undefined) return;
    this.#closed(other);
    this.room.after(this.room.latency(), () => other.#hungUp(this));
  }

  /** Its other end closed without a word. */
  #hungUp(other: RoomTab): void {
    if (this.#open.has(other.id) && !this.#parting.has(other)) this.buried.add(other.visit);
    this.#closed(other);
  }

  #closed(other: RoomTab): void {
    this.#parting.delete(other);
    if (this.#open.delete(other.id)) this.feed({ kind: "closed", id: other.id });
  }

  /** A hub takes the entry, and names a few that came to it lately. */
  protected contact(address: string): void {
    const own = this.gossip.bulletins.introduce(HUB, this.room.now).news;
    this.room.sent(HEADER_BYTES + parts.newsBytes(own), 0);
    this.room.after(2 * this.room.latency(), () => {
      if (!this.alive) return;
      this.hear(HUB, this.room.hub.introduce(this, own), "gossip", true);
      this.feed({ kind: "reached", address, hub: HUB, held: false });
    });
  }
}
