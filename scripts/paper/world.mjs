// A world in which every policy meets the same rounds, and what a policy comes to in it.
import { Random } from "@coterie/core";
import { range } from "./table.mjs";

/** Arms uniform on the sphere, one random unit θ a cluster, Gaussian noise: peer i is in cluster i mod clusters. */
export class World {
  /** Rounds drawn so far: every reading meets the same ones. */
  #drawn = [];
  #now = [];

  constructor({ peers, dimension, arms, noise, clusters, seed }) {
    Object.assign(this, { peers, dimension, count: arms, noise, clusters });
    const root = Random.seeded(seed);
    this.random = root.fork("rounds");
    this.thetas = Array.from({ length: clusters }, (_, k) => unit(root.fork("theta").fork(k), dimension));
  }

  /** The offers of a round, from 1. */
  at(round) {
    while (this.#drawn.length < round) this.#drawn.push(Array.from({ length: this.peers }, (_, i) => this.#draw(i)));
    this.#now = this.#drawn[round - 1];
    return this;
  }

  #draw(peer) {
    const theta = this.thetas[peer % this.clusters];
    const values = new Float64Array(this.count * this.dimension);
    const means = Array.from({ length: this.count }, (_, arm) => {
      const x = unit(this.random, this.dimension);
      values.set(x, arm * this.dimension);
      return x.reduce((sum, value, k) => sum + value * theta[k], 0);
    });
    const paid = means.map((mean) => mean + this.noise * this.random.normal());
    return { count: this.count, values, means, paid, best: Math.max(...means) };
  }

  arms = (peer) => this.#now[peer];
  pay = (peer, arm) => this.#now[peer].paid[arm];
  regret = (peer, arm) => this.#now[peer].best - this.#now[peer].means[arm];
}

function unit(random, dimension) {
  const x = random.normals(new Float64Array(dimension));
  const norm = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return x.map((value) => value / norm);
}

/** Plays a policy (a fleet of the library or a model) and says what it came to. */
export function play(fleet, world, rounds) {
  let [regret, exactFrom] = [0, null];
  const everyone = range(world.peers).map((k) => k - 1);
  const pairs = everyone.flatMap((i) => everyone.map((j) => [i, j]));
  const same = ([i, j]) => i % world.clusters === j % world.clusters;
  for (let round = 1; round <= rounds; round++) {
    fleet.round(world.at(round));
    for (const i of everyone) regret += world.regret(i, fleet.choices[i]);
    if (world.clusters === 1) continue;
    exactFrom = pairs.every((pair) => fleet.near(...pair) === same(pair)) ? (exactFrom ?? round) : null;
  }
  const wrong = pairs.filter((pair) => same(pair) && !fleet.near(...pair)).length / 2;
  return { regret, exactFrom, wrong };
}
