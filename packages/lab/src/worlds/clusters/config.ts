/**
 * A made-up world: each cluster has its own θ, and everything about it is known. What is optional makes it more like the
 * world of an app.
 */
export interface ClustersConfig {
  readonly kind: "clusters";
  readonly peers: number;
  readonly clusters: number;
  /** Features of an arm, the constant one included. */
  readonly dimension: number;
  /** Arms offered to each peer in each turn. */
  readonly arms: number;
  /** Standard deviation of the Gaussian noise; 0 where there are `noises`, or clicks. */
  readonly noise: number;
  /** Standard deviations of peer 0, 1, …, and again from the first. */
  readonly noises?: readonly number[];
  readonly rewards?: WorldRewards;
  /** Peers in each cluster; without it peer i is in cluster i mod clusters. */
  readonly sizes?: readonly number[];

  /** The distance between any two θ; without it they are random unit vectors. */
  readonly gap?: number;
  /** Every θ is a combination of so many fixed unit vectors. */
  readonly rank?: number;
  /** Only the first so many features count. */
  readonly relevant?: number;
  readonly tastes?: BestItem;
  /** Each peer's own θ is its cluster's and a random vector of this length. */
  readonly spread?: number;
  /** Length of the random step that each θ takes in each round, staying a unit vector; 0 unless set. */
  readonly drift?: number;
  readonly jump?: Jump;

  readonly distribution?: ArmDistribution;
  readonly catalogue?: CatalogueConfig;
  /** Arms share a random direction, by so much: x = normalise(ρ c + √(1−ρ²) u). */
  readonly correlated?: number;
  /** The last feature of every arm is this; the others have length √(1−c²), and θ is of them alone. */
  readonly constant?: number;

  /** Choices of each peer between two meetings; 1 unless set. */
  readonly turns?: number;
  /** Rounds after which a reward arrives; at once unless set. */
  readonly late?: number;
  readonly activity?: Activity;
  /** Chances in each round that a peer which is there leaves, and that one which is away comes back. */
  readonly churn?: { readonly leave: number; readonly return: number };
  /** Every so-many-th peer joins for the first time when round `after` is over. */
  readonly newcomers?: EveryNth;
  /** Every so-many-th peer leaves for good when round `after` is over. */
  readonly leavers?: EveryNth;
  /** A new peer takes each place after a number of rounds that is geometric with this mean. */
  readonly visits?: { readonly rounds: number };
}

/** Uniform on the unit sphere (least eigenvalue 1/d), or random signs on an axis each (least eigenvalue as given). */
export type ArmDistribution = { readonly kind: "sphere" } | { readonly kind: "signs"; readonly least: number };

/** Items that all peers share, drawn once: random unit vectors, or one axis each. All of them are shown, or `show`. */
export interface CatalogueConfig {
  readonly items: number;
  readonly vectors: "sphere" | "one-hot";
  readonly show?: number;
}

/** The mean of x·θ and noise; or a click, with a chance that is linear in x·θ (clipped to [0, 1]) or logistic. */
export type WorldRewards =
  | { readonly kind: "gaussian" }
  | { readonly kind: "clicks"; readonly link: "linear"; readonly base: number; readonly slope: number }
  | { readonly kind: "clicks"; readonly link: "logistic"; readonly offset: number; readonly slope: number };

/** Of one-hot items one, drawn for each cluster, has θ entry `high`, the others `low`. */
export interface BestItem {
  readonly kind: "best";
  readonly high: number;
  readonly low: number;
}

/** When round `after` is over each peer moves to another cluster with chance `share`, or every θ turns round. */
export type Jump = { readonly after: number; readonly share: number } | { readonly after: number; readonly flip: true };

/** The k-th peer of a random order acts in a turn with chance max(least, 1/k). */
export interface Activity {
  readonly kind: "power";
  readonly least: number;
  /** online (unless set): an idle peer still meets others. away: it is absent in that turn. */
  readonly idle?: "online" | "away";
}

/** Peers every − 1, 2 every − 1, …: each `every`-th. */
export interface EveryNth {
  readonly every: number;
  readonly after: number;
}

/** Features that θ is of. */
export const realFeatures = ({ dimension, constant }: ClustersConfig): number =>
  constant === undefined ? dimension : dimension - 1;

/** Does every peer choose exactly once in every round, and hear of its reward at once? */
export const isSteady = (config: ClustersConfig): boolean =>
  (config.turns ?? 1) === 1 && config.late === undefined && config.activity === undefined && !comeAndGo(config);

/** Are there rounds in which some peer is not there, or another than before? */
export const comeAndGo = ({ churn, newcomers, leavers, visits, activity }: ClustersConfig): boolean =>
  activity?.idle === "away" || [churn, newcomers, leavers, visits].some((field) => field !== undefined);

/** The least eigenvalue of E[x xᵀ] of plain arms: the λ of assumption (A). */
export function leastEigenvalue({ distribution, dimension }: ClustersConfig): number {
  return distribution?.kind === "signs" ? distribution.least : 1 / dimension;
}
