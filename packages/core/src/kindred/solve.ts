import { RECENT } from "./drift.ts";
import type { Group } from "./group.ts";
import type { Chance, Groupings } from "./groupings.ts";
import type { Guard } from "./guard.ts";
import type { OwnSums } from "./own.ts";
import type { Population } from "./population.ts";
import type { Posterior } from "./posterior.ts";

/** A part of the posterior with less than this chance is left out. */
const LEAST_CHANCE = 0.01;

/** What the posterior of a peer's θ is made of. */
interface Sources {
  readonly own: OwnSums;
  readonly population: Population;
  /** Null where records are not put into groups. */
  readonly groups: Groupings | null;
  /** Null where others are believed without a guard. */
  readonly guard: Guard | null;
  /** What an own observation counts for. */
  readonly weight: number;
  /** Whether tastes drift: then θ is estimated from recent observations. */
  readonly drifts: boolean;
}

export interface Solved {
  /** Observations that the posterior rests on: own ones, and those of groups by the chance of being in them. */
  readonly evidence: number;
  /** The chance that others' records are of no use to me. */
  readonly aside: number;
  /** The chance of being in each group. */
  readonly chances: ReadonlyMap<Group, number>;
}

/** Fills the posterior of my θ: the groups I may belong to, a new draw from the population, and what I would believe alone. */
export function solve(posterior: Posterior, { own, population, groups, guard, weight, drifts }: Sources): Solved {
  const { prior, noise } = population;
  const { slot, count } = drifts ? own.since(RECENT) : own;
  const doubt = guard?.weigh(own, population) ?? 0;
  const chances = new Map<Group, number>();
  let evidence = own.count;
  let seen = weight * count;
  posterior.clear();
  const found = groups?.weigh(own, weight) ?? [];
  const alone = Math.max(
    0,
    found.reduce((left, { chance }) => left - chance, 1),
  );
  // The weight of believing nobody is measured against that of being alone in the population.
  const total = 1 + doubt * alone;
  for (const same of sameGroups(found)) {
    const chance = same.reduce((sum, each) => sum + each.chance, 0) / total;
    if (chance < LEAST_CHANCE) continue;
    const { group, together } = same[0]!;
    evidence += chance * group.count;
    const theirs = drifts ? groups!.recent(group) : group;
    seen += chance * theirs.weighted;
    const spread = groups!.spread;
    const alike = 1 - spread.chance;
    // Values are of all that was seen; of what is recent they are still to be found.
    const known = drifts ? null : together;
    const differs = spread.odds(slot, weight, theirs, known, population);
    const share = differs / (alike + differs);
    if (share < 1 - LEAST_CHANCE) posterior.add(chance * alike, slot, theirs.slot, prior, noise, weight);
    if (share >= LEAST_CHANCE) posterior.add(chance * differs, slot, null, spread.prior, noise, weight);
    for (const each of same) chances.set(each.group, each.chance / total);
  }
  if (alone / total >= LEAST_CHANCE) posterior.add(alone / total, slot, null, prior, noise, weight);
  const aside = (doubt * alone) / total;
  if (guard !== null && aside >= LEAST_CHANCE) posterior.add(aside, slot, null, guard.prior, guard.noise);
  posterior.finish(seen);
  return { evidence, aside, chances };
}

/** Groups of the same records in several groupings are one to a posterior. */
function sameGroups(found: readonly Chance[]): Iterable<Chance[]> {
  const byKey = new Map<number, Chance[]>();
  for (const each of found) {
    const same = byKey.get(each.group.key);
    if (same === undefined) byKey.set(each.group.key, [each]);
    else same.push(each);
  }
  return byKey.values();
}
