import type { PeerId, Random } from "@coterie/core";
import { type Link, LinkError, type Network } from "@coterie/net";
import * as parts from "@coterie/net/internal";
import type { DiskUser } from "./disk.ts";
import type { SimulatedNetwork } from "./network.ts";
import { notaryOf } from "./notary.ts";
import { SimulatedStream } from "./stream.ts";

type Handler = Parameters<Link["serve"]>[0];
type Changed = Parameters<Network["onMembers"]>[0];

/** How long an answer is waited for, to a greeting and to a request. */
const ANSWER_MS = 450;
/** For saying goodbye. */
const GOODBYE_MS = 30;
/** From the word that a connection is closed to that. */
const PARTING_MS = 20;
/** Connections to keep: fewer than there are peers in most rooms, so that some are closed. */
const CONNECTIONS = 6;
const NOTHING = new Uint8Array();
const ADDRESSES = ["/memory"];
/** Everybody is in the same room and agrees. */
const TERMS = new Uint8Array(32);
const NEVER = new AbortController().signal;

/** What goes along with a message, as bytes or as it is. */
type Header<Kind> = Uint8Array | (parts.Bulletin & { readonly kind: Kind });
type RequestKind = "gossip" | "exchange";
type ResponseKind = "answer" | "failed" | "idle";
interface Response {
  readonly header: Header<ResponseKind>;
  readonly body: Uint8Array;
}

export interface Surroundings {
  readonly network: SimulatedNetwork;
  readonly coded: boolean;
  readonly index: (peer: PeerId) => number;
  /** The driver of a peer that is up, or null. */
  readonly find: (peer: PeerId) => SimulatedDriver | null;
  /** Addresses that everybody was given, and who is at one of them by now. */
  readonly bootstrap: readonly string[];
  readonly at: (address: string) => PeerId | null;
}

/** What a liar does with a message before it leaves. Others hand theirs on as they are: nobody writes into a message. */
export type Tamper = (body: Uint8Array, says: "proposal" | "answer") => Uint8Array | null;

/** A peer's place on the simulated network: drives the shipped node over the network, as libp2p does over sockets. */
export class SimulatedDriver implements Network {
  readonly link: Link;
  readonly node: parts.Gossip;
  readonly #notary: parts.Notary;
  readonly #mine: parts.Credentials;
  readonly #listeners = new Set<Changed>();
  /** The other ends of connections, which may be gone. */
  readonly #open = new Map<PeerId, SimulatedDriver>();
  /** What ends the waiting for an answer. */
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #hearing: parts.Hearing;
  #handler: Handler | null = null;
  #closed = false;

  constructor(
    readonly self: PeerId,
    readonly surroundings: Surroundings,
    readonly random: Random,
    readonly life: DiskUser,
    readonly machine: parts.Node,
    incarnation: number,
    readonly tamper: Tamper | null,
  ) {
    this.#notary = notaryOf(self);
    const nonce = (): Uint8Array => {
      const bytes = new Uint8Array(32);
      for (let k = 0; k < bytes.length; k++) bytes[k] = random.below(256);
      return bytes;
    };
    this.#mine = { self, room: TERMS, agreement: TERMS, prover: null, nonce };
    const { bootstrap } = surroundings;
    // A room with a key: what is checked here is that nothing is lost among peers that know each other.
    const room = { bootstrap, connections: CONNECTIONS, mayDial: () => true, open: false };
    const config = { self, incarnation, random, ...room };
    const clock = (): number => this.#now();
    this.node = machine.enter(config, clock, (effect) => this.#perform(effect));
    this.#hearing = { gossip: this.node, notary: this.#notary, clock, tell: (event) => this.#note(event) };
    this.link = {
      request: (to, message) => this.#ask(to, "exchange", message, false),
      serve: (handler) => {
        this.#handler = handler;
        this.#note({ kind: "serves", addresses: ADDRESSES });
      },
      close: () => this.close(),
    };
    void this.#feed({ kind: "moved", addresses: ADDRESSES }).then(() => this.#round());
  }

  /** Greetings and requests of its own that are under way. */
  get calls(): number {
    return this.#waiting.size;
  }

  get silent(): boolean {
    return this.life.dead || this.#closed;
  }

  alive(): readonly PeerId[] {
    return this.silent ? [] : this.node.alive();
  }

  onMembers(changed: Changed): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async close(): Promise<void> {
    if (this.silent) return;
    this.#note({ kind: "leaving", addresses: ADDRESSES });
    await new Promise<void>((resolve) => this.surroundings.network.scheduler.after(GOODBYE_MS, resolve));
    for (const peer of [...this.#open.keys()]) this.#hangUp(peer);
    this.#closed = true;
    for (const fail of [...this.#waiting]) fail(new LinkError("the network is closed"));
  }

  #now(): number {
    return this.surroundings.network.scheduler.now;
  }

  #round(): void {
    this.#notice();
    this.#note({ kind: "round", addresses: ADDRESSES });
  }

  /** Resolves when what had to be signed is signed. */
  async #feed(event: parts.GossipEvent): Promise<void> {
    if (!this.silent) await this.machine.tell(event);
  }

  /** The same where nobody waits for that. */
  #note(event: parts.GossipEvent): void {
    if (!this.silent) this.machine.note(event);
  }

  async #perform(effect: parts.GossipEffect): Promise<void> {
    switch (effect.kind) {
      case "sign":
        return this.#feed({ kind: "signed", entry: await parts.signedBy(this.#notary, effect.claim) });
      case "call":
        this.#ask(effect.peer, "gossip", NOTHING, true).catch(() => {});
        return;
      case "contact":
        void this.#contact(effect.address);
        return;
      case "improve":
        return this.#feed({ kind: "improved" });
      case "close":
        return this.#part(effect.id);
      case "farewell":
        return; // These are no pages.
      case "drop":
        return this.#hangUp(effect.id);
      case "round-in":
        this.surroundings.network.scheduler.after(effect.ms, () => this.#round());
        return;
      default:
        for (const listener of this.#listeners) listener(effect);
    }
  }

  async #contact(address: string): Promise<void> {
    const peer = this.surroundings.at(address);
    try {
      if (peer === null || peer === this.self) throw new LinkError(`nobody else is at ${address}`);
      await this.#ask(peer, "gossip", NOTHING, false);
      this.#note({ kind: "reached", address, hub: null, held: false });
    } catch {
      this.#note({ kind: "missed", address, hub: null, refused: false });
    }
  }

  async #ask(peer: PeerId, kind: RequestKind, body: Uint8Array, work: boolean): Promise<Uint8Array> {
    if (this.silent) throw new LinkError("the network is closed");
    this.#note({ kind: "asking", peer });
    let sent = false;
    try {
      await this.#connect(peer);
      sent = true;
      const { header, body: answer } = await this.#request(peer, kind, body);
      const said = header instanceof Uint8Array ? parts.responses.decode(header) : header;
      await parts.hear(this.#hearing, peer, said, kind);
      this.#note({ kind: "answered", peer, work });
      if (said.kind !== "answer") throw new LinkError(`${peer} could not answer`);
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#note({ kind: "failed", peer, work });
      // The other end is not told: it may not even be there.
      if (this.#open.has(peer)) this.#hungUp(peer);
      throw new NoAnswer(error.message, !sent);
    }
  }

  /** Greets where there is no connection, or where the other end is gone. */
  async #connect(peer: PeerId): Promise<void> {
    const kept = this.#open.get(peer);
    if (kept !== undefined && kept === this.surroundings.find(peer) && kept.#open.get(this.self) === this) return;
    if (kept !== undefined) this.#hungUp(peer);
    const other = await this.#wait<SimulatedDriver>(peer, (done) => {
      let answerer: SimulatedDriver | null = null;
      const line: SimulatedStream = new SimulatedStream((bytes) =>
        this.#send(peer, bytes, (driver) => {
          answerer = driver;
          driver.#greeted(this, line, bytes);
        }),
      );
      void parts.greet(line, this.#mine, peer, NEVER).then(() => answerer !== null && done(answerer));
    });
    this.#opened(other);
  }

  /** Somebody greets. */
  #greeted(caller: SimulatedDriver, theirs: SimulatedStream, bytes: Uint8Array): void {
    const line = new SimulatedStream((reply) =>
      this.#send(caller.self, reply, (driver) => {
        if (driver === caller) theirs.hear(reply);
      }),
    );
    line.hear(bytes);
    void parts.welcome(line, this.#mine, caller.self, NEVER).then(() => this.#opened(caller));
  }

  #opened(other: SimulatedDriver): void {
    if (this.silent) return;
    this.#open.set(other.self, other);
    this.#note({ kind: "opened", connection: { id: other.self, peer: other.self, relayed: false } });
  }

  #hangUp(peer: PeerId): void {
    const other = this.#open.get(peer);
    if (other === undefined) return;
    this.#hungUp(peer);
    this.#send(peer, NOTHING, (driver) => {
      if (driver === other && driver.#open.get(this.self) === this) driver.#hungUp(this.self);
    });
  }

  /** Makes room: the other end is told that this is no end. What comes first of the two counts. */
  #part(peer: PeerId): void {
    const other = this.#open.get(peer);
    this.#send(peer, NOTHING, (driver) => {
      if (driver === other) driver.#note({ kind: "parting", id: this.self });
    });
    this.surroundings.network.scheduler.after(PARTING_MS, () => this.#hangUp(peer));
  }

  /** Sockets tell after a while that the process at their other end is gone. */
  #notice(): void {
    for (const [peer, other] of this.#open) if (other.silent) this.#hungUp(peer);
  }

  #hungUp(peer: PeerId): void {
    this.#open.delete(peer);
    this.#note({ kind: "closed", id: peer });
  }

  #request(to: PeerId, kind: RequestKind, body: Uint8Array): Promise<Response> {
    const sent = kind === "exchange" && this.tamper !== null ? this.tamper(body, "proposal") : body;
    const plain = { news: this.node.bulletins.pack(to, kind, this.#now()).news, kind };
    const header = this.surroundings.coded ? parts.requests.encode(plain) : plain;
    return this.#wait(to, (done) => {
      if (sent === null) return;
      this.#send(to, sent, (driver) => {
        void driver.#hear(this.self, header, sent, (response) =>
          driver.#send(this.self, response.body, (me) => {
            if (me === this) done(response);
          }),
        );
      });
    });
  }

  /** What is waited for, unless it takes too long. A dead process hears of neither. */
  #wait<T>(to: PeerId, begin: (done: (value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        cancel();
        this.#waiting.delete(fail);
        if (!this.life.dead) settle();
      };
      const fail = (error: Error): void => end(() => reject(error));
      const late = (): void => fail(new NoAnswer(`no answer from ${to}`));
      const cancel = this.surroundings.network.scheduler.after(ANSWER_MS, late);
      this.#waiting.add(fail);
      begin((value) => end(() => resolve(value)));
    });
  }

  #send(to: PeerId, body: Uint8Array, deliver: (driver: SimulatedDriver) => void): void {
    const { network, index, find } = this.surroundings;
    network.carry(index(this.self), index(to), body, () => {
      const driver = find(to);
      if (driver !== null && !driver.silent) deliver(driver);
    });
  }

  /** A request comes in. */
  async #hear(
    from: PeerId,
    header: Header<RequestKind>,
    body: Uint8Array,
    respond: (response: Response) => void,
  ): Promise<void> {
    const said = header instanceof Uint8Array ? parts.requests.decode(header) : header;
    this.#note({ kind: "asked", peer: from });
    await parts.hear(this.#hearing, from, said, said.kind);
    const answer = said.kind === "exchange" ? await this.#exchange(from, body) : ANSWERED;
    this.#note({ kind: "served", peer: from });
    if (this.silent || answer.body === null) return;
    const plain = { news: this.node.bulletins.pack(from, said.kind, this.#now()).news, kind: answer.kind };
    respond({ header: this.surroundings.coded ? parts.responses.encode(plain) : plain, body: answer.body });
  }

  async #exchange(from: PeerId, body: Uint8Array): Promise<{ kind: ResponseKind; body: Uint8Array | null }> {
    if (this.#handler === null) return { kind: "idle", body: NOTHING };
    try {
      const answer = await this.#handler(from, body);
      return { kind: "answer", body: this.tamper === null ? answer : this.tamper(answer, "answer") };
    } catch {
      return { kind: "failed", body: NOTHING };
    }
  }
}

const ANSWERED = { kind: "answer", body: NOTHING } as const;

/** Nobody answered in time, which speaks against the other side. */
class NoAnswer extends LinkError {}
