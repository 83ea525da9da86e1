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
  /**
   * What all workers of the app share and nobody else knows, 16 letters at least. With it any of them takes the token of a choice
   * that another one made (`rewardToken`). Without it only the peer that chose does.
   */
  readonly secret?: string;
  /**
   * With a `secret`: how much longer a choice waits for a reward that another worker took in time, because the peer that
   * chose may be down. Ten minutes when left out.
   */
  readonly deliveryMs?: number;
}

/** A snapshot of more would not fit into a store. */
const MOST_WAITING = 1_000_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
const TEN_MINUTES_MS = 10 * 60_000;
const SECRET_LENGTH = 16;

const FIELDS: readonly (keyof RewardOptions)[] = ["range", "timeoutMs", "fallback", "pending", "secret", "deliveryMs"];

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
  /** What workers share; null where each is alone. */
  readonly secret: string | null;
  /** How much longer than it may be paid a choice waits; 0 where nobody else can have taken its reward. */
  readonly deliveryMs: number;
  /** What the learner's 1 is in the app's unit. */
  readonly unit: number;

  constructor(options: RewardOptions = {}) {
    const given = check.fields("reward", options, FIELDS);
    this.range = parseRange(given.range);
    this.unit = Math.max(Math.abs(this.range[0]), Math.abs(this.range[1]));
    this.timeoutMs = given.timeoutMs === undefined ? HALF_AN_HOUR_MS : parseTimeout(given.timeoutMs);
    this.secret = given.secret === undefined ? null : parseSecret(given.secret);
    const deliveryMs = given.deliveryMs ?? TEN_MINUTES_MS;
    this.deliveryMs = this.secret === null ? 0 : check.atLeast("reward.deliveryMs", deliveryMs, 0);
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

/** Its value never stands in a message. */
function parseSecret(given: unknown): string {
  if (typeof given === "string" && given.length >= SECRET_LENGTH) return given;
  const found = typeof given === "string" ? `one of ${given.length}` : typeof given;
  throw new ConfigError("reward.secret", found, `be a text of at least ${SECRET_LENGTH} letters`);
}

function parseTimeout(given: unknown): number {
  const timeout = check.atLeast("reward.timeoutMs", given, 0);
  if (timeout === 0) throw new ConfigError("reward.timeoutMs", given, "be more than 0");
  return timeout;
}
