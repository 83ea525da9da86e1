import { type Arms, type Peer, type PeerId, Random, type WireLimits } from "@coterie/core";
import { chooseArm } from "@coterie/core/internal";
import { memoryDisk, memoryStore, type Network, type NetworkFactory } from "@coterie/net";
import type { MemoryDisk } from "@coterie/net/internal";
import * as parts from "@coterie/net/internal";
import type { Links, PeerDriver, Stage, StageConfig } from "../stage.ts";

/** A peer with its disk and its place in the network. Its process may die; place and disk stay. */
interface Dweller {
  host: parts.PeerHost;
  disk: MemoryDisk;
  readonly network: Network;
  life: parts.ProcessLife;
  /** How often it heard of one with another agreement. */
  readonly refused: { times: number };
  /** What requests over the network's link failed with. */
  readonly failures: unknown[];
  gone: boolean;
}

const MOST_MS = 30_000;

const AGREEMENT = "a".repeat(64);
const ANOTHER = "b".repeat(64);

/** Real peers, each with a store and a key, in a network; `start` makes a new one, in which nobody is yet. */
export function networkDriver(name: string, start: () => NetworkFactory): PeerDriver {
  return { name, without: {}, setup: (config) => Linked.setup(config, start()) };
}

class Linked implements Stage {
  readonly links: Links;
  readonly #config: StageConfig;
  readonly #join: NetworkFactory;
  readonly #dwellers: Dweller[] = [];
  #starts = 0;

  static async setup(config: StageConfig, join: NetworkFactory): Promise<Linked> {
    const stage = new Linked(config, join);
    for (let i = 0; i < config.peers; i++) stage.#dwellers.push(await stage.#settle(AGREEMENT));
    await stage.#meetable();
    const everybody = stage.#present();
    for (const one of everybody) {
      for (const other of everybody) if (one !== other) await one.host.member("join", other.network.self);
    }
    return stage;
  }

  private constructor(config: StageConfig, join: NetworkFactory) {
    this.#config = config;
    this.#join = join;
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
    return this.#at(index).network.self;
  }

  choose(index: number, arms: Arms): number {
    return chooseArm(this.peer(index), arms);
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
    for (const { host, network } of present) {
      await host.member("join", newcomer.network.self);
      await newcomer.host.member("join", network.self);
    }
    return this.#dwellers.length - 1;
  }

  async leave(index: number): Promise<void> {
    const leaver = this.#at(index);
    leaver.gone = true;
    leaver.life.dead = true;
    await leaver.network.close();
    for (const { host } of this.#present()) await host.member("leave", leaver.network.self);
  }

  async crash(index: number): Promise<void> {
    const dweller = this.#at(index);
    dweller.life.dead = true;
    // What was in memory is gone, and so is the old process's hold on the disk.
    dweller.disk = { ...dweller.disk, pairs: new Map(dweller.disk.pairs), taken: false };
    dweller.life = { dead: false };
    dweller.host = await this.#open(dweller.disk, AGREEMENT, dweller.refused);
    dweller.host.driver.attach(parts.mortal(noting(dweller.network.link, dweller.failures), dweller.life));
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
    await Promise.all(this.#present().map(({ network }) => network.close()));
  }

  #at(index: number): Dweller {
    const dweller = this.#dwellers[index];
    if (dweller === undefined || dweller.gone) throw new Error(`peer ${index} is not there`);
    return dweller;
  }

  #present(): Dweller[] {
    return this.#dwellers.filter(({ gone }) => !gone);
  }

  /** Resolves when everybody knows everybody. */
  async #meetable(): Promise<void> {
    const networks = this.#present().map(({ network }) => network);
    const known = (): boolean =>
      networks.every((one) => networks.every((other) => other === one || one.alive().includes(other.self)));
    const end = performance.now() + MOST_MS;
    while (!known()) {
      if (performance.now() > end) throw new Error(`after ${MOST_MS} ms not all peers know all others`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** One exchange, until it is known what became of it: while a peer is in doubt it asks again. */
  async #ask(a: number, b: number): Promise<void> {
    const { host, failures } = this.#at(a);
    failures.length = 0;
    let verdict = await host.tick(this.name(b), { close: false });
    // A peer that is behind goes on in the other's round, and asks again there.
    for (let tries = 0; tries < 5 && (verdict === "in-doubt" || verdict === "behind"); tries++) {
      verdict = await host.tick(this.name(b), { close: false });
    }
    // A peer lives with a link that fails; whoever writes one wants to know.
    if ((verdict === "in-doubt" || verdict === null) && failures.length > 0) {
      throw new Error(`peer ${a} got no answer of peer ${b}: ${failures.at(-1)}`, { cause: failures.at(-1) });
    }
  }

  async #settle(agreement: string): Promise<Dweller> {
    const disk = memoryDisk();
    const life = { dead: false };
    const refused = { times: 0 };
    const host = await this.#open(disk, agreement, refused);
    const identity = host.identity ?? undefined;
    const onMisfit = (): unknown => (refused.times += 1);
    const network = await this.#join({ name: "room", agreement, identity, onMisfit });
    const failures: unknown[] = [];
    host.driver.attach(parts.mortal(noting(network.link, failures), life));
    return { host, disk, network, life, refused, failures, gone: false };
  }

  #open(disk: MemoryDisk, agreement: string, refused: Dweller["refused"]): Promise<parts.PeerHost> {
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
      onEvent: (event) => {
        if (event.kind === "exchange" && event.verdict === "refused") refused.times += 1;
      },
    });
  }

  async #strange(index: number): Promise<void> {
    const known = this.#at(index);
    const stranger = await this.#settle(ANOTHER);
    const before = known.refused.times;
    const heard = (): boolean => known.refused.times > before && stranger.refused.times > 0;
    for (let tries = 0; tries < 400 && !heard(); tries++) {
      await stranger.host.tick(known.network.self).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    stranger.life.dead = true;
    await stranger.network.close();
    if (known.refused.times === before) throw new Error("the peer never heard that somebody did not fit");
    if (stranger.refused.times === 0) throw new Error("the stranger never heard that it does not fit");
    if (stranger.host.peer.learner.view.evidence > 0) throw new Error("the stranger learnt something");
  }

  async #send(from: number, to: number, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#at(from).network.link.request(this.name(to), bytes);
      return true;
    } catch {
      return false;
    }
  }

  #proposal(index: number): Uint8Array {
    const { learner, round, config } = this.peer(index);
    const frames = config.policy.codec?.encode(learner.offer()) ?? [];
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

const noting = (link: Network["link"], failures: unknown[]): Network["link"] => ({
  async request(...request) {
    try {
      return await link.request(...request);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  },
  serve: (handler) => link.serve(handler),
  close: () => link.close(),
});
