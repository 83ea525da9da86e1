import { atLeast } from "../options.ts";

/**
 * How far one exchange may move a slot. The slots of two honest peers grow alike while they are mixed: their difference
 * halves in square each round, so that after `age` rounds it is about 2^(-age/2) of what it was. A liar never moves, so
 * its difference stays; clipped to c · 2^(-age/2) it counts for less the older the slot is. Both sides clip the same
 * difference, so honest mass is conserved.
 */
export const parseClip = (field: string, value: unknown): number => atLeast(field, value, 0);

/** The part of the way to the mean that may be gone: min(1, c · 2^(-age/2) / ‖theirs − mine‖). */
export function shareOf(
  clip: number,
  age: number,
  mine: Float64Array,
  at: number,
  theirs: Float64Array,
  from: number,
  size: number,
): number {
  let square = 0;
  for (let k = 0; k < size; k++) {
    const difference = theirs[from + k]! - mine[at + k]!;
    square += difference * difference;
  }
  let bound = age % 2 === 0 ? clip : clip * Math.SQRT1_2;
  for (let k = age >> 1; k > 0; k--) bound *= 0.5;
  return square <= bound * bound ? 1 : bound / Math.sqrt(square);
}

/** out = out + ½ share (other − out): between the two, so still the sums of observations. */
export function lean(
  out: Float64Array,
  at: number,
  other: Float64Array,
  from: number,
  size: number,
  share: number,
): void {
  for (let k = 0; k < size; k++) out[at + k]! += 0.5 * share * (other[from + k]! - out[at + k]!);
}
