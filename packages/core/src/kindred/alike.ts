import { ln } from "../numbers/ln.ts";
import { countCode, countOf, type Greeting, wantOf } from "./greeting.ts";
import { distanceTo, type Profile } from "./profile.ts";
import type { PeerRecord } from "./record.ts";

/** Records with the groups they are in, of which the first counts, and the population they were put together under: all it takes to compare. */
export interface GroupedRecords {
  readonly entries: Iterable<{ readonly record: PeerRecord; readonly groups: readonly Place[] }>;
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
 * groups that its estimate fits better than it fits a peer drawn at random.
 */
export function alike(to: Greeting, { entries, population }: GroupedRecords): ReadonlySet<PeerRecord> {
  if (to.profile === null) return new Set();
  const { profile } = to;
  const none = new Float64Array(population.mean.length);
  const least = fit(profile, { centre: none, count: 0 }, population);
  const fits = new Map<Place, number>();
  const found: { readonly record: PeerRecord; readonly fit: number }[] = [];
  for (const { record, groups } of entries) {
    const [group] = groups;
    if (group === undefined || !isNew(record, to)) continue;
    let value = fits.get(group);
    if (value === undefined) {
      value = fit(profile, group, population);
      fits.set(group, value);
    }
    if (value > least) found.push({ record, fit: value });
  }
  found.sort((a, b) => b.fit - a.fit);
  return new Set(found.slice(0, MOST_ALIKE).map(({ record }) => record));
}

/** Whether whoever greets so does not hold anything of the record's origin, and would keep this. */
export const isNew = (record: PeerRecord, to: Greeting): boolean =>
  record.origin !== to.peer && countCode(record.count) >= to.least && wantOf(to, record) === undefined;

/** ln N(θ̂ − m; 0, v I), v the variances of both: σ²/(λ + n/d) each, as if all directions had been seen alike. */
function fit(profile: Profile, place: Place, { mean, noise, lambda }: GroupedRecords["population"]): number {
  const d = mean.length;
  const theirs = countOf(profile.evidence);
  const variance = noise / (lambda + place.count / d) + noise / (lambda + theirs / d);
  return -0.5 * (distanceTo(profile, place.centre, mean) / variance + d * ln(variance));
}
