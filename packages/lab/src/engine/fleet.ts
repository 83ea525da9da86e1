import { type DccbOptions, type Fleet, type PeerId, Random } from "@coterie/core";
import { assert, checkPartners, type FleetTraffic, type OfferedTurn, Pairer, slotSize } from "@coterie/core/internal";
import { type BatchedConfig, shapeOf } from "./config.ts";
import { Epochs } from "./epochs.ts";
import { Filled } from "./filled.ts";
import type { HeldSlots } from "./heldSlots.ts";
import { Machine } from "./machine.ts";
import { BatchedMeetings, type MeetingResults } from "./meetings.ts";
import { SlotQueue } from "./slotQueue.ts";

/**
 * All peers of a dcb or dccb fleet at once, in one memory of WebAssembly: the same rounds as core's fleet, bit for bit,
 * but slots are not mixed while they wait. See docs/engine.md.
 */
export class BatchedFleet implements Fleet {
  readonly peers: number;
  readonly choices: Int32Array;
  readonly rewards: Float64Array;
  readonly traffic: FleetTraffic;
  rounds = 0;
  readonly #config: BatchedConfig;
  readonly #machine: Machine;
  readonly #meetings: BatchedMeetings;
  readonly #waiting: HeldSlots;
  readonly #pairer: Pairer;
  readonly #partners: Int32Array;
  readonly #pairing: Random;
  readonly #roundDraw = Random.seeded(0);
  readonly #near = (peer: number, other: number): boolean => this.near(peer, other);
  readonly #weigh = (): void => this.#weighSlots();

  constructor(config: BatchedConfig) {
    const { peers, dimension, options, kind } = config;
    const shape = shapeOf(config);
    assert(!shape.epochs || kind === "dcb", "epochs are of dcb");
    this.#config = config;
    this.#machine = new Machine(shape);
    this.peers = peers;
    this.choices = this.#machine.choices;
    this.rewards = new Float64Array(peers);
    const filled = new Filled(peers, shape.slots);
    this.#meetings = new BatchedMeetings(peers, dimension, kind === "dccb" ? (options as DccbOptions) : null, filled);
    this.traffic = this.#meetings.traffic;
    this.#waiting = shape.epochs
      ? new Epochs(this.#machine, options.delay)
      : new SlotQueue(this.#machine, options.delay, filled);
    this.#pairer = new Pairer(peers);
    this.#partners = new Int32Array(peers);
    this.#pairing = config.random.fork("pairing");
    this.#machine.refresh(options.radius);
  }

  get #local(): boolean {
    return this.#config.kind === "dccb";
  }

  /** A world whose rounds have several turns is played peer by peer. */
  turn(): void {
    assert(false, "a round of the batched engine has one turn");
  }

  round(offered: OfferedTurn, partners?: Int32Array): void {
    this.#open();
    const { tile, context } = this.#machine.layout;
    for (let first = 0; first < this.peers; first += tile) {
      const last = Math.min(first + tile, this.peers);
      this.#machine.place(offered, first, last, context.armsAt);
      this.#machine.choose(first, last, context.armsAt);
    }
    this.#finish((peer, arm) => offered.pay(peer, arm), partners);
  }

  /** Puts the arms of a round in place number `place`, for `play`; only where all fit into memory at once. */
  place(offered: OfferedTurn, place: number): void {
    assert(this.peers <= this.#machine.layout.tile, "arms of all peers fit into memory at once");
    this.#machine.place(offered, 0, this.peers, this.#machine.placeAt(place));
  }

  /** Plays a round with the arms that were put in place number `place`. */
  play(pay: (peer: number, arm: number) => number, place: number): void {
    this.#open();
    this.#machine.choose(0, this.peers, this.#machine.placeAt(place));
    this.#finish(pay);
  }

  #open(): void {
    this.rounds += 1;
    this.#machine.set({ seenAt: this.#waiting.seenAt(this.rounds) });
    this.#machine.setRadius(this.#config.options.radius, this.rounds);
  }

  #finish(pay: (peer: number, arm: number) => number, partners?: Int32Array): void {
    const { extent, dimension } = this.#machine.layout.context;
    const seen = this.#machine.doubles(this.#waiting.seenAt(this.rounds), this.peers * extent);
    for (let i = 0, at = dimension; i < this.peers; i++, at += extent) {
      const reward = pay(i, this.choices[i]!);
      this.rewards[i] = reward;
      seen[at] = reward;
    }
    if (this.#local) this.#machine.observe();
    const changed = this.#waiting.close(this.rounds, this.#meet(partners), this.#weigh);
    if (changed) this.#machine.refresh(this.#config.options.radius);
    if (this.#local) this.#machine.show();
  }

  #meet(given: Int32Array | undefined): MeetingResults {
    const partners = this.#partners;
    if (given === undefined) this.#drawPartners(partners);
    else {
      checkPartners(given, this.peers);
      partners.set(given);
    }
    return this.#meetings.meet(partners, this.rounds, this.#waiting.carried, this.#machine.shown);
  }

  #drawPartners(partners: Int32Array): void {
    const random = this.#pairing.forkInto(this.#roundDraw, this.rounds);
    const { pairing } = this.#config.options;
    if (pairing === "permutation") this.#pairer.permutation(partners, random);
    if (pairing === "matching") this.#pairer.matching(partners, random);
    if (pairing === "neighbours") this.#pairer.neighbours(partners, random, this.#near);
  }

  /** What a promoted slot counts: with `sum` the number of peers (dccb: of the neighbourhood), else 1. */
  #weighSlots(): void {
    const weights = this.#machine.doubles(this.#machine.layout.context.weightsAt, this.peers);
    if (this.#config.options.weight === "mean") weights.fill(1);
    else if (!this.#local) weights.fill(this.peers);
    else for (let i = 0; i < this.peers; i++) weights[i] = Math.max(1, this.peers - this.#meetings.pruned(i).size);
  }

  estimate(peer: number): Float64Array {
    return this.#machine.estimate(peer);
  }

  /** The active sums, (gram, moment). A copy. */
  active(peer: number): Float64Array {
    return Float64Array.from({ length: slotSize(this.#config.dimension) }, (_, c) => this.#machine.active(peer, c));
  }

  evidence(peer: number): number {
    return this.#machine.count(peer);
  }

  own(): number {
    return this.rounds;
  }

  near(peer: number, other: number): boolean {
    return this.#meetings.near(peer, other);
  }

  pruned(peer: number): ReadonlySet<PeerId> {
    return this.#meetings.pruned(peer);
  }

  /** Slots that wait, as a peer counts them. */
  get held(): number {
    return this.#waiting.held;
  }
}
