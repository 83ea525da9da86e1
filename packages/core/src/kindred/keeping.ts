import type { Shelf } from "./shelf.ts";

/** Which records a full view keeps: long ones (a `countCode` of `least` or more), then kin, then by rank. */

/** More than there are places in any view; with a rank of 32 bits before it a place is still a whole number. */
const PLACES = 1 << 20;
/** Ranks with places, while they are sorted. */
let keys = new Float64Array(256);

export const isLong = ({ code }: Shelf, least: number, k: number): boolean => code[k]! >= least;

/** Which of two records is to be kept sooner, before 0 the first. */
export function compare(shelf: Shelf, least: number, a: number, b: number): number {
  const long = Number(isLong(shelf, least, b)) - Number(isLong(shelf, least, a));
  return long || shelf.chance[b]! - shelf.chance[a]! || shelf.rank[a]! - shelf.rank[b]!;
}

/** Places of all records, those to be kept soonest first; of equals the first. */
export function soonestFirst(shelf: Shelf, least: number): number[] {
  const { size, chance, rank } = shelf;
  if (keys.length < size) keys = new Float64Array(2 * size);
  const ordered: number[] = [];
  for (const long of [true, false]) {
    const kin: number[] = [];
    let strangers = 0;
    for (let k = 0; k < size; k++) {
      if (isLong(shelf, least, k) !== long) continue;
      if (chance[k]! > 0) kin.push(k);
      // By rank, those of one rank by their places: as one number, which a list of numbers is sorted by ten times as fast.
      else keys[strangers++] = rank[k]! * PLACES + k;
    }
    ordered.push(...kin.sort((a, b) => compare(shelf, least, a, b)));
    keys.subarray(0, strangers).sort();
    for (let k = 0; k < strangers; k++) ordered.push(keys[k]! % PLACES);
  }
  return ordered;
}
