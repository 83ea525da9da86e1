import { type Arms, type Peer, type PeerId, Random, type WireLimits } from "@coterie/core";
import { type Link, LinkError, memoryDisk, memoryStore } from "@coterie/net";
import type { MemoryDisk } from "@coterie/net/internal";
import * as parts from "@coterie/net/internal";
import type { Links, Stage, StageConfig } from "../stage.ts";

/** What is between peers: it gives each a place of its own. */
export interface Wires {
  place(identity: parts.Identity, agreement: string): Promise<LinkedEnd>;
  /** Resolves when everybody who has a place can reach everybody. */
  settled(places: readonly LinkedEnd[]): Promise<void>;
  close(): Promise<void>;
}

export interface LinkedEnd {
  readonly self: PeerId;
  readonly link: Link;
  /** Peers that fit us not, as far as this place heard. */
  refusals(): number;
  leave(): Promise<void>;
}

/** A peer with its disk and its place. Its process may die; place and disk stay. */
interface Dweller {
  host: parts.PeerHost;
  disk: MemoryDisk;
  readonly place: LinkedEnd;
  life: { dead: boolean };
  refused: number;
  gone: boolean;
}

const AGREEMENT = "a".repeat(64);
const ANOTHER = "b".repeat(64);

/** Real peers, each with a store and a key, over links. */
export class Linked implements Stage {
  readonly links: Links;
  readonly #config: StageConfig;
  readonly #wires: Wires;
  readonly #dwellers: Dweller[] = [];
  #starts = 0;

  static async setup(config: StageConfig, wires: Wires): Promise<Linked> {
    const stage = new Linked(config, wires);
    for (let i = 0; i < config.peers; i++) stage.#dwellers.push(await stage.#settle(AGREEMENT));
    await stage.#meetable();
    const everybody = stage.#present();
    for (const one of everybody) {
      for (const other of everybody) if (one !== other) await one.host.member("join", other.place.self);
    }
    return stage;
  }

  private constructor(config: StageConfig, wires: Wires) {
    this.#config = config;
    this.#wires = wires;
    this.links = {
      strange: (index) => this.#strange(index),
      send: (from, to, bytes) => this.#send(from, to, bytes),
      proposal: (index) => this.#proposal(index),
      violations: (index) => this.#at(index).host.violations,
      dieAsking: (index, partner) => this.#dieAsking(index, partner),
    };
  }

  peer(index: number): Peer {
    return this.#at(index).host.peer;
  }

  name(index: number): PeerId {
    return this.#at(index).place.self;
  }

  choose(index: number, arms: Arms): number {
    return this.#at(index).host.choose(arms);
  }

  observe(index: number, arm: Float64Array, reward: number): Promise<void> {
    return this.#at(index).host.observe(arm, reward);
  }

  async turn(closing: readonly number[], pairs: readonly (readonly [number, number])[]): Promise<void> {
    for (const index of closing) await this.#at(index).host.tick(null);
    for (const [a, b] of pairs) {
      await this.#ask(a, b);
      // Averages move on both sides at once; records only to whoever asks.
      if (this.#config.policy.delivery === "newest") await this.#ask(b, a);
    }
  }

  async join(): Promise<number> {
    const present = this.#present();
    const newcomer = await this.#settle(AGREEMENT);
    this.#dwellers.push(newcomer);
    await this.#meetable();
    for (const { host, place } of present) {
      await host.member("join", newcomer.place.self);
      await newcomer.host.member("join", place.self);
    }
    return this.#dwellers.length - 1;
  }

  async leave(index: number): Promise<void> {
    const leaver = this.#at(index);
    leaver.gone = true;
    leaver.life.dead = true;
    await leaver.place.leave();
    for (const { host } of this.#present()) await host.member("leave", leaver.place.self);
  }

  async crash(index: number): Promise<void> {
    const dweller = this.#at(index);
    dweller.life.dead = true;
    // What was in memory is gone, and so is the old process's hold on the disk.
    dweller.disk = { ...dweller.disk, pairs: new Map(dweller.disk.pairs), taken: false };
    dweller.life = { dead: false };
    dweller.host = await this.#open(dweller.disk, AGREEMENT, () => this.#note(dweller));
    dweller.host.attach(mortal(dweller.place.link, dweller.life));
  }

  troubles(): number {
    let count = 0;
    for (const { host } of this.#dwellers) {
      for (const times of host.violations.values()) count += times;
      count += host.exchange?.massAtRisk ?? 0;
    }
    return count;
  }

  async teardown(): Promise<void> {
    for (const { life } of this.#dwellers) life.dead = true;
    await Promise.all(this.#present().map(({ place }) => place.leave()));
    await this.#wires.close();
  }

  #at(index: number): Dweller {
    const dweller = this.#dwellers[index];
    if (dweller === undefined || dweller.gone) throw new Error(`peer ${index} is not there`);
    return dweller;
  }

  #present(): Dweller[] {
    return this.#dwellers.filter(({ gone }) => !gone);
  }

  #meetable(): Promise<void> {
    return this.#wires.settled(this.#present().map(({ place }) => place));
  }

  /** One exchange, until it is known what became of it: while a peer is in doubt it asks again. */
  async #ask(a: number, b: number): Promise<void> {
    const { host } = this.#at(a);
    let verdict = await host.tick(this.name(b), { close: false });
    // A peer that is behind goes on in the other's round, and asks again there.
    for (let tries = 0; tries < 5 && (verdict === "in-doubt" || verdict === "behind"); tries++) {
      verdict = await host.tick(this.name(b), { close: false });
    }
  }

  async #settle(agreement: string): Promise<Dweller> {
    const disk = memoryDisk();
    const life = { dead: false };
    let dweller: Dweller | null = null;
    const host = await this.#open(disk, agreement, () => dweller !== null && this.#note(dweller));
    if (host.identity === null) throw new Error("a peer with a seed has a key");
    const place = await this.#wires.place(host.identity, agreement);
    host.attach(mortal(place.link, life));
    dweller = { host, disk, place, life, refused: 0, gone: false };
    return dweller;
  }

  #open(disk: MemoryDisk, agreement: string, refused: () => unknown): Promise<parts.PeerHost> {
    const { policy, dimension } = this.#config;
    const start = this.#starts++;
    const limits: WireLimits = { dimension, most: 1000, reward: 10 };
    return parts.PeerHost.open({
      // Members are told one by one, so everybody begins as the only one it knows.
      peer: { id: "new", dimension, policy, peers: 1 },
      drawSeed: () => Uint8Array.from({ length: 32 }, (_, k) => (start * 31 + k * 7) & 0xff),
      store: memoryStore(disk)(),
      agreement,
      limits,
      random: Random.seeded(900 + start),
      snapshotEvery: 50,
      onEvent: (event) => event.kind === "exchange" && event.verdict === "refused" && refused(),
    });
  }

  #note(dweller: Dweller): void {
    dweller.refused += 1;
  }

  async #strange(index: number): Promise<void> {
    const known = this.#at(index);
    const stranger = await this.#settle(ANOTHER);
    const heard = (dweller: Dweller): number => dweller.refused + dweller.place.refusals();
    const before = heard(known);
    for (let tries = 0; tries < 400 && (heard(known) === before || heard(stranger) === 0); tries++) {
      await stranger.host.tick(known.place.self).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    stranger.life.dead = true;
    await stranger.place.leave();
    if (heard(known) === before) throw new Error("the peer never heard that somebody did not fit");
    if (heard(stranger) === 0) throw new Error("the stranger never heard that it does not fit");
    if (stranger.host.peer.learner.view.evidence > 0) throw new Error("the stranger learnt something");
  }

  async #send(from: number, to: number, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#at(from).place.link.request(this.name(to), bytes);
      return true;
    } catch {
      return false;
    }
  }

  #proposal(index: number): Uint8Array {
    const { learner, round, config } = this.peer(index);
    const frames = config.policy.codec?.encode(learner.offer(), 8) ?? [];
    return parts.encodeProposal({ id: "0f".repeat(16), round, agreement: AGREEMENT, frames });
  }

  async #dieAsking(index: number, partner: number): Promise<void> {
    const { host, life } = this.#at(index);
    const asking = host.tick(this.name(partner), { close: false }).catch(() => {});
    // The proposal is on the disk before it leaves; from here on nothing that the old process hears reaches anybody.
    while (host.exchange?.flight === null) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    life.dead = true;
    await asking;
    await this.crash(index);
  }
}

/** A link that a dead process has no more use of: it sends nothing, and what it hears reaches nobody. */
function mortal(link: Link, life: { readonly dead: boolean }): Link {
  const live = <T>(value: T): T => {
    if (life.dead) throw new LinkError("the process is gone");
    return value;
  };
  return {
    request: async (to, message, options) => live(await link.request(live(to), message, options)),
    serve: (handler) => link.serve(async (from, message) => live(await handler(live(from), message))),
    close: async () => {},
  };
}
