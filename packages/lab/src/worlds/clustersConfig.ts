import { ConfigError, check } from "@coterie/core";

/** A made-up world: each cluster has its own θ, and everything about it is known. */
export interface ClustersConfig {
  readonly kind: "clusters";
  readonly peers: number;
  readonly clusters: number;
  readonly dimension: number;
  /** Arms offered to each peer in each round. */
  readonly arms: number;
  /** Standard deviation of the Gaussian noise. */
  readonly noise: number;
  /** Peers in each cluster; without it peer i is in cluster i mod clusters. */
  readonly sizes?: readonly number[];
  /** The distance between any two θ; without it they are random unit vectors. */
  readonly gap?: number;
  readonly distribution?: ArmDistribution;
  /** Length of the random step that each θ takes in each round, staying a unit vector; 0 unless set. */
  readonly drift?: number;
  /** Chances in each round that a peer which is there leaves, and that one which is away comes back. */
  readonly churn?: { readonly leave: number; readonly return: number };
}

/** Uniform on the unit sphere (least eigenvalue 1/d), or random signs on an axis each (least eigenvalue as given). */
export type ArmDistribution = { readonly kind: "sphere" } | { readonly kind: "signs"; readonly least: number };

const MOST_PEERS = 10_000_000;
const FIELDS = ["kind", "peers", "clusters", "dimension", "arms", "noise"] as const;
const OPTIONAL = ["sizes", "gap", "distribution", "drift", "churn"] as const;

export function parseClusters(field: string, value: check.Fields): ClustersConfig {
  const given = check.fields(field, value, [...FIELDS, ...OPTIONAL]);
  const at = (name: string): string => check.join(field, name);
  const peers = check.whole(at("peers"), given.peers, 1, MOST_PEERS);
  const clusters = check.whole(at("clusters"), given.clusters, 1, MOST_PEERS);
  if (clusters > peers) throw new ConfigError(at("clusters"), clusters, `be at most ${peers}, the number of peers`);
  const dimension = check.whole(at("dimension"), given.dimension, 1, 4096);
  return {
    kind: "clusters",
    peers,
    clusters,
    dimension,
    arms: check.whole(at("arms"), given.arms, 1, 100_000),
    noise: check.atLeast(at("noise"), given.noise, 0),
    ...(given.sizes !== undefined && { sizes: parseSizes(at("sizes"), given.sizes, peers, clusters) }),
    ...(given.gap !== undefined && { gap: parseGap(at("gap"), given.gap, clusters, dimension) }),
    ...(given.distribution !== undefined && {
      distribution: parseDistribution(at("distribution"), given.distribution, dimension),
    }),
    ...(given.drift !== undefined && { drift: check.atLeast(at("drift"), given.drift, 0) }),
    ...(given.churn !== undefined && { churn: parseChurn(at("churn"), given.churn) }),
  };
}

function parseSizes(field: string, value: unknown, peers: number, clusters: number): number[] {
  const sizes = check.list(field, value, clusters).map((size, k) => check.whole(`${field}[${k}]`, size, 1, peers));
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (sum !== peers) throw new ConfigError(`sum of ${field}`, sum, `be ${peers}, the number of peers`);
  return sizes;
}

/** All pairs can lie at one distance only if there is an axis for each cluster and one in common. */
function parseGap(field: string, value: unknown, clusters: number, dimension: number): number {
  const gap = check.atLeast(field, value, 0);
  if (gap > Math.SQRT2) throw new ConfigError(field, gap, "be at most √2");
  if (clusters + 1 > dimension)
    throw new ConfigError(
      field,
      gap,
      `not stand beside ${clusters} clusters in ${dimension} dimensions (clusters must be below the dimension)`,
    );
  return gap;
}

function parseDistribution(field: string, value: unknown, dimension: number): ArmDistribution {
  const given = check.fields(field, value, ["kind", "least"]);
  const kind = check.oneOf(check.join(field, "kind"), given.kind, ["sphere", "signs"]);
  if (kind === "sphere") {
    check.fields(field, value, ["kind"]);
    return { kind };
  }
  const least = check.atLeast(check.join(field, "least"), given.least, 0);
  if (least > 1 / dimension) throw new ConfigError(check.join(field, "least"), least, `be at most 1/${dimension}`);
  return { kind, least };
}

function parseChurn(field: string, value: unknown): { leave: number; return: number } {
  const given = check.fields(field, value, ["leave", "return"]);
  const chance = (name: string): number => {
    const number = check.atLeast(check.join(field, name), given[name], 0);
    if (number > 1) throw new ConfigError(check.join(field, name), number, "be at most 1");
    return number;
  };
  return { leave: chance("leave"), return: chance("return") };
}

/** The least eigenvalue of E[x xᵀ]: the λ of assumption (A). */
export function leastEigenvalue({ distribution, dimension }: ClustersConfig): number {
  return distribution?.kind === "signs" ? distribution.least : 1 / dimension;
}
