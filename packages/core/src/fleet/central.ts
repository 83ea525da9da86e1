import { checkArms } from "../bandit/arms.ts";
import { checkReward } from "../bandit/reward.ts";
import type { CentralPolicy, Centre } from "../central/centre.ts";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { whole } from "../options.ts";
import type { Fleet, FleetConfig, Offered, Traffic } from "./fleet.ts";

/** Peers that a centre serves. */
export class CentralFleet implements Fleet {
  readonly centre: Centre;
  readonly peers: number;
  readonly choices: Int32Array;
  readonly rewards: Float64Array;
  readonly traffic: Traffic;
  rounds = 0;
  readonly #dimension: number;
  readonly #random: Random;
  readonly #roundDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** The chosen arms of this round, [peer][feature], until the round's observations enter together. */
  readonly #chosen: Float64Array;
  readonly #pooled: boolean;
  /** How often each peer was served. */
  readonly #served: Float64Array;

  constructor({ dimension, peers, random, clusters = null }: FleetConfig, policy: CentralPolicy) {
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
    this.#served = new Float64Array(peers);
    this.#chosen = new Float64Array(peers * dimension);
    this.#random = random.fork("choice");
  }

  round(offered: Offered): void {
    this.rounds += 1;
    const draws = this.#random.forkInto(this.#roundDraw, this.rounds);
    const inTurn = this.centre.serving === "in-turn";
    for (let i = 0; i < this.peers; i++) {
      if (offered.present !== undefined && !offered.present(i)) {
        this.choices[i] = -1;
        this.rewards[i] = 0;
        continue;
      }
      this.#served[i]! += 1;
      this.#choose(i, offered, draws);
      if (inTurn) this.#observe(i);
    }
    if (!inTurn) for (let i = 0; i < this.peers; i++) if (this.choices[i]! >= 0) this.#observe(i);
    this.centre.close();
    // Without a server pooling means that each tells every other what it saw: x and r, 8 bytes a number.
    if (this.#pooled) {
      let there = 0;
      for (const choice of this.choices) if (choice >= 0) there += 1;
      this.traffic.bytes! += there * (this.peers - 1) * 8 * (this.#dimension + 1);
      this.traffic.exchanges += there * (this.peers - 1);
    }
  }

  estimate(peer: number): Float64Array {
    return this.centre.estimate(peer);
  }

  evidence(peer: number): number {
    return this.centre.evidence(peer);
  }

  own(peer: number): number {
    return this.#served[peer]!;
  }

  near(peer: number, other: number): boolean {
    return this.centre.pool(peer) === this.centre.pool(other);
  }

  #choose(peer: number, offered: Offered, draws: Random): void {
    const d = this.#dimension;
    const arms = offered.arms(peer);
    checkArms(arms, d);
    const arm = this.centre.choose(peer, arms, this.rounds, draws.forkInto(this.#draw, peer));
    this.choices[peer] = arm;
    for (let k = 0; k < d; k++) this.#chosen[peer * d + k] = arms.values[arm * d + k]!;
    this.rewards[peer] = checkReward("reward", offered.pay(peer, arm));
  }

  #observe(peer: number): void {
    this.centre.observe(peer, this.#chosen, peer * this.#dimension, this.rewards[peer]!);
  }
}

function checkClusters(clusters: Int32Array, peers: number): void {
  if (clusters.length !== peers)
    throw new ConfigError("clusters", clusters.length, `name the cluster of ${peers} peers`);
  clusters.forEach((cluster, peer) => {
    whole(`clusters[${peer}]`, cluster, 0, peers - 1);
  });
}
