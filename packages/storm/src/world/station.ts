import type { PeerId, Random } from "@coterie/core";
import { type Link, LinkError, type Network, parts } from "@coterie/net";
import type { Air } from "./air.ts";
import type { Life } from "./disk.ts";
import { notaryOf } from "./notary.ts";

type Handler = Parameters<Link["serve"]>[0];
type Changed = Parameters<Network["onMembers"]>[0];

interface Call {
  readonly to: PeerId;
  readonly done: (body: Uint8Array) => void;
  readonly fail: (error: Error) => void;
  readonly cancel: () => void;
}

/** How long a response is waited for. */
const REQUEST_MS = 450;
const PROBE_EVERY = 4;
const NOTHING = new Uint8Array();
const ADDRESSES = ["/memory"];

/** What goes along with a message, as bytes or as it is. */
type Header<Kind> = Uint8Array | (parts.Bulletin & { readonly kind: Kind });
type RequestKind = "gossip" | "exchange";
type ResponseKind = "answer" | "failed" | "idle";
type Respond = (answer: Uint8Array, header: Header<ResponseKind>) => void;

export interface Surroundings {
  readonly air: Air;
  readonly coded: boolean;
  readonly index: (peer: PeerId) => number;
  /** The station of a peer that is up, or null. */
  readonly find: (peer: PeerId) => Station | null;
  readonly bootstrap: () => readonly PeerId[];
}

/** What a liar does with a message before it leaves. Others hand theirs on as they are: nobody writes into a message. */
export type Tamper = (body: Uint8Array, says: "proposal" | "answer") => Uint8Array | null;

/** A peer's place on the simulated network: the shipped membership and headers, over the air instead of libp2p. */
export class Station implements Network {
  readonly link: Link;
  readonly membership: parts.Membership;
  readonly #notary: parts.Notary;
  readonly #listeners = new Set<Changed>();
  readonly #calls = new Map<number, Call>();
  #handler: Handler | null = null;
  #rounds = 0;
  #asked = 0;
  #closed = false;

  constructor(
    readonly self: PeerId,
    readonly surroundings: Surroundings,
    readonly random: Random,
    readonly life: Life,
    incarnation: number,
    readonly tamper: Tamper | null,
  ) {
    this.#notary = notaryOf(self);
    this.membership = new parts.Membership(self, incarnation, this.#now());
    this.link = {
      request: (to, message) => this.#ask(to, "exchange", message),
      serve: (handler) => {
        this.#handler = handler;
        void this.#beat(false);
      },
      close: () => this.close(),
    };
    void this.#beat(false);
    this.#next(60 * this.random.uniform());
  }

  get calls(): number {
    return this.#calls.size;
  }

  get silent(): boolean {
    return this.life.dead || this.#closed;
  }

  alive(): readonly PeerId[] {
    return this.silent ? [] : this.membership.alive(this.#now());
  }

  onMembers(changed: Changed): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async close(): Promise<void> {
    if (this.silent) return;
    await this.#beat(true);
    for (const peer of this.membership.reachable(this.#now()).slice(0, 4)) this.#call(peer, "gossip", NOTHING, no, no);
    this.#closed = true;
    for (const call of this.#calls.values()) call.fail(new LinkError("the network is closed"));
    this.#calls.clear();
  }

  #now(): number {
    return this.surroundings.air.scheduler.now;
  }

  async #beat(leaving: boolean): Promise<void> {
    const state = { addresses: ADDRESSES, serves: this.#handler !== null, leaving };
    if (this.membership.current(state, this.#now()) !== null) return;
    await parts.heartbeat(this.membership, this.#notary, state, this.#now());
  }

  #next(delayMs: number): void {
    this.surroundings.air.scheduler.after(delayMs, () => {
      if (this.silent) return;
      void this.#gossip();
      const pace = this.#rounds < 6 ? 120 : this.membership.roundMs;
      this.#next(pace * (0.8 + 0.4 * this.random.uniform()));
    });
  }

  async #gossip(): Promise<void> {
    this.#tell(this.membership.tick(this.#now()));
    if (this.#rounds % parts.ROUNDS_PER_HEARTBEAT === 0) await this.#beat(false);
    const partners = this.#partners();
    this.#rounds += 1;
    for (const partner of partners) this.#call(partner, "gossip", NOTHING, no, no);
  }

  /** One that is there; while nobody is, all that one was told of, as the shipped bootstrap has it: else islands form. */
  #partners(): readonly PeerId[] {
    const doubtful = this.#rounds % PROBE_EVERY === 1 ? this.membership.doubtful(this.#now()) : [];
    const living = doubtful.length > 0 ? doubtful : this.membership.reachable(this.#now());
    if (living.length === 0) return this.#strangers();
    const choice = this.#rounds % 64 !== 63 ? living : this.#strangers();
    return choice.length === 0 ? [] : [choice[this.random.below(choice.length)]!];
  }

  #strangers(): PeerId[] {
    return this.surroundings.bootstrap().filter((peer) => peer !== this.self && peer !== "");
  }

  #ask(to: PeerId, kind: RequestKind, body: Uint8Array): Promise<Uint8Array> {
    return new Promise((done, fail) => this.#call(to, kind, body, done, fail));
  }

  #call(to: PeerId, kind: RequestKind, body: Uint8Array, done: Call["done"], fail: Call["fail"]): void {
    if (this.silent) {
      fail(new LinkError("the network is closed"));
      return;
    }
    const sent = kind === "exchange" && this.tamper !== null ? this.tamper(body, "proposal") : body;
    const { news, pulses } = this.membership.pack(this.#now(), this.random, to);
    const plain = { kind, news, pulses };
    const header = this.surroundings.coded ? parts.requests.encode(plain) : plain;
    const id = this.#asked++;
    const cancel = this.surroundings.air.scheduler.after(REQUEST_MS, () => {
      if (!this.#calls.delete(id) || this.silent) return;
      this.membership.failed(to, this.#now());
      fail(new LinkError(`no answer from ${to}`));
    });
    this.#calls.set(id, { to, done, fail, cancel });
    if (sent === null) return;
    this.#send(to, sent, (station) => {
      station.#hear(this.self, header, sent, (answer, back) => {
        station.#send(this.self, answer, (me) => me.#answered(id, back, answer));
      });
    });
  }

  #send(to: PeerId, body: Uint8Array, deliver: (station: Station) => void): void {
    const { air, index, find } = this.surroundings;
    air.carry(index(this.self), index(to), body, () => {
      const station = find(to);
      if (station !== null && !station.silent) deliver(station);
    });
  }

  /** A request comes in. */
  #hear(from: PeerId, header: Header<RequestKind>, body: Uint8Array, respond: Respond): void {
    const said = header instanceof Uint8Array ? parts.requests.decode(header) : header;
    this.#take(from, said, () => {
      if (said.kind !== "exchange") this.#respond(from, "answer", NOTHING, respond);
      else if (this.#handler === null) this.#respond(from, "idle", NOTHING, respond);
      else void this.#exchange(this.#handler, from, body, respond);
    });
  }

  async #exchange(handler: Handler, from: PeerId, body: Uint8Array, respond: Respond): Promise<void> {
    let answer: Uint8Array | null = NOTHING;
    let how: ResponseKind = "answer";
    try {
      answer = await handler(from, body);
      if (this.tamper !== null) answer = this.tamper(answer, "answer");
    } catch {
      how = "failed";
    }
    if (answer !== null) this.#respond(from, how, answer, respond);
  }

  #respond(to: PeerId, kind: ResponseKind, answer: Uint8Array, respond: Respond): void {
    if (this.silent) return;
    const { news, pulses } = this.membership.pack(this.#now(), this.random, to);
    const plain = { kind, news, pulses };
    respond(answer, this.surroundings.coded ? parts.responses.encode(plain) : plain);
  }

  #answered(id: number, header: Header<ResponseKind>, body: Uint8Array): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    call.cancel();
    const said = header instanceof Uint8Array ? parts.responses.decode(header) : header;
    this.#take(call.to, said, () => {
      if (said.kind === "answer") call.done(body);
      else call.fail(new LinkError(`${call.to} could not answer`));
    });
  }

  /** Takes in what came along with a message; `then` at once where there is no news whose signature must be checked. */
  #take(from: PeerId, { news, pulses }: parts.Bulletin, then: () => void): void {
    const heard = (events: readonly parts.MembershipEvent[]): void => {
      this.membership.contact(from, this.#now());
      this.membership.hear(from, pulses, this.#now());
      this.#tell(events);
      then();
    };
    if (news.length === 0) heard([]);
    else void parts.receive(this.membership, this.#notary, news, () => this.#now()).then(({ events }) => heard(events));
  }

  #tell(events: readonly parts.MembershipEvent[]): void {
    if (this.silent) return;
    for (const event of events) for (const listener of this.#listeners) listener(event);
  }
}

function no(): void {}
