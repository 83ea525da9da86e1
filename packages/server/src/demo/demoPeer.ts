import { isCentral, parsePolicy, Random } from "@coterie/core";
import { distance } from "@coterie/core/internal";
import { createPeer, defineFeatures, flag, libp2p, number, oneHot, type PeerEvent, type RoomPeer } from "@coterie/net";
import {
  type Card,
  DECK_ARMS,
  DECK_REWARD,
  DECK_ROOM,
  deckFeatures,
  makeDeck,
  makeTaste,
  rating,
  type Taste,
  worth,
} from "@coterie/studio";
import { MeteredNetwork } from "./meteredNetwork.ts";
import { ObservedPolicy } from "./observedPolicy.ts";
import type { Glance, MetPartner, PeerReport } from "./protocol.ts";
import { Shadow } from "./shadow.ts";

const FEATURES = deckFeatures({ oneHot, number, flag });
/** Tastes are the same in every demo; what comes of them is not: real peers keep no common time. */
const WORLD_SEED = 2016;
/** All of a small demo: dialling anew costs more than keeping. */
const CONNECTIONS = 64;
const LISTEN = ["/ip4/127.0.0.1/tcp/0"];

export interface DemoPeerConfig {
  readonly slot: number;
  readonly cluster: number;
  readonly policy: string;
  readonly periodMs: number;
  readonly bootstrap: readonly string[];
  readonly rounds: number | null;
}

/** A real peer and a made-up person who uses it: every so often the person is shown some cards and rates the one chosen. */
export class DemoPeer {
  readonly #config: DemoPeerConfig;
  readonly #tap: MeteredNetwork;
  readonly #witness: ObservedPolicy;
  readonly #taste: Taste;
  readonly #random: Random;
  readonly #features = defineFeatures(FEATURES);
  readonly #shadow: Shadow;
  readonly #deck = makeDeck();
  #peer: RoomPeer<typeof FEATURES> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #choices = 0;
  #earned: number[] = [];
  #met: MetPartner[] = [];
  #pruned: string[] = [];
  #troubles: string[] = [];
  #before: Float64Array | null = null;

  constructor(config: DemoPeerConfig) {
    this.#config = config;
    const policy = parsePolicy("--policy", { kind: config.policy });
    if (isCentral(policy)) throw new Error(`${config.policy} needs a centre`);
    this.#witness = new ObservedPolicy(policy);
    const { bootstrap } = config;
    this.#tap = new MeteredNetwork(libp2p({ listen: LISTEN, bootstrap, connections: CONNECTIONS }));
    this.#taste = makeTaste(config.cluster, WORLD_SEED);
    this.#random = Random.seeded(WORLD_SEED).fork("user").fork(config.slot);
    this.#shadow = new Shadow(this.#features.dimension, this.#random.fork("alone"));
  }

  get slot(): number {
    return this.#config.slot;
  }

  /** All its user wanted to choose is chosen. */
  get done(): boolean {
    return this.#config.rounds !== null && this.#choices >= this.#config.rounds;
  }

  get tap(): MeteredNetwork {
    return this.#tap;
  }

  async open(): Promise<{ id: string; addresses: string[] }> {
    const { periodMs } = this.#config;
    this.#peer = await createPeer({
      room: DECK_ROOM,
      features: FEATURES,
      policy: this.#witness.policy,
      reward: DECK_REWARD,
      network: this.#tap.factory,
      tick: false,
      onEvent: (event) => this.#heard(event),
    });
    this.#later(this.#random.uniform() * periodMs);
    const { network } = this.#tap;
    return { id: network.self, addresses: network.addresses() };
  }

  lie(lies: boolean): void {
    this.#witness.lies = lies;
  }

  /** Ends. `abruptly`: as a crash would, without a word to the others. */
  async end(abruptly: boolean): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    if (abruptly) await this.#tap.network.abandon();
    await this.#peer?.close();
  }

  /** What happened since the last time, and with `glance` how things stand. */
  report(glance: boolean): PeerReport {
    const { slot } = this.#config;
    const report = { slot, earned: this.#earned, met: this.#met, pruned: this.#pruned, troubles: this.#troubles };
    [this.#earned, this.#met, this.#pruned, this.#troubles] = [[], [], [], []];
    return glance && this.#peer !== null ? { ...report, glance: this.#glance(this.#peer) } : report;
  }

  /** A round: the person uses the peer once, then the peer meets somebody. However slow the machine, one a round. */
  #later(delayMs: number): void {
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      try {
        await this.#useOnce();
        if (!this.#ended) await this.#peer?.tick();
      } catch (error) {
        this.#trouble(error);
      }
      const { periodMs } = this.#config;
      const left = periodMs * (0.9 + 0.2 * this.#random.uniform()) - (performance.now() - began);
      if (!this.#ended && !this.done) this.#later(Math.max(0, left));
    }, delayMs);
  }

  /** Cards are shown, one is chosen, and rated. What each card would have got is drawn beforehand. */
  async #useOnce(): Promise<void> {
    if (this.#peer === null || this.#ended) return;
    this.#choices += 1;
    const cards = this.#deal();
    const means = cards.map((card) => worth(this.#taste, card));
    const ratings = means.map((mean) => rating(mean, 2 * this.#random.uniform() - 1));
    const best = Math.max(...means);
    const values = new Float64Array(cards.length * this.#features.dimension);
    this.#features.encodeAll(cards, values);
    const alone = this.#shadow.choose(cards.length, values);
    const choice = this.#peer.choose(cards);
    const { index } = choice;
    this.#earned.push(ratings[index], ratings[alone], best - means[index], best - means[alone]);
    this.#shadow.learn(ratings[alone]);
    await choice.reward(ratings[index]);
  }

  #deal(): Card[] {
    const order = Int32Array.from(this.#deck, (_, k) => k);
    return Array.from(this.#random.shuffle(order).subarray(0, DECK_ARMS), (k) => this.#deck[k]);
  }

  #heard(event: PeerEvent): void {
    if (event.kind === "prune") this.#pruned.push(event.partner);
    if (event.kind === "violation") this.#troubles.push(`${event.partner}: ${event.message}`);
    if (event.kind === "failure") this.#trouble(event.error);
    if (event.kind !== "exchange" || event.side !== "proposed") return;
    this.#met.push({ partner: event.partner, outcome: event.verdict, ...this.#tap.carried(event.partner) });
  }

  #trouble(error: unknown): void {
    if (!this.#ended) this.#troubles.push(error instanceof Error ? error.message : String(error));
  }

  #glance(peer: RoomPeer<typeof FEATURES>): Glance {
    const { estimate, lenders, evidence, own, buffered } = this.#witness.view;
    const drift = this.#before === null ? 0 : distance(estimate, this.#before);
    this.#before = Float64Array.from(estimate);
    const { round, near, alive, size } = peer.state();
    const { sentBytes } = this.#tap.network.traffic;
    const there = new Set(alive);
    return {
      round,
      own,
      evidence,
      buffered,
      drift,
      sentBytes,
      sees: alive.length,
      size,
      lenders: lenders === undefined ? null : [...lenders.call(this.#witness.view)],
      near: lenders === undefined ? near.filter((id) => there.has(id)) : null,
    };
  }
}
