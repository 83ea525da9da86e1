import { Random } from "@coterie/core";

/** Two clusters of simulated users: what they like is opposite, and they do not always know it themselves. */
export const DIMENSION = 8;
const ARMS = 10;
const NOISE = 0.4;
/** Noise beyond it is cut off, so that every reward is within the range that peers are told. */
export const RANGE = [-2, 2] as const;

/** What a user is shown on one occasion, and what each item would pay. */
export interface Occasion {
  readonly items: readonly (readonly number[])[];
  readonly rewards: readonly number[];
}

export const clusterOf = (user: number): number => user % 2;

/** The same for the same seed, user and occasion, whoever chooses. */
export function occasion(seed: number, user: number, index: number): Occasion {
  const world = Random.seeded(seed);
  const taste = unit(world.fork("taste")).map((value) => (clusterOf(user) === 0 ? value : -value));
  const draws = world.fork("occasion").fork(user).fork(index);
  const items = Array.from({ length: ARMS }, () => unit(draws));
  const rewards = items.map((item) => {
    const mean = item.reduce((sum, value, k) => sum + value * (taste[k] ?? 0), 0);
    return Math.min(RANGE[1], Math.max(RANGE[0], mean + NOISE * draws.normal()));
  });
  return { items, rewards };
}

function unit(random: Random): number[] {
  const values = Array.from({ length: DIMENSION }, () => random.normal());
  // A hair shorter than 1, so that rounding makes no vector too long.
  const length = Math.hypot(...values) * (1 + 1e-12);
  return values.map((value) => value / length);
}
