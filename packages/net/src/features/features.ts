/** Core takes no more. */
export const MOST_COORDINATES = 4096;

/**
 * How items of an app become arms: vectors of `dimension` numbers within the unit ball. `I` is what an item must have,
 * `X` what must be known of the situation (`undefined`: nothing); `C` how a score is explained.
 */
export interface Features<in I, out C extends Contributions = Contributions, in X = undefined> {
  readonly dimension: number;
  /** The name of each coordinate, no two alike: `bias`, `topic=sport`, `words`, `embedding[3]`, `device×topic=phone×sport`. */
  readonly names: readonly string[];
  /** What a coordinate is multiplied by in an arm, so that the arm lies within the unit ball. */
  readonly scale: number;
  /** Which coordinates are whose. */
  readonly spans: readonly Span[];
  /** 128 bits as 32 hex digits, the same for the same `describe()`: peers compare it before they exchange. */
  readonly fingerprint: string;
  /** Everything that decides what the coordinates mean, as canonical JSON in ASCII. */
  describe(): string;
  /** out[offset .. offset + dimension) = the item, ‖x‖ <= 1. Allocates nothing. */
  encode<T extends I>(item: T, out: Float64Array, offset?: number, context?: X): void;
  /** The same for a list, arm by arm, and faster. An error names the item; `out` then holds nothing of use. */
  encodeAll<T extends I>(items: readonly T[], out: Float64Array, offset?: number, context?: X): void;
  /** θ·x by name, x = arm[offset .. offset + dimension): they add up to the arm's estimated mean. */
  contributions(estimate: ArrayLike<number>, arm: ArrayLike<number>, offset?: number): C;
}

/** A feature's coordinates, from .. end, and what it is of. A context without a cross cannot change a choice. */
export interface Span {
  readonly name: string;
  readonly of: "item" | "context" | "cross";
  /** Of a cross: what it is the product of. */
  readonly factors?: readonly [string, string];
  readonly from: number;
  readonly end: number;
}

/** The share of each feature in a score, by its name. */
export type Contributions = Readonly<Record<string, number>>;
