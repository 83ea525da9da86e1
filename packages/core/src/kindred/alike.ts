import { hashText } from "../numbers/hash.ts";
import { ln } from "../numbers/ln.ts";
import { countOf } from "./countCode.ts";
import { type Greeting, UNSAID, wantsOf } from "./greeting.ts";
import { distanceTo, type Profile } from "./profile.ts";
import type { PeerRecord } from "./record.ts";
import type { Shelf } from "./shelf.ts";

/** Records with the groups they are in, and the population they were put together under: all it takes to compare. */
export interface GroupedRecords {
  readonly shelf: Shelf;
  /** As the shelf counts them. */
  readonly groups: readonly Place[];
  readonly population: { readonly mean: Float64Array; readonly noise: number; readonly lambda: number };
}

interface Place {
  /** Its centre, from this number on. */
  readonly centre: Float64Array;
  readonly from: number;
  readonly count: number;
}

/** How well each group fits. Nothing of it is used from one call to the next: to make room for it each time takes long. */
let fits = new Float64Array(128);
/** The centre of those of whom nothing is known. */
let nowhere = new Float64Array(0);

/** Records sent at most because their origin may be like the reader. */
const MOST_ALIKE = 8;

/**
 * The records that whoever greets so does not know and whose origins are most like it, as far as one can tell: those of
 * groups that its estimate fits better than it fits a peer drawn at random. `said` is what the greeting says of each.
 */
export function alike(
  to: Greeting,
  { shelf, groups, population }: GroupedRecords,
  said = wantsOf(to, shelf),
): ReadonlySet<PeerRecord> {
  if (to.profile === null) return new Set();
  const { profile } = to;
  if (nowhere.length < population.mean.length) nowhere = new Float64Array(population.mean.length);
  const least = fit(profile, { centre: nowhere, from: 0, count: 0 }, population);
  if (fits.length < groups.length) fits = new Float64Array(2 * groups.length);
  fits.fill(Number.NaN, 0, groups.length);
  let count = 0;
  const reader = hashText(to.peer);
  for (let k = 0; k < shelf.size; k++) {
    if (!isNew(to, reader, shelf, said, k)) continue;
    const group = shelf.group[k]!;
    let value = fits[group]!;
    if (Number.isNaN(value)) {
      value = fit(profile, groups[group]!, population);
      fits[group] = value;
    }
    if (value > least) count = keepBest(count, shelf.records[k]!, value);
  }
  const found = new Set<PeerRecord>();
  for (let k = 0; k < count; k++) found.add(best[k]!);
  return found;
}

/** The best so far and how well they fit; of no meaning from one call to the next. */
const best: PeerRecord[] = [];
const bestFits = new Float64Array(MOST_ALIKE);

/** Puts one among the best `count` so far, the first of equals before the others. How many they are. */
function keepBest(count: number, record: PeerRecord, fit: number): number {
  if (count === MOST_ALIKE && !(fit > bestFits[MOST_ALIKE - 1]!)) return count;
  let at = Math.min(count, MOST_ALIKE - 1);
  for (; at > 0 && fit > bestFits[at - 1]!; at--) {
    best[at] = best[at - 1]!;
    bestFits[at] = bestFits[at - 1]!;
  }
  best[at] = record;
  bestFits[at] = fit;
  return Math.min(count + 1, MOST_ALIKE);
}

/** Whether any record of the shelf is new to whoever greets so. */
export function anyNew(to: Greeting, shelf: Shelf, said: ArrayLike<number>): boolean {
  const reader = hashText(to.peer);
  for (let k = 0; k < shelf.size; k++) if (isNew(to, reader, shelf, said, k)) return true;
  return false;
}

/** Whether whoever greets so, `reader` its hash, does not hold anything of the origin of record k of the shelf, and would keep this. */
const isNew = (to: Greeting, reader: number, shelf: Shelf, said: ArrayLike<number>, k: number): boolean =>
  said[k] === UNSAID &&
  shelf.code[k]! >= to.least &&
  (shelf.origin[k] !== reader || shelf.records[k]!.origin !== to.peer);

/** ln N(θ̂ − m; 0, v I), v the variances of both: σ²/(λ + n/d) each, as if all directions had been seen alike. */
function fit(profile: Profile, place: Place, { mean, noise, lambda }: GroupedRecords["population"]): number {
  const d = mean.length;
  const theirs = countOf(profile.evidence);
  const variance = noise / (lambda + place.count / d) + noise / (lambda + theirs / d);
  return -0.5 * (distanceTo(profile, place.centre, mean, place.from) / variance + d * ln(variance));
}
