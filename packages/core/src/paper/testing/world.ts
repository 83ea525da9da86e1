// Worlds small enough for a test: arms uniform on the unit sphere, rewards linear with Gaussian noise.
import type { Arms } from "../../bandit/arms.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import type { OfferedTurn } from "../../fleet/offered.ts";
import { Random } from "../../numbers/random.ts";

export interface WorldOptions {
  readonly peers: number;
  readonly dimension: number;
  readonly arms: number;
  /** Standard deviation of the noise, which is then R-subgaussian with R the same. */
  readonly noise: number;
  readonly clusters?: number;
  /** ‖θ‖. */
  readonly norm?: number;
  readonly seed: number;
}

export class World implements OfferedTurn {
  /** The truth: [cluster][feature]. Peer i is in cluster i mod clusters. */
  readonly thetas: Float64Array[];
  readonly #random: Random;
  readonly #offers: Arms[];
  readonly #means: Float64Array;
  readonly #paid: Float64Array;

  constructor(readonly options: WorldOptions) {
    const { peers, dimension, arms, clusters = 1, norm = 1, seed } = options;
    const root = Random.seeded(seed);
    this.#random = root.fork("rounds");
    const thetas = root.fork("thetas");
    this.thetas = Array.from({ length: clusters }, () =>
      unit(thetas, new Float64Array(dimension)).map((value) => norm * value),
    );
    this.#offers = Array.from({ length: peers }, () => ({ count: arms, values: new Float64Array(arms * dimension) }));
    this.#means = new Float64Array(peers * arms);
    this.#paid = new Float64Array(peers * arms);
  }

  clusterOf(peer: number): number {
    return peer % this.thetas.length;
  }

  theta(peer: number): Float64Array {
    return this.thetas[this.clusterOf(peer)]!;
  }

  /** Draws the next round. */
  next(): this {
    const { peers, dimension: d, arms: count, noise } = this.options;
    for (let peer = 0; peer < peers; peer++) {
      const theta = this.theta(peer);
      const { values } = this.#offers[peer]!;
      for (let arm = 0; arm < count; arm++) {
        const x = unit(this.#random, values.subarray(arm * d, (arm + 1) * d));
        const mean = x.reduce((sum, value, k) => sum + value * theta[k]!, 0);
        this.#means[peer * count + arm] = mean;
        this.#paid[peer * count + arm] = mean + noise * this.#random.normal();
      }
    }
    return this;
  }

  arms(peer: number): Arms {
    return this.#offers[peer]!;
  }

  pay(peer: number, arm: number): number {
    return this.#paid[peer * this.options.arms + arm]!;
  }

  /** The arm that peer chose in the round drawn last. */
  chosen(fleet: Fleet, peer: number): Float64Array {
    const d = this.options.dimension;
    const from = fleet.choices[peer]! * d;
    return this.#offers[peer]!.values.slice(from, from + d);
  }

  /** ρ of the round drawn last: the best offered mean less the picked one. */
  regret(peer: number, arm: number): number {
    const { arms } = this.options;
    const means = this.#means.subarray(peer * arms, (peer + 1) * arms);
    return Math.max(...means) - means[arm]!;
  }
}

/** Plays `rounds` rounds and returns the regret of all peers together; `after` looks at each round when it is over. */
export function play(world: World, fleet: Fleet, rounds: number, after: (round: number) => void = () => {}): number {
  let regret = 0;
  for (let round = 1; round <= rounds; round++) {
    fleet.round(world.next());
    for (let peer = 0; peer < fleet.peers; peer++) regret += world.regret(peer, fleet.choices[peer]!);
    after(round);
  }
  return regret;
}

/** Fills `out` with a uniform point of the unit sphere. */
function unit(random: Random, out: Float64Array): Float64Array {
  random.normals(out);
  const norm = Math.sqrt(out.reduce((sum, value) => sum + value * value, 0));
  for (let k = 0; k < out.length; k++) out[k]! /= norm;
  return out;
}
