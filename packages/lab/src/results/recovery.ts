import type { Fleet, PeerId } from "@coterie/core";
import { CentralFleet, PeerFleet } from "@coterie/core/internal";
import { BatchedFleet } from "../engine/fleet.ts";

/** Policies that form neighbourhoods; of the others nobody can say whether they found the clusters. */
const FINDERS: ReadonlySet<string> = new Set(["dccb", "club", "sclub", "cofiba", "oracle"]);

/**
 * How well neighbourhoods match the true clusters, kept up to date round by round.
 *
 * A pair of peers is wrong if it is near across clusters, or apart within one. What changes little is looked at little:
 * a peer's share is counted again only when its set of pruned peers has grown.
 */
export class Recovery {
  readonly #fleet: Fleet;
  readonly #clusters: Int32Array;
  readonly #sizes: Int32Array;
  /** The clusters that the counts below are of: peers may move. */
  readonly #counted: Int32Array;
  /** Per peer: ordered pairs (peer, other) that are wrong, and the number of pruned they were counted at. */
  readonly #wrongOf: Int32Array;
  readonly #prunedAt: Int32Array;
  #wrong = 0;
  #exactFrom: number | null = null;

  /** Null where the policy forms no neighbourhoods or the world has no clusters. */
  static of(kind: string, fleet: Fleet, clusters: Int32Array | null): Recovery | null {
    return clusters !== null && FINDERS.has(kind) ? new Recovery(fleet, clusters) : null;
  }

  private constructor(fleet: Fleet, clusters: Int32Array) {
    this.#fleet = fleet;
    this.#clusters = clusters;
    this.#sizes = new Int32Array(clusters.reduce((most, cluster) => Math.max(most, cluster), 0) + 1);
    this.#counted = new Int32Array(clusters.length).fill(-1);
    this.#wrongOf = new Int32Array(fleet.peers);
    this.#prunedAt = new Int32Array(fleet.peers).fill(-1);
  }

  /** After a round. */
  look(round: number): void {
    const fleet = this.#fleet;
    this.#countClusters();
    if (fleet instanceof PeerFleet) this.#lookAtPeers((peer) => fleet.members[peer]!.learner.view.pruned);
    else if (fleet instanceof BatchedFleet) this.#lookAtPeers((peer) => fleet.pruned(peer));
    else if (fleet instanceof CentralFleet) this.#wrong = this.#wrongPools(fleet);
    if (this.#wrong > 0) this.#exactFrom = null;
    else this.#exactFrom ??= round;
  }

  /** The round from which on everything is right, so far. */
  get exactFrom(): number | null {
    return this.#exactFrom;
  }

  /** Unordered pairs. */
  get pairsWrong(): number {
    return this.#wrong / 2;
  }

  get pairsRight(): number {
    return (this.#fleet.peers * (this.#fleet.peers - 1)) / 2 - this.pairsWrong;
  }

  /** Who moved is in another cluster: then all is counted again. */
  #countClusters(): void {
    if (this.#clusters.every((cluster, peer) => cluster === this.#counted[peer])) return;
    this.#counted.set(this.#clusters);
    this.#sizes.fill(0);
    for (const cluster of this.#clusters) this.#sizes[cluster]! += 1;
    this.#prunedAt.fill(-1);
  }

  #lookAtPeers(prunedBy: (peer: number) => ReadonlySet<PeerId>): void {
    for (let i = 0; i < this.#fleet.peers; i++) {
      const pruned = prunedBy(i);
      if (pruned.size === this.#prunedAt[i]) continue;
      this.#prunedAt[i] = pruned.size;
      let prunedInside = 0;
      for (const other of pruned) if (this.#clusters[Number(other)] === this.#clusters[i]) prunedInside += 1;
      const outside = this.#fleet.peers - this.#sizes[this.#clusters[i]!]!;
      const wrong = prunedInside + outside - (pruned.size - prunedInside);
      this.#wrong += wrong - this.#wrongOf[i]!;
      this.#wrongOf[i] = wrong;
    }
  }

  /** Near pairs less right ones, and pairs of a cluster less right ones: Σ n² over pools, clusters and both. */
  #wrongPools(fleet: CentralFleet): number {
    const pools = new Map<number, number>();
    const both = new Map<string, number>();
    for (let i = 0; i < fleet.peers; i++) {
      const pool = fleet.centre.pool(i);
      pools.set(pool, (pools.get(pool) ?? 0) + 1);
      const key = `${pool}/${this.#clusters[i]}`;
      both.set(key, (both.get(key) ?? 0) + 1);
    }
    const squares = (counts: Iterable<number>): number => {
      let sum = 0;
      for (const count of counts) sum += count * count;
      return sum;
    };
    return squares(pools.values()) + squares(this.#sizes) - 2 * squares(both.values());
  }
}
