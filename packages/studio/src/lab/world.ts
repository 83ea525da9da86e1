import { type Arms, type Offered, Random } from "@coterie/core";
import type { Setting } from "./setting.ts";

/**
 * A world of clusters: each cluster's θ is a random unit vector, peer i is in cluster i mod clusters, arms are uniform on
 * the unit sphere, and noise is drawn for every offered arm, so that all policies of a run meet the same world.
 */
export class ClusterWorld implements Offered {
  readonly clusters: Int32Array;
  readonly #setting: Setting;
  readonly #thetas: Float64Array;
  readonly #random: Random;
  readonly #arms: Arms[];
  readonly #means: Float64Array;
  readonly #payments: Float64Array;
  readonly #best: Float64Array;
  #round = 0;

  constructor(setting: Setting) {
    const { peers, clusters, dimension, arms, seed } = setting;
    this.#setting = setting;
    this.#random = Random.seeded(seed).fork("world in the page");
    this.clusters = Int32Array.from({ length: peers }, (_, peer) => peer % clusters);
    this.#thetas = fillSphere(new Float64Array(clusters * dimension), dimension, this.#random.fork("theta"));
    this.#arms = Array.from({ length: peers }, () => ({ count: arms, values: new Float64Array(arms * dimension) }));
    this.#means = new Float64Array(peers * arms);
    this.#payments = new Float64Array(peers * arms);
    this.#best = new Float64Array(peers);
  }

  /** Draws what the next round offers. */
  advance(): void {
    const { peers, dimension, arms, noise } = this.#setting;
    this.#round += 1;
    const draws = this.#random.fork("round").fork(this.#round);
    for (let peer = 0; peer < peers; peer++) {
      const draw = draws.fork(peer);
      const values = fillSphere(this.#arms[peer].values, dimension, draw);
      const theta = this.clusters[peer] * dimension;
      this.#best[peer] = Number.NEGATIVE_INFINITY;
      for (let arm = 0; arm < arms; arm++) {
        let mean = 0;
        for (let i = 0; i < dimension; i++) mean += values[arm * dimension + i] * this.#thetas[theta + i];
        this.#means[peer * arms + arm] = mean;
        this.#payments[peer * arms + arm] = mean + noise * draw.normal();
        if (mean > this.#best[peer]) this.#best[peer] = mean;
      }
    }
  }

  arms(peer: number): Arms {
    return this.#arms[peer];
  }

  pay(peer: number, arm: number): number {
    return this.#payments[peer * this.#setting.arms + arm];
  }

  /** The best offered mean less the chosen arm's. */
  regret(peer: number, arm: number): number {
    return this.#best[peer] - this.#means[peer * this.#setting.arms + arm];
  }
}

/** Rows of `dimension` numbers, each uniform on the unit sphere. */
function fillSphere(out: Float64Array, dimension: number, random: Random): Float64Array {
  random.normals(out);
  for (let from = 0; from < out.length; from += dimension) {
    let square = 0;
    for (let i = from; i < from + dimension; i++) square += out[i] * out[i];
    const norm = Math.sqrt(square);
    for (let i = from; i < from + dimension; i++) out[i] /= norm;
  }
  return out;
}
