import { Random } from "@coterie/core";

/** How many resamples stand behind an interval. */
export const RESAMPLES = 2000;

const drawn = new Map<number, Uint32Array>();

/**
 * RESAMPLES × count indices below `count`, drawn uniformly with replacement, one resample after the other.
 *
 * They depend on `count` alone, so that a report says the same whatever else is in it and in whatever order it is made,
 * and neighbouring points of a curve move together.
 */
export function resamples(count: number): Uint32Array {
  const known = drawn.get(count);
  if (known !== undefined) return known;
  const random = Random.seeded(1).fork("bootstrap").fork(count);
  const picks = new Uint32Array(RESAMPLES * count);
  for (let i = 0; i < picks.length; i++) picks[i] = random.below(count);
  drawn.set(count, picks);
  return picks;
}
