import {
  type BoundChance,
  corollaryBound,
  noSharingBound,
  theorem1Bound,
  theorem2Bound,
  trivialBound,
} from "../../theory/bounds.ts";
import type { ClustersConfig } from "../../worlds/clusters/config.ts";

/** A bound that applies to a policy in a world. */
export interface Applied {
  readonly name: string;
  /** The bound on the regret of all peers after `rounds`; `foundAt` is when the clusters were found. */
  readonly at: (rounds: number, foundAt: number) => number;
  /** Whether it needs to know when the clusters were found. */
  readonly needsFound: boolean;
}

export const TRIVIAL = "any policy: 2‖θ‖|V|t";

/** The world's θ are unit vectors. */
export function chanceOf(world: ClustersConfig, delta: number): BoundChance {
  return { peers: world.peers, dimension: world.dimension, rounds: 1, noise: world.noise, norm: 1, delta };
}

/** What the paper says of a kind of policy in a world; nothing where the theorem does not apply. */
export function boundsOf(kind: string, world: ClustersConfig, delta: number): Applied[] {
  const chance = chanceOf(world, delta);
  const plain = (name: string, bound: (setting: BoundChance) => number): Applied => ({
    name,
    at: (rounds) => bound({ ...chance, rounds }),
    needsFound: false,
  });
  if (kind === "solo") return [plain("CB-NoSharing's bound", noSharingBound), plain(TRIVIAL, trivialBound)];
  if (kind === "dcb" && world.clusters === 1) {
    return [plain("Theorem 1", theorem1Bound), plain("corollary, without its O(t^¼)", corollaryBound)];
  }
  if (kind === "dccb" && world.clusters > 1) {
    const sizes = sizesOf(world);
    const at = (rounds: number, foundAt: number): number =>
      sizes.reduce((sum, size) => sum + theorem2Bound({ size, foundAt }, { ...chance, rounds }), 0);
    return [{ name: "Theorem 2, all clusters", at, needsFound: true }];
  }
  return [];
}

/** Peer i is in cluster i mod clusters unless the sizes are given. */
export function sizesOf({ peers, clusters, sizes }: ClustersConfig): readonly number[] {
  return sizes ?? Array.from({ length: clusters }, (_, k) => Math.ceil((peers - k) / clusters));
}
