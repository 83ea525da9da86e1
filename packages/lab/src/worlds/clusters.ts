import { type Arms, Random } from "@coterie/core";
import type { SphereDrawing } from "../engine/drawing.ts";
import type { ClustersConfig } from "./clustersConfig.ts";
import { fillSigns, fillSphere, normalise, orthonormal } from "./drawing.ts";
import type { World } from "./world.ts";

/** Draws for many peers at once, with the same bits; null where it cannot. It needs kernels. */
export type DrawMany = typeof SphereDrawing.of;

/** A made-up world: each cluster has its own θ, arms and noise are drawn, and everything about it is known. */
export class ClustersWorld implements World {
  readonly peers: number;
  readonly dimension: number;
  readonly clusters: Int32Array;
  readonly knowsMeans = true;
  /** [cluster][feature]. */
  readonly thetas: Float64Array;
  readonly #config: ClustersConfig;
  readonly #random: { readonly arms: Random; readonly noise: Random; readonly drift: Random; readonly churn: Random };
  readonly #roundDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** What is offered in this round: arms [peer][arm][feature], means and payments [peer][arm]. */
  readonly #arms: readonly Arms[];
  readonly #means: Float64Array;
  readonly #payments: Float64Array;
  readonly #drawing: SphereDrawing | null;
  readonly #best: Float64Array;
  readonly #present: Uint8Array;
  #round = 0;

  /** Without `drawMany` peer by peer, wherever this runs. */
  constructor(config: ClustersConfig, seed: number, drawMany: DrawMany | null = null) {
    const { peers, dimension, arms } = config;
    const random = Random.seeded(seed).fork("clusters world");
    this.#config = config;
    this.peers = peers;
    this.dimension = dimension;
    this.clusters = assignClusters(config);
    this.thetas = drawThetas(config, random.fork("theta"));
    this.#random = {
      arms: random.fork("arms"),
      noise: random.fork("noise"),
      drift: random.fork("drift"),
      churn: random.fork("churn"),
    };
    const drawing =
      drawMany === null || config.distribution?.kind === "signs"
        ? null
        : drawMany(peers, arms, dimension, this.clusters, this.thetas);
    this.#drawing = drawing;
    this.#arms = drawing?.arms ?? plainArms(peers, arms, dimension);
    this.#means = drawing?.means ?? new Float64Array(peers * arms);
    this.#payments = drawing?.payments ?? new Float64Array(peers * arms);
    this.#best = new Float64Array(peers);
    this.#present = new Uint8Array(peers).fill(1);
  }

  advance(): void {
    this.#round += 1;
    if (this.#config.churn !== undefined) this.#comeAndGo(this.#config.churn);
    if (this.#config.drift) this.#wander(this.#config.drift);
    this.#drawArms();
    this.#drawNoise();
  }

  present(peer: number): boolean {
    return this.#present[peer] === 1;
  }

  arms(peer: number): Arms {
    return this.#arms[peer]!;
  }

  pay(peer: number, arm: number): number {
    return this.#payments[peer * this.#config.arms + arm]!;
  }

  mean(peer: number, arm: number): number {
    return this.#means[peer * this.#config.arms + arm]!;
  }

  bestMean(peer: number): number {
    return this.#best[peer]!;
  }

  #drawArms(): void {
    const { arms, dimension: d, distribution } = this.#config;
    const round = this.#random.arms.forkInto(this.#roundDraw, this.#round);
    if (this.#drawing !== null) {
      this.#drawing.drawArms(round, this.thetas);
      for (let peer = 0; peer < this.peers; peer++) this.#best[peer] = largest(this.#means, peer * arms, arms);
      return;
    }
    for (let peer = 0; peer < this.peers; peer++) {
      const { values } = this.#arms[peer]!;
      const draw = round.forkInto(this.#draw, peer);
      if (distribution?.kind === "signs") fillSigns(values, d, distribution.least, draw);
      else fillSphere(values, d, draw);
      const theta = this.clusters[peer]! * d;
      for (let arm = 0, at = 0; arm < arms; arm++) {
        let mean = 0;
        for (let i = 0; i < d; i++) mean += values[at++]! * this.thetas[theta + i]!;
        this.#means[peer * arms + arm] = mean;
      }
      this.#best[peer] = largest(this.#means, peer * arms, arms);
    }
  }

  #drawNoise(): void {
    const { arms, noise } = this.#config;
    const round = this.#random.noise.forkInto(this.#roundDraw, this.#round);
    if (this.#drawing !== null) {
      this.#drawing.drawNoise(round, noise);
      return;
    }
    for (let peer = 0; peer < this.peers; peer++) {
      const draw = round.forkInto(this.#draw, peer);
      for (let at = peer * arms; at < (peer + 1) * arms; at++) {
        this.#payments[at] = this.#means[at]! + noise * draw.normal();
      }
    }
  }

  #wander(step: number): void {
    const d = this.dimension;
    const draw = this.#random.drift.forkInto(this.#draw, this.#round);
    for (let from = 0; from < this.thetas.length; from += d) {
      for (let i = from; i < from + d; i++) this.thetas[i]! += (step / Math.sqrt(d)) * draw.normal();
      normalise(this.thetas, from, d);
    }
  }

  #comeAndGo(churn: { readonly leave: number; readonly return: number }): void {
    const draw = this.#random.churn.forkInto(this.#draw, this.#round);
    for (let peer = 0; peer < this.peers; peer++) {
      const chance = this.#present[peer] === 1 ? churn.leave : churn.return;
      if (draw.uniform() < chance) this.#present[peer] = 1 - this.#present[peer]!;
    }
  }
}

const plainArms = (peers: number, arms: number, dimension: number): Arms[] =>
  Array.from({ length: peers }, () => ({ count: arms, values: new Float64Array(arms * dimension) }));

function largest(values: Float64Array, from: number, count: number): number {
  let best = -Infinity;
  for (let k = from; k < from + count; k++) if (values[k]! > best) best = values[k]!;
  return best;
}

function assignClusters({ peers, clusters, sizes }: ClustersConfig): Int32Array {
  if (sizes === undefined) return Int32Array.from({ length: peers }, (_, peer) => peer % clusters);
  return Int32Array.from(sizes.flatMap((size, cluster) => new Array<number>(size).fill(cluster)));
}

/**
 * Random unit vectors; or, with a gap g, θ_k = √(1 − g²/2) c + (g/√2) e_k with c and all e_k orthonormal at random:
 * unit vectors any two of which lie g apart.
 */
function drawThetas({ clusters, dimension: d, gap }: ClustersConfig, random: Random): Float64Array {
  const thetas = new Float64Array(clusters * d);
  if (gap === undefined) {
    fillSphere(thetas, d, random);
    return thetas;
  }
  const axes = orthonormal(clusters + 1, d, random);
  for (let k = 0; k < clusters; k++) {
    for (let i = 0; i < d; i++) {
      thetas[k * d + i] = Math.sqrt(1 - (gap * gap) / 2) * axes[i]! + (gap / Math.SQRT2) * axes[(k + 1) * d + i]!;
    }
  }
  return thetas;
}
