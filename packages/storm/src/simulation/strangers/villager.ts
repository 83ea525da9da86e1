import type { PeerId, Random } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import { NOTHING, PlainDriver, type Reply } from "../plainDriver.ts";
import type { Stranger } from "./stranger.ts";
import { FAIL_MS, STRANGE, THIRD_PARTY, type Village } from "./village.ts";

/** What came of an exchange of which something was heard. */
const ANSWERED = ["mix", "keep", "prune", "behind", "busy"];

/** One honest peer. */
export class Villager extends PlainDriver {
  /** Takes part in gossip and answers no exchange. */
  mute = false;
  /** Answers probes, and no proposal. */
  sly = false;
  readonly #open = new Set<PeerId>();
  /** Whom it is dialling: a second request waits for the same dial. */
  readonly #dialling = new Set<PeerId>();

  constructor(
    readonly village: Village,
    id: PeerId,
    address: string,
    first: Villager | null,
    random: Random,
  ) {
    const bootstrap = first === null ? [] : [first.address];
    const { policy } = village.config;
    const incarnation = 1 + Math.floor(village.now);
    super(village, { id, address, policy, dimension: 2, incarnation, bootstrap, random });
  }

  get isNeighbour(): boolean {
    return this.address.includes(STRANGE);
  }

  /** A stranger's request. */
  calledBy(stranger: Stranger, news: readonly parts.News[]): void {
    if (!this.#open.has(stranger.id)) this.opened(stranger.id, stranger.address, false);
    // It may have been cut off at once.
    if (this.#open.has(stranger.id)) this.hear(stranger.id, news, "gossip");
  }

  /** Its process is killed: connections close with it. */
  kill(): void {
    this.alive = false;
    this.village.residents.delete(this.id);
    for (const peer of this.#open) this.village.residents.get(peer)?.hungUp(this.id);
  }

  hungUp(peer: PeerId): void {
    if (this.#open.delete(peer)) this.feed({ kind: "closed", id: peer });
  }

  protected override perform(effect: parts.NodeEffect): void {
    // Two ticks that end at once are two rests here: what was measured of these rooms was measured so.
    if (effect.kind === "ticked") this.village.after(0, () => this.feed({ kind: "rested" }));
    else super.perform(effect);
    if (effect.kind === "tell") this.#told(effect.event);
  }

  protected call(peer: PeerId): void {
    this.#ask(peer, "gossip", NOTHING, () => {});
  }

  protected propose(to: PeerId, proposal: Uint8Array): void {
    this.#ask(to, "exchange", proposal, (reply) => {
      if (reply === null) this.feed({ kind: "unanswered", unsent: false });
      else this.feed({ kind: "replied", answer: reply.body ?? NOTHING });
    });
  }

  #told(event: parts.HostEvent): void {
    if (event.kind !== "exchange" || event.side !== "proposed" || this.mute) return;
    if (ANSWERED.includes(event.verdict)) this.village.exchanged(this, event.partner);
    else this.village.failures += 1;
  }

  protected contact(address: string): void {
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
      if (village.loss > 0 && village.random.uniform() < village.loss) return fail();
      if (other === undefined) return this.#askStranger(peer, kind, fail, then, work);
      if (!this.#open.has(peer)) this.#connect(other);
      if (!this.#open.has(peer) || (kind === "exchange" && other.#ignores(body))) return fail();
      const { news } = this.gossip.bulletins.pack(peer, kind, village.now);
      return village.after(village.latency(), () => {
        const reply = other.answer(this.id, kind, news, body);
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
    if (!this.#open.has(peer)) this.opened(peer, stranger.address, true);
    if (!this.#open.has(peer)) return fail();
    return this.village.after(2 * this.village.latency(), () =>
      this.#replied(peer, kind, { news: stranger.news(), body: NOTHING }, then, work),
    );
  }

  #replied(peer: PeerId, kind: parts.Occasion, reply: Reply, then: (reply: Reply | null) => void, work: boolean): void {
    this.hear(peer, reply.news, kind);
    this.feed({ kind: "answered", peer, work });
    then(reply);
  }

  #ignores(body: Uint8Array): boolean {
    return this.mute && !(this.sly && parts.isProbing(body));
  }

  #connect(other: Villager): void {
    this.opened(other.id, other.address, true);
    if (this.#open.has(other.id)) other.opened(this.id, this.address, false);
  }

  protected override opened(peer: PeerId, address: string, outbound: boolean): void {
    this.#dialling.delete(peer);
    this.#open.add(peer);
    super.opened(peer, address, outbound);
  }

  protected hangUp(peer: PeerId, said: boolean): void {
    if (!this.#open.delete(peer)) return;
    this.feed({ kind: "closed", id: peer });
    const other = this.village.residents.get(peer);
    if (other === undefined) return;
    if (said) other.feed({ kind: "parting", id: this.id });
    other.hungUp(this.id);
  }
}
