import { Random } from "@coterie/core";
import { type ClustersConfig, realFeatures } from "./config.ts";
import { drawThetas, moveBest } from "./thetas.ts";
import { fillSphere, normalise } from "./vectors.ts";

/** What peers like: a θ for each cluster, and who is in which. Both may change from round to round. */
export class Tastes {
  /** Live: changed in place when a peer moves. */
  readonly clusters: Int32Array;
  /** [cluster][feature], live. */
  readonly thetas: Float64Array;
  readonly #config: ClustersConfig;
  readonly #features: number;
  readonly #random: { readonly drift: Random; readonly jump: Random };
  readonly #draw = Random.seeded(0);
  /** Where peers of a cluster differ: what each adds to its cluster's θ, and the sum, [peer][feature]. */
  readonly #own: { readonly added: Float64Array; readonly sum: Float64Array } | null;

  /** `random` is the world's. */
  constructor(config: ClustersConfig, random: Random) {
    this.#config = config;
    this.#features = realFeatures(config);
    this.clusters = assignClusters(config);
    this.thetas = drawThetas(config, random.fork("theta"));
    this.#random = { drift: random.fork("drift"), jump: random.fork("jump") };
    this.#own = this.#drawOwn(random.fork("spread"));
    this.#addOwn();
  }

  /** x·θ of a peer, x = values[from .. from+features). */
  score(peer: number, values: Float64Array, from: number): number {
    const d = this.#features;
    const thetas = this.#own?.sum ?? this.thetas;
    const theta = (this.#own === null ? this.clusters[peer]! : peer) * d;
    let score = 0;
    for (let i = 0; i < d; i++) score += values[from + i]! * thetas[theta + i]!;
    return score;
  }

  /** Before the draws of a round. */
  nextRound(round: number): void {
    const { drift, jump } = this.#config;
    const jumps = jump !== undefined && round === jump.after + 1;
    if (jumps && "share" in jump) this.#move(jump.share);
    if (jumps && "flip" in jump) this.#flip();
    if (drift) this.#wander(drift, round);
    if (jumps || drift) this.#addOwn();
  }

  #wander(step: number, round: number): void {
    const d = this.#features;
    const draw = this.#random.drift.forkInto(this.#draw, round);
    for (let from = 0; from < this.thetas.length; from += d) {
      for (let i = from; i < from + d; i++) this.thetas[i]! += (step / Math.sqrt(d)) * draw.normal();
      normalise(this.thetas, from, d);
    }
  }

  #move(share: number): void {
    const { clusters } = this.#config;
    for (let peer = 0; peer < this.clusters.length; peer++) {
      const draw = this.#random.jump.forkInto(this.#draw, peer);
      if (draw.uniform() >= share) continue;
      this.clusters[peer] = (this.clusters[peer]! + 1 + draw.below(clusters - 1)) % clusters;
    }
  }

  #flip(): void {
    if (this.#config.tastes !== undefined) {
      moveBest(this.thetas, this.#features, this.#random.jump);
      return;
    }
    for (const values of [this.thetas, this.#own?.added ?? []]) {
      for (let i = 0; i < values.length; i++) values[i] = -values[i]!;
    }
  }

  #drawOwn(random: Random): { added: Float64Array; sum: Float64Array } | null {
    const { spread, peers } = this.#config;
    if (spread === undefined) return null;
    const added = new Float64Array(peers * this.#features);
    fillSphere(added, this.#features, random);
    for (let i = 0; i < added.length; i++) added[i]! *= spread;
    return { added, sum: new Float64Array(added.length) };
  }

  #addOwn(): void {
    if (this.#own === null) return;
    const d = this.#features;
    const { added, sum } = this.#own;
    this.clusters.forEach((cluster, peer) => {
      for (let i = 0; i < d; i++) sum[peer * d + i] = this.thetas[cluster * d + i]! + added[peer * d + i]!;
    });
  }
}

function assignClusters({ peers, clusters, sizes }: ClustersConfig): Int32Array {
  if (sizes === undefined) return Int32Array.from({ length: peers }, (_, peer) => peer % clusters);
  return Int32Array.from(sizes.flatMap((size, cluster) => new Array<number>(size).fill(cluster)));
}
