import { Random } from "@coterie/core";
import { addObservation, Factor, slotSize, triangleSize } from "@coterie/core/internal";
import { Chain } from "./chain.mjs";
import { toldOf } from "./told.mjs";

/** Samplers go on every 1 + ⌊t/…⌋ rounds: later on a round adds little to what is known. */
const PAUSE = 100;

/**
 * A centre that sees all at once and knows what the world is like, but not who is alike and what they like. Sums are in units of the
 * noise, S = Σ xxᵀ/σ² and v = Σ rx/σ², so with the prior in S the posterior is N(S⁻¹v, S⁻¹). What a peer believes is the mixture
 * over all groups that it may be in, in each of several partitions drawn from their posterior.
 */
export class Ideal {
  serving = "together";
  #round = -1;

  constructor(
    dimension,
    peers,
    clusters,
    config,
    { groups, chains, sweeps, truth, growth, doubt, explore, choice, ...less },
  ) {
    const zeros = (size) => Array.from({ length: peers }, () => new Float64Array(size));
    Object.assign(this, { dimension, peers, sweeps, growth, doubt, explore, choice });
    this.told = toldOf(config, less);
    this.known = groups === "known" ? new Set(clusters).size : null;
    this.fixed = ["told", "none", "one"].includes(groups);
    this.gram = triangleSize(dimension);
    this.prior = new Float64Array(slotSize(dimension));
    for (let i = 0, at = 0; i < dimension; at += i + 2, i++) this.prior[at] = 1 / this.told.variances[i];
    // What each has seen, and as much of it as others know; of how many observations both are.
    this.own = zeros(this.prior.length);
    this.published = zeros(this.prior.length);
    this.seen = new Float64Array(peers);
    this.publishedAt = new Float64Array(peers);
    // What each believes: the mean of its θ, and of θθᵀ.
    this.means = zeros(dimension);
    this.products = zeros(this.gram);
    this.believed = new Float64Array(peers);
    this.factor = new Factor(dimension);
    this.work = new Float64Array(dimension);
    this.sum = new Float64Array(this.prior.length);
    this.inverse = new Float64Array(this.gram);
    this.nothing = this.value(this.prior);
    const random = Random.seeded(1).fork("ideal");
    const start =
      groups === "told" || truth ? clusters : Array.from({ length: peers }, (_, k) => (groups === "none" ? k : 0));
    this.chains = Array.from({ length: this.fixed ? 1 : chains }, (_, k) => new Chain(this, random.fork(k), start));
    this.close();
  }

  /** ½ (vᵀS⁻¹v − ln det S): the log marginal likelihood, but for what does not depend on who is with whom. */
  value(sums, more = null) {
    const { factor, work } = this;
    let whole = sums;
    if (more !== null) {
      whole = this.sum;
      for (let k = 0; k < whole.length; k++) whole[k] = sums[k] + more[k];
    }
    if (!factor.refactor(whole, 0, 0)) throw new Error("These sums are not positive definite.");
    factor.forward(work, whole, this.gram);
    return 0.5 * (work.reduce((all, y) => all + y * y, 0) - factor.logDeterminant());
  }

  /** With this chance a peer is one of those who have published `sums`. */
  believe(peer, chance, sums) {
    const { factor, work, inverse } = this;
    this.value(sums, this.own[peer]);
    factor.backward(work, work);
    this.believed[peer] += chance;
    for (let i = 0; i < this.dimension; i++) this.means[peer][i] += chance * work[i];
    if (this.explore === 0) return;
    factor.invert(inverse);
    for (let i = 0, at = 0; i < this.dimension; i++) {
      for (let k = 0; k <= i; k++, at++) this.products[peer][at] += chance * (inverse[at] + work[i] * work[k]);
    }
  }

  choose(peer, { count, values }, _round, random) {
    const score = this.choice === "thompson" ? this.#drawn(peer, random) : (arm) => this.#bound(peer, arm);
    let [best, highest] = [0, -Infinity];
    for (let arm = 0; arm < count; arm++) {
      const reached = score(values.subarray(arm * this.dimension, (arm + 1) * this.dimension));
      if (reached > highest) [best, highest] = [arm, reached];
    }
    return best;
  }

  /** The mean of x·θ and some of its standard deviations. */
  #bound(peer, arm) {
    const mean = dot(arm, this.means[peer]);
    if (this.explore === 0) return mean;
    let square = 0;
    for (let i = 0, at = 0; i < this.dimension; i++) {
      for (let k = 0; k <= i; k++, at++) square += (k < i ? 2 : 1) * arm[i] * arm[k] * this.products[peer][at];
    }
    return mean + this.explore * Math.sqrt(Math.max(0, square - mean ** 2));
  }

  /** x·θ of one draw of θ: by the group that one of the samplers has the peer in. */
  #drawn(peer, random) {
    const { factor, work } = this;
    this.value(this.chains[random.below(this.chains.length)].sumsOf(peer));
    for (let i = 0; i < this.dimension; i++) work[i] += random.normal();
    const theta = factor.backward(work, work);
    return (arm) => dot(arm, theta);
  }

  observe(peer, vectors, from, reward) {
    const arm = vectors.slice(from, from + this.dimension);
    const precision = 1 / this.told.noiseAt(dot(arm, this.means[peer]));
    for (let i = 0; i < this.dimension; i++) arm[i] *= Math.sqrt(precision);
    addObservation(this.own[peer], 0, this.dimension, arm, 0, Math.sqrt(precision) * (reward - this.told.offset));
    this.seen[peer] += 1;
  }

  close() {
    this.#round += 1;
    if (this.#round % (1 + Math.floor(this.#round / PAUSE)) > 0) return;
    for (let peer = 0; peer < this.peers; peer++) {
      this.means[peer].fill(0);
      this.products[peer].fill(0);
      if (this.seen[peer] < this.growth * this.publishedAt[peer]) continue;
      this.published[peer].set(this.own[peer]);
      this.publishedAt[peer] = this.seen[peer];
    }
    this.believed.fill(0);
    for (const chain of this.chains) {
      chain.gather();
      for (let k = 0; k < this.sweeps; k++) chain.sweep();
    }
    for (let peer = 0; peer < this.peers; peer++) {
      for (const of of [this.means[peer], this.products[peer]]) {
        for (let k = 0; k < of.length; k++) of[k] /= this.believed[peer];
      }
    }
  }

  estimate(peer) {
    return this.means[peer];
  }

  evidence() {
    return 0;
  }

  pool(peer) {
    return this.chains[0].of[peer];
  }
}

const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
