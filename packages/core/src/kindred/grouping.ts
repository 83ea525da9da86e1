import { lnGamma } from "../numbers/gamma.ts";
import { ln } from "../numbers/ln.ts";
import type { Random } from "../numbers/random.ts";
import type { Work } from "../work.ts";
import type { EntryColumns } from "./entryColumns.ts";
import { Evidence } from "./evidence.ts";
import { Group, type GroupEntry, type Weighed } from "./group.ts";
import { FEW, GroupList } from "./groupList.ts";
import { draw, drawAlpha, lnPartition, weightOf } from "./partition.ts";
import type { Model, Population } from "./population.ts";

/** How likely somebody belongs to each of a few groups, and to none. The first `count` of each list are of meaning. */
export interface Belonging {
  count: number;
  readonly groups: Group[];
  /** The chance of each, in the same order; behind them that of none. */
  readonly chances: Float64Array;
  /** The value of each with the sums in it; of their home without them. */
  readonly values: Float64Array;
}

/** So many groups are all tried for whoever can tell them apart. */
const MANY = 64;

/** What was found last, whoever asked. */
const belonging: Belonging = {
  count: 0,
  groups: [],
  chances: new Float64Array(MANY + 1),
  values: new Float64Array(MANY),
};

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
 * all are alone. `restarting` draws a whole partition from nothing, and takes it where its score is higher.
 */
export class Grouping {
  #groups: GroupList;
  /** The concentration of the Chinese restaurant process. */
  alpha = 1;
  readonly #evidence: Evidence;
  /** Where a partition is drawn from nothing. */
  #draft: GroupList;

  constructor(
    /** Which of the groupings: its place in `Entry.groups`. */
    readonly index: number,
    columns: EntryColumns,
    readonly population: Population,
  ) {
    this.#evidence = new Evidence(columns.dimension);
    this.#groups = new GroupList(columns);
    this.#draft = new GroupList(columns);
  }

  get list(): readonly Group[] {
    return this.#groups.groups;
  }

  /** A group that was made elsewhere. */
  push(group: Group): void {
    this.#groups.push(group);
  }

  clear(): void {
    this.#groups.clear();
  }

  /** Groups are summed up that had other members. */
  summed(groups: readonly Group[]): void {
    if (groups.length > 0) this.#groups.tellAll();
  }

  /** The groups worth trying for one with this centre (`GroupList`). */
  worthTrying(out: Group[], centre: Float64Array, from: number, but: Group | null, look = 0): number {
    return this.#groups.worthTrying(out, centre, from, but, look);
  }

  /** A record enters in a group of its own. */
  add(entry: GroupEntry): void {
    const group = new Group();
    entry.groups[this.index] = group;
    group.join(entry);
    this.#groups.push(group);
    if (this.list.length === FEW + 1) this.centre();
  }

  /** Whoever is left in the group is still to be summed up and valued. Whether anybody is. */
  remove(entry: GroupEntry): boolean {
    const group = entry.groups[this.index]!;
    group.remove(entry);
    if (group.size === 0) this.#groups.remove(group);
    else this.#groups.tell(group);
    return group.size > 0;
  }

  /** The same of one of many that go: groups without members stay in the list until `closeUp`. */
  drop(entry: GroupEntry): boolean {
    const group = entry.groups[this.index]!;
    group.remove(entry);
    return group.size > 0;
  }

  closeUp(): void {
    this.#groups.closeUp();
  }

  leave(entry: GroupEntry): void {
    if (!this.remove(entry)) return;
    const group = entry.groups[this.index]!;
    group.sum();
    this.#groups.tell(group);
    this.value(group);
  }

  /** A record enters a group; value and centre are those of the group with it. */
  join(entry: GroupEntry, group: Group, value: number, centre: Float64Array): void {
    entry.groups[this.index] = group;
    group.join(entry);
    this.#groups.tell(group);
    group.take(value, centre);
  }

  /** `value` is that of the group with the record, which `weigh` has found. */
  #join(entry: GroupEntry, group: Group, value: number): void {
    entry.groups[this.index] = group;
    group.join(entry);
    this.#groups.tell(group);
    group.value = value;
    group.centred = false;
    // Where groups are few all of them are tried, wherever they lie.
    if (this.list.length > FEW) this.value(group);
  }

  /** The members or the population have changed. */
  value(group: Group): void {
    const { only } = group;
    // Of one record it is that of the record.
    if (only?.valued) return;
    this.#evidence.value(group, this.population.even);
    if (only !== null) only.valued = true;
  }

  /** Finds the centres that are not known. */
  centre(): void {
    for (const group of this.#groups.uncentred()) this.value(group);
  }

  /**
   * Where sums may belong, if belonging to none has the weight `none`; for a record in the group `home`, as if it were in no
   * group. Under the model that groups are made by, or another one; `look` as `GroupList` has it. `thorough`: up to `MANY` groups are all
   * tried. Lent until the next call.
   */
  weigh(
    sums: Weighed,
    home: Group | null = null,
    none = this.alpha,
    model: Model = this.population.even,
    look = 0,
    thorough = false,
  ): Belonging {
    const { value } = sums;
    const found = belonging;
    const { groups, chances, values } = found;
    let count = 0;
    if (thorough && this.list.length <= MANY) for (const group of this.list) groups[count++] = group;
    else count = this.worthTrying(groups, sums.centre, sums.from, home, look);
    if (home !== null && home.size > 1) groups[count++] = home;
    // Sums that are not positive semidefinite (value −∞) belong to nobody.
    if (value === -Infinity) count = 0;
    found.count = count;
    const alone = count === 0 ? 0 : ln(none) + value;
    let top = alone;
    this.#evidence.ofSums(values, groups, count, sums.record.slot, sums.weight, model, home);
    // Groups know their value under the model that they are made by, and remember that under the other one.
    const even = model === this.population.even;
    for (let k = 0; k < count; k++) {
      const group = groups[k]!;
      const other = values[k]!;
      const known = even ? group.value : this.#apart(group, model);
      let log = -Infinity;
      // Of its home it is the value without it that was found.
      if (group === home) {
        if (other !== -Infinity) log = ln(group.size - 1) + known - other;
      } else if (known !== -Infinity) log = ln(group.size) + other - known;
      chances[k] = log;
      if (log > top) top = log;
    }
    chances[count] = weightOf(alone - top);
    let total = chances[count]!;
    for (let k = 0; k < count; k++) total += chances[k] = weightOf(chances[k]! - top);
    for (let k = 0; k <= count; k++) chances[k]! /= total;
    return found;
  }

  #apart(group: Group, { prior, noise }: Model): number {
    if (Number.isNaN(group.apart)) group.apart = this.#evidence.of(group.slot, prior, noise);
    return group.apart;
  }

  /** Draws the group of one record, given those of all others. Its own value is known. */
  place(entry: GroupEntry, random: Random, look = 0): void {
    const home = entry.groups[this.index]!;
    const found = this.weigh(entry, home, this.alpha, this.population.even, look);
    const drawn = draw(found.chances, random, found.count + 1);
    const group = drawn < found.count ? found.groups[drawn]! : null;
    if (group === home || (group === null && home.size === 1)) return;
    this.leave(entry);
    if (group === null) this.add(entry);
    else this.#join(entry, group, found.values[drawn]!);
  }

  /**
   * Joins a group of k records to the group of m with which the score gains most, where it gains more than (k + m − 2) ln 2: a
   * split at random would have to find the same two groups again (Jain and Neal). Pieces of a kind do not join one by one.
   */
  merge(group: Group): void {
    const { groups, values } = belonging;
    if (!group.centred) this.value(group);
    const count = this.worthTrying(groups, group.centre, group.from, group);
    let best = 0;
    let target: Group | null = null;
    this.#evidence.ofSums(values, groups, count, group.slot, 1, this.population.even);
    for (let k = 0; k < count; k++) {
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
    this.#groups.remove(group);
    for (const entry of group.members) {
      entry.groups[this.index] = target;
      target.join(entry);
    }
    group.end();
    this.#groups.tell(target);
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

  /**
   * Another partition, drawn from nothing with α = 1: the longest record first, each given those before it. The value of each
   * alone is known.
   */
  *restarting(entries: readonly GroupEntry[], random: Random): Work {
    const before = entries.map((entry) => entry.groups[this.index]!);
    const [kept, drawn] = [this.#groups, this.#draft];
    const score = this.score(entries.length);
    drawn.clear();
    this.#groups = drawn;
    for (const entry of [...entries].sort((a, b) => b.record.count - a.record.count)) {
      this.#draw(entry, random);
      yield;
    }
    const better = this.score(entries.length) > score;
    if (better) this.#draft = kept;
    else {
      this.#groups = kept;
      for (let k = 0; k < entries.length; k++) entries[k]!.groups[this.index] = before[k]!;
    }
    for (const group of this.#draft.groups) group.end();
    this.#draft.clear();
  }

  /** Draws the group of a record that is in none, with α = 1. */
  #draw(entry: GroupEntry, random: Random): void {
    const found = this.weigh(entry, null, 1);
    const drawn = draw(found.chances, random, found.count + 1);
    if (drawn === found.count) this.add(entry);
    else this.#join(entry, found.groups[drawn]!, found.values[drawn]!);
  }
}
