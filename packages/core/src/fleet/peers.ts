import { ConfigError } from "../errors.ts";
import { Pairer } from "../gossip/pairing.ts";
import { Random } from "../numbers/random.ts";
import { whole } from "../options.ts";
import type { Outcome, Policy } from "../peer/learner.ts";
import { checkPartners, meetAll, meetPair } from "../peer/lockstep.ts";
import { type Input, initialPeer, type Peer, step } from "../peer/peer.ts";
import { Arrivals } from "./arrivals.ts";
import type { Fleet, FleetConfig, FleetTraffic } from "./fleet.ts";
import { Late } from "./late.ts";
import { chooses, isPresent, type OfferedTurn } from "./offered.ts";
import { passOver } from "./passOver.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Peers that talk to one another and to nobody else. */
export class PeerFleet implements Fleet {
  readonly #members: Peer[];
  readonly peers: number;
  readonly choices: Int32Array;
  readonly rewards: Float64Array;
  readonly traffic: FleetTraffic = { bytes: 0, exchanges: 0 };
  /** What each peer's meeting came to in the last round; null where it was alone. */
  readonly outcomes: (Outcome | null)[];
  rounds = 0;
  readonly #pairer: Pairer;
  readonly #partners: Int32Array;
  readonly #random: Readonly<Record<"pairing" | "choice" | "turn" | "wish" | "join", Random>>;
  readonly #late: Late;
  /** A peer's own rounds begin when it first comes. */
  readonly #arrivals: Arrivals;
  /** The visitor at each place. */
  readonly #visitors: Float64Array;
  /** Turns played of the round under way. */
  #turns = 0;
  /** Streams that are forked anew every round, into objects made once. */
  readonly #roundDraw = Random.seeded(0);
  readonly #turnDraw = Random.seeded(0);
  readonly #wishDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** Inputs are made once and filled in again: a round in steady state allocates nothing. */
  readonly #choose: Mutable<Extract<Input, { kind: "choose" }>>;
  readonly #reward: Mutable<Extract<Input, { kind: "reward" }>> = { kind: "reward", reward: 0 };
  readonly #near = (peer: number, other: number): boolean => this.near(peer, other);
  /** Whom a peer would like to meet, by its place; drawn from a stream of its own, so that no wish moves another draw. */
  readonly #wish = (peer: number, before: number): number => {
    const { learner } = this.members[peer]!;
    const random = this.#random.wish
      .forkInto(this.#wishDraw, this.rounds)
      .forkInto(this.#draw, peer + before * this.peers);
    const wished = learner.suggest?.(random) ?? null;
    if (wished === null) return -1;
    const place = Number(wished) % this.peers;
    return this.members[place]!.config.id === wished ? place : -1;
  };
  readonly #times = (peer: number): number => this.policy.calls?.(this.members[peer]!.round) ?? 1;
  readonly #judged = (peer: number, partner: number, outcome: Outcome): void => this.#count(peer, partner, outcome);

  constructor(
    { dimension, peers, random, late = 0 }: FleetConfig,
    readonly policy: Policy,
  ) {
    whole("peers", peers, 1);
    this.peers = peers;
    this.#members = Array.from({ length: peers }, (_, i) => initialPeer({ id: `${i}`, dimension, policy, peers }));
    this.#late = new Late(late, peers);
    this.#arrivals = new Arrivals(peers);
    this.#visitors = new Float64Array(peers);
    this.choices = new Int32Array(peers);
    this.rewards = new Float64Array(peers);
    this.outcomes = new Array<Outcome | null>(peers).fill(null);
    this.#pairer = new Pairer(peers);
    this.#partners = new Int32Array(peers);
    const choice = random.fork("choice");
    this.#random = {
      pairing: random.fork("pairing"),
      choice,
      turn: choice.fork("turn"),
      wish: random.fork("wish"),
      join: random.fork("join"),
    };
    this.#choose = { kind: "choose", arms: { count: 0, values: new Float64Array(0) }, random: this.#draw };
  }

  get members(): readonly Peer[] {
    return this.#members;
  }

  turn(offered: OfferedTurn): void {
    this.#begin(offered);
    this.#turns += 1;
    const round = this.rounds + 1;
    const draws = this.#random.turn.forkInto(this.#roundDraw, round);
    this.#serveAll(offered, draws.forkInto(this.#turnDraw, this.#turns), round);
  }

  round(offered: OfferedTurn, partners?: Int32Array): void {
    this.#begin(offered);
    this.#turns = 0;
    this.rounds += 1;
    this.#serveAll(offered, this.#random.choice.forkInto(this.#roundDraw, this.rounds), this.rounds);
    if (this.policy.pairing !== "none") this.#meet(partners, offered);
    for (let i = 0; i < this.peers; i++) if (this.#lives(i)) step(this.members[i]!, CLOSE);
  }

  /** Before the choices of a turn: new peers come and call, and at the beginning of a round late rewards arrive. */
  #begin(offered: OfferedTurn): void {
    if (this.policy.pairing === "ring" && offered.present !== undefined) this.#requireAll(offered);
    const round = this.rounds + 1;
    for (let i = 0; i < this.peers; i++) {
      if (this.#turns === 0 && offered.visitor !== undefined) this.#admit(i, offered.visitor(i));
      if (round === 1 && offered.newcomer?.(i) === false) this.#arrivals.admit(i);
    }
    const newcomers = this.#arrivals.note(offered);
    if (this.policy.pairing === "calls") for (const peer of newcomers) this.#join(peer, offered);
    if (this.#turns === 0 && this.#late.any) this.#deliver(offered, round);
  }

  /**
   * A newcomer calls a uniform other at once, as a real one does: else it would choose before it knows anything. The
   * call is its first round, which closes here: what it was told counts from its first choice on.
   */
  #join(peer: number, offered: OfferedTurn): void {
    const turn = this.#random.join.forkInto(this.#roundDraw, this.rounds + 1).forkInto(this.#turnDraw, this.#turns);
    const random = turn.forkInto(this.#draw, peer);
    const other = this.#pairer.other(peer, random, (candidate) => isPresent(offered, candidate));
    if (other < 0) return;
    this.#meetInTurn(peer, other);
    step(this.members[peer]!, CLOSE);
  }

  #deliver(offered: OfferedTurn, round: number): void {
    for (let i = 0; i < this.peers; i++) {
      if (isPresent(offered, i)) this.#late.deliver(i, round, (arm, reward) => this.#learn(i, arm, reward));
    }
  }

  /**
   * A peer's own rounds begin when it first comes. Only where slots are mixed one by one all must count the same rounds,
   * from the first.
   */
  #lives(peer: number): boolean {
    return this.#arrivals.has(peer) || this.policy.delivery === "once";
  }

  /** Visitor n at place i is named i + n · peers, so that a name tells the place. */
  #admit(peer: number, visitor: number): void {
    if (visitor === this.#visitors[peer]) return;
    this.#visitors[peer] = visitor;
    const id = `${peer + visitor * this.peers}`;
    const member = initialPeer({ ...this.members[peer]!.config, id });
    this.#members[peer] = member;
    this.#arrivals.renew(peer);
    this.#late.drop(peer);
    if (this.#lives(peer)) while (member.round <= this.rounds) step(member, CLOSE);
  }

  #learn(peer: number, arm: Float64Array, reward: number): void {
    step(this.members[peer]!, { kind: "observe", arm, reward });
  }

  #serveAll(offered: OfferedTurn, draws: Random, round: number): void {
    for (let i = 0; i < this.peers; i++) {
      if (!chooses(offered, i)) {
        this.choices[i] = -1;
        this.rewards[i] = 0;
      } else {
        this.#serve(i, offered, draws.forkInto(this.#draw, i), round);
      }
    }
  }

  #serve(peer: number, offered: OfferedTurn, draw: Random, round: number): void {
    const member = this.members[peer]!;
    this.#choose.arms = offered.arms(peer);
    this.#choose.random = draw;
    const effect = step(member, this.#choose)[0]!;
    if (effect.kind === "chosen") this.choices[peer] = effect.arm;
    const reward = offered.pay(peer, this.choices[peer]!);
    this.rewards[peer] = reward;
    if (this.#late.any) {
      this.#late.hold(peer, round, member.chosen, reward);
    } else {
      this.#reward.reward = reward;
      step(member, this.#reward);
    }
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

  #meet(given: Int32Array | undefined, offered: OfferedTurn): void {
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

  #meetOneByOne(pairing: "asynchronous" | "calls", offered: OfferedTurn): void {
    const random = this.#random.pairing.forkInto(this.#roundDraw, this.rounds);
    const there = (peer: number): boolean => isPresent(offered, peer);
    if (pairing === "calls") this.#pairer.calls(random, there, this.#wish, this.#meetInTurn, this.#times);
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

  #requireAll(offered: OfferedTurn): void {
    const absent = this.members.findIndex((_, peer) => !isPresent(offered, peer));
    if (absent >= 0)
      throw new ConfigError("present", `without ${absent}`, "include every peer: a ring cannot skip one");
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
    this.traffic.bytes! += this.policy.codec!.bytes(offer, outcome, this.members[peer]!.learner.offer());
    if (outcome === "mix") this.traffic.exchanges += 1;
  }
}

const both = (offered: OfferedTurn, a: number, b: number): boolean => isPresent(offered, a) && isPresent(offered, b);

const CLOSE = { kind: "close" } as const;
