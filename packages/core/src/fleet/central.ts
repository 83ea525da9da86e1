import { checkArms } from "../bandit/arms.ts";
import { checkReward } from "../bandit/reward.ts";
import type { CentralPolicy, Centre } from "../central/centre.ts";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { whole } from "../options.ts";
import type { Fleet, FleetConfig, FleetTraffic } from "./fleet.ts";
import { Late } from "./late.ts";
import { chooses, isPresent, type OfferedTurn } from "./offered.ts";

/** Peers that a centre serves. */
export class CentralFleet implements Fleet {
  readonly centre: Centre;
  readonly peers: number;
  readonly choices: Int32Array;
  readonly rewards: Float64Array;
  readonly traffic: FleetTraffic;
  rounds = 0;
  readonly #dimension: number;
  readonly #random: Random;
  readonly #turn: Random;
  readonly #roundDraw = Random.seeded(0);
  readonly #turnDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** The chosen arms of this turn, [peer][feature], until the turn's observations enter together. */
  readonly #chosen: Float64Array;
  readonly #pooled: boolean;
  /** Observations of each peer. */
  readonly #own: Float64Array;
  readonly #late: Late;
  /** The visitor at each place. */
  readonly #visitors: Float64Array;
  /** Turns played of the round under way. */
  #turns = 0;

  constructor({ dimension, peers, random, clusters = null, late = 0 }: FleetConfig, policy: CentralPolicy) {
    whole("peers", peers, 1);
    whole("dimension", dimension, 1, 4096);
    if (clusters !== null) checkClusters(clusters, peers);
    this.peers = peers;
    this.centre = policy.createCentre(dimension, peers, clusters);
    this.choices = new Int32Array(peers);
    this.rewards = new Float64Array(peers);
    this.#pooled = policy.kind === "pooled";
    this.traffic = { bytes: this.#pooled ? 0 : null, exchanges: 0 };
    this.#dimension = dimension;
    this.#own = new Float64Array(peers);
    this.#late = new Late(late, peers);
    this.#visitors = new Float64Array(peers);
    this.#chosen = new Float64Array(peers * dimension);
    this.#random = random.fork("choice");
    this.#turn = this.#random.fork("turn");
  }

  turn(offered: OfferedTurn): void {
    this.#begin(offered);
    this.#turns += 1;
    const round = this.#turn.forkInto(this.#roundDraw, this.rounds + 1);
    this.#serveAll(offered, round.forkInto(this.#turnDraw, this.#turns), this.rounds + 1);
  }

  round(offered: OfferedTurn): void {
    this.#begin(offered);
    this.#turns = 0;
    this.rounds += 1;
    this.#serveAll(offered, this.#random.forkInto(this.#roundDraw, this.rounds), this.rounds);
  }

  /** At the beginning of a round new peers take their places, and late rewards arrive. */
  #begin(offered: OfferedTurn): void {
    if (this.#turns > 0) return;
    for (let i = 0; i < this.peers; i++) {
      if (offered.visitor !== undefined) this.#admit(i, offered.visitor(i));
      if (!this.#late.any || !isPresent(offered, i)) continue;
      this.#late.deliver(i, this.rounds + 1, (arm, reward) => this.#observe(i, arm, 0, reward));
    }
    if (this.#late.any) this.centre.close();
  }

  #admit(peer: number, visitor: number): void {
    if (visitor === this.#visitors[peer]) return;
    if (this.centre.renew === undefined) {
      throw new ConfigError("visitor", visitor, "be 0: this policy's centre cannot replace a peer");
    }
    this.#visitors[peer] = visitor;
    this.centre.renew(peer);
    this.#own[peer] = 0;
    this.#late.drop(peer);
  }

  #serveAll(offered: OfferedTurn, draws: Random, round: number): void {
    const inTurn = this.centre.serving === "in-turn";
    let served = 0;
    for (let i = 0; i < this.peers; i++) {
      if (!chooses(offered, i)) {
        this.choices[i] = -1;
        this.rewards[i] = 0;
        continue;
      }
      served += 1;
      this.#choose(i, offered, draws, round);
      if (inTurn) this.#paid(i, round);
    }
    if (!inTurn) for (let i = 0; i < this.peers; i++) if (this.choices[i]! >= 0) this.#paid(i, round);
    this.centre.close();
    // Without a server pooling means that each tells every other what it saw: x and r, 8 bytes a number.
    if (this.#pooled) {
      this.traffic.bytes! += served * (this.peers - 1) * 8 * (this.#dimension + 1);
      this.traffic.exchanges += served * (this.peers - 1);
    }
  }

  estimate(peer: number): Float64Array {
    return this.centre.estimate(peer);
  }

  evidence(peer: number): number {
    return this.centre.evidence(peer);
  }

  own(peer: number): number {
    return this.#own[peer]!;
  }

  near(peer: number, other: number): boolean {
    return this.centre.pool(peer) === this.centre.pool(other);
  }

  #choose(peer: number, offered: OfferedTurn, draws: Random, round: number): void {
    const d = this.#dimension;
    const arms = offered.arms(peer);
    checkArms(arms, d);
    const arm = this.centre.choose(peer, arms, round, draws.forkInto(this.#draw, peer));
    this.choices[peer] = arm;
    for (let k = 0; k < d; k++) this.#chosen[peer * d + k] = arms.values[arm * d + k]!;
    this.rewards[peer] = checkReward("reward", offered.pay(peer, arm));
  }

  #paid(peer: number, round: number): void {
    const from = peer * this.#dimension;
    const reward = this.rewards[peer]!;
    if (this.#late.any) this.#late.hold(peer, round, this.#chosen.subarray(from, from + this.#dimension), reward);
    else this.#observe(peer, this.#chosen, from, reward);
  }

  #observe(peer: number, vectors: Float64Array, from: number, reward: number): void {
    this.#own[peer]! += 1;
    this.centre.observe(peer, vectors, from, reward);
  }
}

function checkClusters(clusters: Int32Array, peers: number): void {
  if (clusters.length !== peers)
    throw new ConfigError("clusters", clusters.length, `name the cluster of ${peers} peers`);
  clusters.forEach((cluster, peer) => {
    whole(`clusters[${peer}]`, cluster, 0, peers - 1);
  });
}
