import { ConfigError } from "../errors.ts";
import { Pairer } from "../gossip/pairing.ts";
import { Random } from "../numbers/random.ts";
import { whole } from "../options.ts";
import type { Outcome, Policy } from "../peer/learner.ts";
import { checkPartners, meetAll, meetPair } from "../peer/lockstep.ts";
import { createPeer, type Input, type Peer, step } from "../peer/peer.ts";
import type { Fleet, FleetConfig, Offered, Traffic } from "./fleet.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Peers that talk to one another and to nobody else. */
export class PeerFleet implements Fleet {
  readonly members: readonly Peer[];
  readonly peers: number;
  readonly choices: Int32Array;
  readonly rewards: Float64Array;
  readonly traffic: Traffic = { bytes: 0, exchanges: 0 };
  /** What each peer's meeting came to in the last round; null where it was alone. */
  readonly outcomes: (Outcome | null)[];
  rounds = 0;
  readonly #pairer: Pairer;
  readonly #partners: Int32Array;
  readonly #random: { readonly pairing: Random; readonly choice: Random; readonly wish: Random };
  /** Streams that are forked anew every round, into objects made once. */
  readonly #roundDraw = Random.seeded(0);
  readonly #wishDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** Inputs are made once and filled in again: a round in steady state allocates nothing. */
  readonly #choose: Mutable<Extract<Input, { kind: "choose" }>>;
  readonly #reward: Mutable<Extract<Input, { kind: "reward" }>> = { kind: "reward", reward: 0 };
  readonly #near = (peer: number, other: number): boolean => this.near(peer, other);
  /** Whom a peer would like to meet, by its place; drawn from a stream of its own, so that no wish moves another draw. */
  readonly #wish = (peer: number): number => {
    const { learner } = this.members[peer]!;
    const random = this.#random.wish.forkInto(this.#wishDraw, this.rounds).forkInto(this.#draw, peer);
    return Number(learner.suggest?.(random) ?? -1);
  };
  readonly #judged = (peer: number, partner: number, outcome: Outcome): void => this.#count(peer, partner, outcome);

  constructor(
    { dimension, peers, random }: FleetConfig,
    readonly policy: Policy,
  ) {
    whole("peers", peers, 1);
    this.peers = peers;
    this.members = Array.from({ length: peers }, (_, i) => createPeer({ id: `${i}`, dimension, policy, peers }));
    this.choices = new Int32Array(peers);
    this.rewards = new Float64Array(peers);
    this.outcomes = new Array<Outcome | null>(peers).fill(null);
    this.#pairer = new Pairer(peers);
    this.#partners = new Int32Array(peers);
    this.#random = { pairing: random.fork("pairing"), choice: random.fork("choice"), wish: random.fork("wish") };
    this.#choose = { kind: "choose", arms: { count: 0, values: new Float64Array(0) }, random: this.#draw };
  }

  round(offered: Offered, partners?: Int32Array): void {
    if (this.policy.pairing === "ring" && offered.present !== undefined) this.#requireAll(offered);
    this.rounds += 1;
    const draws = this.#random.choice.forkInto(this.#roundDraw, this.rounds);
    for (let i = 0; i < this.peers; i++) {
      if (offered.present !== undefined && !offered.present(i)) {
        this.choices[i] = -1;
        this.rewards[i] = 0;
      } else {
        this.#serve(i, offered, draws.forkInto(this.#draw, i));
      }
    }
    if (this.policy.pairing !== "none") this.#meet(partners, offered);
    for (let i = 0; i < this.peers; i++) step(this.members[i]!, CLOSE);
  }

  #serve(peer: number, offered: Offered, draw: Random): void {
    this.#choose.arms = offered.arms(peer);
    this.#choose.random = draw;
    const effect = step(this.members[peer]!, this.#choose)[0]!;
    if (effect.kind === "chosen") this.choices[peer] = effect.arm;
    this.rewards[peer] = offered.pay(peer, this.choices[peer]!);
    this.#reward.reward = this.rewards[peer]!;
    step(this.members[peer]!, this.#reward);
  }

  estimate(peer: number): Float64Array {
    return this.members[peer]!.learner.view.estimate;
  }

  evidence(peer: number): number {
    return this.members[peer]!.learner.view.evidence;
  }

  own(peer: number): number {
    return this.members[peer]!.learner.view.own;
  }

  near(peer: number, other: number): boolean {
    return peer === other || this.members[peer]!.learner.near(this.members[other]!.config.id);
  }

  #meet(given: Int32Array | undefined, offered: Offered): void {
    if (given === undefined && (this.policy.pairing === "asynchronous" || this.policy.pairing === "calls")) {
      this.#meetOneByOne(this.policy.pairing, offered);
      return;
    }
    const partners = this.#partners;
    if (given === undefined) this.#drawPartners(partners);
    else {
      checkPartners(given, this.peers);
      partners.set(given);
    }
    if (offered.present !== undefined) passOver(partners, (peer) => offered.present!(peer));
    meetAll(this.members, partners, this.outcomes, this.#judged);
  }

  #meetOneByOne(pairing: "asynchronous" | "calls", offered: Offered): void {
    const random = this.#random.pairing.forkInto(this.#roundDraw, this.rounds);
    const there = (peer: number): boolean => both(offered, peer, peer);
    if (pairing === "calls") this.#pairer.calls(random, there, this.#wish, this.#meetInTurn);
    else this.#pairer.asynchronous(random, (a, b) => this.#near(a, b) && both(offered, a, b), this.#meetInTurn);
  }

  #drawPartners(partners: Int32Array): void {
    const random = this.#random.pairing.forkInto(this.#roundDraw, this.rounds);
    const { pairing } = this.policy;
    if (pairing === "permutation") this.#pairer.permutation(partners, random);
    if (pairing === "matching") this.#pairer.matching(partners, random);
    if (pairing === "neighbours") this.#pairer.neighbours(partners, random, this.#near);
    if (pairing === "ring") for (let i = 0; i < this.peers; i++) partners[i] = (i + this.peers - 1) % this.peers;
  }

  #requireAll(offered: Offered): void {
    const absent = this.members.findIndex((_, peer) => !both(offered, peer, peer));
    if (absent >= 0) throw new ConfigError("present", `without ${absent}`, "be everybody: a ring passes over nobody");
  }

  /** A meeting that takes effect at once. */
  readonly #meetInTurn = (a: number, b: number): void => {
    meetPair(this.members[a]!, this.members[b]!, (outcome) => {
      this.#count(a, b, outcome);
      this.#count(b, a, outcome);
    });
  };

  /** `peer` reads what `partner` sends; counted before anything is mixed, as it would have been sent. */
  #count(peer: number, partner: number, outcome: Outcome): void {
    const offer = this.members[partner]!.learner.offer();
    this.traffic.bytes! += this.policy.codec!.bytes(offer, outcome, 8, this.members[peer]!.learner.offer());
    if (outcome === "mix") this.traffic.exchanges += 1;
  }
}

/** Takes the absent out of a partner map: whoever was to meet one meets that one's partner instead, or nobody. */
function passOver(partners: Int32Array, present: (peer: number) => boolean): void {
  const before = new Int32Array(partners.length);
  partners.forEach((partner, peer) => {
    before[partner] = peer;
  });
  for (let peer = 0; peer < partners.length; peer++) {
    if (present(peer)) continue;
    const from = before[peer]!;
    const to = partners[peer]!;
    partners[from] = to;
    before[to] = from;
    partners[peer] = peer;
    before[peer] = peer;
  }
}

const both = (offered: Offered, a: number, b: number): boolean =>
  offered.present === undefined || (offered.present(a) && offered.present(b));

const CLOSE = { kind: "close" } as const;
