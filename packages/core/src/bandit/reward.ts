import { ConfigError } from "../errors.ts";

/**
 * The largest reward, either way. Nobody pays so much; but sums of squares of anything far larger would leave the range
 * of a number, and a peer with an infinite sum is lost.
 */
export const MOST_REWARD = 1e100;

export function checkReward(field: string, value: unknown): number {
  if (typeof value !== "number" || !(Math.abs(value) <= MOST_REWARD)) {
    throw new ConfigError(field, value, `be a finite number of at most ${MOST_REWARD} either way`);
  }
  return value;
}
