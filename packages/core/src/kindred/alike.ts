import { ln } from "../numbers/ln.ts";
import { countOf } from "./countCode.ts";
import { type Greeting, UNSAID, wantsOf } from "./greeting.ts";
import { distanceTo, type Profile } from "./profile.ts";
import type { PeerRecord } from "./record.ts";
import type { Shelf } from "./shelf.ts";

/** Records with the groups they are in, of which the first counts, and the population they were put together under: all it takes to compare. */
export interface GroupedRecords {
  readonly shelf: Shelf;
  /** In the order of the shelf. */
  readonly entries: readonly { readonly groups: readonly Place[] }[];
  readonly population: { readonly mean: Float64Array; readonly noise: number; readonly lambda: number };
}

interface Place {
  readonly centre: Float64Array;
  readonly count: number;
}

/** Records sent at most because their origin may be like the reader. */
const MOST_ALIKE = 8;

/**
 * The records that whoever greets so does not know and whose origins are most like it, as far as one can tell: those of
 * groups that its estimate fits better than it fits a peer drawn at random. `said` is what the greeting says of each.
 */
export function alike(
  to: Greeting,
  { shelf, entries, population }: GroupedRecords,
  said = wantsOf(to, shelf),
): ReadonlySet<PeerRecord> {
  if (to.profile === null) return new Set();
  const { profile } = to;
  const none = new Float64Array(population.mean.length);
  const least = fit(profile, { centre: none, count: 0 }, population);
  const fits = new Map<Place, number>();
  const found: { readonly record: PeerRecord; readonly fit: number }[] = [];
  for (let k = 0; k < shelf.size; k++) {
    if (!isNew(to, shelf, said, k)) continue;
    const group = entries[k]!.groups[0]!;
    let value = fits.get(group);
    if (value === undefined) {
      value = fit(profile, group, population);
      fits.set(group, value);
    }
    if (value > least) found.push({ record: shelf.records[k]!, fit: value });
  }
  found.sort((a, b) => b.fit - a.fit);
  return new Set(found.slice(0, MOST_ALIKE).map(({ record }) => record));
}

/** Whether whoever greets so does not hold anything of the origin of record k of the shelf, and would keep this. */
export const isNew = (to: Greeting, shelf: Shelf, said: ArrayLike<number>, k: number): boolean =>
  said[k] === UNSAID && shelf.code[k]! >= to.least && shelf.records[k]!.origin !== to.peer;

/** ln N(θ̂ − m; 0, v I), v the variances of both: σ²/(λ + n/d) each, as if all directions had been seen alike. */
function fit(profile: Profile, place: Place, { mean, noise, lambda }: GroupedRecords["population"]): number {
  const d = mean.length;
  const theirs = countOf(profile.evidence);
  const variance = noise / (lambda + place.count / d) + noise / (lambda + theirs / d);
  return -0.5 * (distanceTo(profile, place.centre, mean) / variance + d * ln(variance));
}
