import { exp } from "../numbers/exp.ts";
import { lnGamma } from "../numbers/gamma.ts";
import { ln } from "../numbers/ln.ts";
import type { Random } from "../numbers/random.ts";
import { Evidence } from "./evidence.ts";
import { Group, type GroupEntry, type Weighed, worthTrying } from "./group.ts";
import { draw, drawAlpha, lnPartition } from "./partition.ts";
import type { Model, Population } from "./population.ts";

/** How likely somebody belongs to each of a few groups, and to none. */
export interface Belonging {
  readonly groups: Group[];
  /** The chance of each, in the same order. */
  readonly chances: number[];
  alone: number;
}

/**
 * One partition of the records of a view into groups that share a θ, and its score,
 *
 *     ln p(partition) + Σ value(g)          (partition.ts, evidence.ts),
 *
 * the log posterior but for a constant. `place` is a step of collapsed Gibbs sampling: the weights of a record j are
 *
 *     size(g) · exp(value(g + j) − value(g))   for group g,          α · exp(value(j))   for a group of its own.
 *
 * Two short records are never much likelier together, but all of a kind may be; so one record at a time finds little where
 * all are alone. `restart` draws a whole partition from nothing, and takes it where its score is higher.
 */
export class Grouping {
  readonly list: Group[] = [];
  /** The concentration of the Chinese restaurant process. */
  alpha = 1;
  readonly #evidence: Evidence;
  readonly #belonging: Belonging = { groups: [], chances: [], alone: 1 };

  constructor(
    /** Which of the groupings: its place in `Entry.groups`. */
    readonly index: number,
    readonly dimension: number,
    readonly population: Population,
  ) {
    this.#evidence = new Evidence(dimension);
  }

  /** A record enters in a group of its own. */
  add(entry: GroupEntry): void {
    const group = new Group(this.dimension);
    this.list.push(group);
    this.#join(entry, group);
  }

  leave(entry: GroupEntry): void {
    const group = entry.groups[this.index]!;
    group.leave(entry);
    if (group.size === 0) this.list.splice(this.list.indexOf(group), 1);
    else this.value(group);
  }

  #join(entry: GroupEntry, group: Group): void {
    entry.groups[this.index] = group;
    group.join(entry);
    this.value(group);
  }

  /** The members or the population have changed. */
  value(group: Group): void {
    const [only] = group.members;
    // Of one record it is that of the record.
    if (only !== undefined && group.size === 1) {
      group.value = only.value;
      group.centre.set(only.centre);
      return;
    }
    const { prior, noise } = this.population.even;
    group.value = this.#evidence.of(group.slot, prior, noise, group.centre);
  }

  /**
   * Where sums may belong, if belonging to none has the weight `none`; for a record in the group `home`, as if it were in no
   * group. Under the model that groups are made by, or another one. Lent until the next call.
   */
  weigh(sums: Weighed, home: Group | null = null, none = this.alpha, model: Model = this.population.even): Belonging {
    const { value } = sums;
    const found = this.#belonging;
    const { chances } = found;
    worthTrying(found.groups, this.list, sums.centre, home);
    if (home !== null && home.size > 1) found.groups.push(home);
    // Sums that are not positive semidefinite (value −∞) belong to nobody.
    if (value === -Infinity) found.groups.length = 0;
    chances.length = 0;
    found.alone = found.groups.length === 0 ? 0 : ln(none) + value;
    let top = found.alone;
    this.#evidence.ofSums(chances, found.groups, sums.record.slot, sums.weight, model, home);
    for (let k = 0; k < chances.length; k++) {
      const group = found.groups[k]!;
      const log = this.#weight(chances[k]!, group, group === home, model);
      chances[k] = log;
      if (log > top) top = log;
    }
    found.alone = exp(found.alone - top);
    let total = found.alone;
    for (let k = 0; k < chances.length; k++) total += chances[k] = exp(chances[k]! - top);
    found.alone /= total;
    for (let k = 0; k < chances.length; k++) chances[k]! /= total;
    return found;
  }

  /**
   * ln of size(g) · exp(value(g + j) − value(g)), where j is not in the group, or it is (`counted`) and g are the others;
   * `other` is the value of the group with j, or without it.
   */
  #weight(other: number, group: Group, counted: boolean, model: Model): number {
    // Groups know their value under the model that they are made by, and remember that under the other one.
    const value = model === this.population.even ? group.value : this.#apart(group, model);
    if ((counted ? other : value) === -Infinity) return -Infinity;
    return counted ? ln(group.size - 1) + value - other : ln(group.size) + other - value;
  }

  #apart(group: Group, { prior, noise }: Model): number {
    if (Number.isNaN(group.apart)) group.apart = this.#evidence.of(group.slot, prior, noise);
    return group.apart;
  }

  /** Draws the group of one record, given those of all others. */
  place(entry: GroupEntry, random: Random): void {
    const home = entry.groups[this.index]!;
    const group = pick(this.weigh(entry, home), random);
    if (group === home || (group === undefined && home.size === 1)) return;
    this.leave(entry);
    if (group === undefined) this.add(entry);
    else this.#join(entry, group);
  }

  /**
   * Joins a group of k records to the group of m with which the score gains most, where it gains more than (k + m − 2) ln 2: a
   * split at random would have to find the same two groups again (Jain and Neal). Pieces of a kind do not join one by one.
   */
  merge(group: Group): void {
    const { groups } = this.#belonging;
    worthTrying(groups, this.list, group.centre, group);
    let best = 0;
    let target: Group | null = null;
    const values = this.#belonging.chances;
    this.#evidence.ofSums(values, groups, group.slot, 1, this.population.even);
    for (let k = 0; k < groups.length; k++) {
      const other = groups[k]!;
      const together = values[k]! - group.value - other.value;
      const both = group.size + other.size;
      const ways = lnGamma(both) - lnGamma(group.size) - lnGamma(other.size) - ln(this.alpha);
      const gain = together + ways - (both - 2) * Math.LN2;
      // Not `<=`: the gain is no number where neither sum is positive semidefinite.
      if (!(gain > best) || gain === Infinity) continue;
      best = gain;
      target = other;
    }
    if (target === null) return;
    this.list.splice(this.list.indexOf(group), 1);
    for (const entry of group.members) {
      entry.groups[this.index] = target;
      target.join(entry);
    }
    this.value(target);
  }

  /** Draws α, given the groups of `records` records. */
  drawAlpha(records: number, random: Random): void {
    this.alpha = drawAlpha(this.list.length, records, random);
  }

  score(records: number): number {
    const sizes = this.list.map(({ size }) => size);
    return this.list.reduce((sum, { value }) => sum + Math.max(value, -1e9), lnPartition(sizes, records));
  }

  /** Another partition, drawn from nothing with α = 1: the longest record first, each given those before it. */
  restart(entries: readonly GroupEntry[], random: Random): void {
    const before = entries.map((entry) => entry.groups[this.index]!);
    const other = new Grouping(this.index, this.dimension, this.population);
    for (const entry of [...entries].sort((a, b) => b.record.count - a.record.count)) {
      const group = pick(other.weigh(entry), random);
      if (group === undefined) other.add(entry);
      else other.#join(entry, group);
    }
    if (other.score(entries.length) > this.score(entries.length)) this.list.splice(0, Infinity, ...other.list);
    else for (const [k, entry] of entries.entries()) entry.groups[this.index] = before[k]!;
  }
}

/** A group drawn by its chance; none is undefined. */
function pick({ groups, chances, alone }: Belonging, random: Random): Group | undefined {
  chances.push(alone);
  const drawn = draw(chances, random);
  chances.pop();
  return groups[drawn];
}
