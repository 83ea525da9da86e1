import { ConfigError, check } from "@coterie/core";

/** The least and the most that a choice can pay. */
export type RewardRange = readonly [lowest: number, highest: number];

/** What rewards are like. */
export interface RewardOptions {
  /** The least and the most a choice can be paid. [0, 1] when left out. Peers of a room must agree on it. */
  readonly range?: RewardRange;
  /** How long a choice waits for its reward. Half an hour when left out. */
  readonly timeoutMs?: number;
  /** What is learnt for a choice that nobody rewarded in time. Nothing, when left out. */
  readonly fallback?: number;
  /**
   * How many choices may wait at once. Beyond it the oldest are dropped: they teach nothing, a `dropped` event says so, and a
   * reward for one is answered `dropped`. When left out 200,000, or as many as 32 MiB of arms hold (8 bytes a coordinate).
   */
  readonly pending?: number;
}

/** A snapshot of more would not fit into a store. */
const MOST_WAITING = 1_000_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

/**
 * Rewards of an app and of the learner. The learner's are the app's divided by the range's larger end, so that none is
 * beyond 1 and one setting of radius and threshold fits all apps. They are divided and not shifted: zero stays zero,
 * and a reward that was linear in the features still is, with or without a bias among them.
 */
export class Rewards {
  readonly range: RewardRange;
  readonly timeoutMs: number;
  readonly fallback: number | null;
  /** Undefined: as many as the ledger takes by itself. */
  readonly pending: number | undefined;
  /** What the learner's 1 is in the app's unit. */
  readonly unit: number;

  constructor(options: RewardOptions = {}) {
    const given = check.fields("reward", options, ["range", "timeoutMs", "fallback", "pending"]);
    this.range = parseRange(given.range);
    this.unit = Math.max(Math.abs(this.range[0]), Math.abs(this.range[1]));
    this.timeoutMs = given.timeoutMs === undefined ? HALF_AN_HOUR_MS : parseTimeout(given.timeoutMs);
    this.pending =
      given.pending === undefined ? undefined : check.whole("reward.pending", given.pending, 1, MOST_WAITING);
    this.fallback = given.fallback === undefined ? null : this.check("reward.fallback", given.fallback);
  }

  check(field: string, value: unknown): number {
    const [low, high] = this.range;
    if (typeof value === "number" && value >= low && value <= high) return value;
    throw new ConfigError(field, value, `be a number from ${low} to ${high}`);
  }

  /** The app's reward as the learner takes it. */
  learnt(value: number): number {
    return value / this.unit;
  }
}

function parseRange(given: unknown): RewardRange {
  if (given === undefined) return [0, 1];
  const [low, high] = check.list("reward.range", given, 2);
  const lowest = check.real("reward.range[0]", low);
  const highest = check.real("reward.range[1]", high);
  if (!(lowest < highest))
    throw new ConfigError("reward.range", `[${low}, ${high}]`, "rise from its first to its last");
  // Divided by anything smaller, a reward may be no number any more; anything larger may overflow when squared.
  const unit = Math.max(Math.abs(lowest), Math.abs(highest));
  if (unit < 1e-100 || unit > 1e100)
    throw new ConfigError("reward.range", unit, "lie between 1e-100 and 1e100 in size");
  return [lowest, highest];
}

function parseTimeout(given: unknown): number {
  const timeout = check.atLeast("reward.timeoutMs", given, 0);
  if (timeout === 0) throw new ConfigError("reward.timeoutMs", given, "be more than 0");
  return timeout;
}
