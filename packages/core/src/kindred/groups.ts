import type { PeerId } from "../gossip/neighbourhood.ts";
import { exp } from "../numbers/exp.ts";
import { ln } from "../numbers/ln.ts";
import { Evidence } from "./evidence.ts";
import { Group, worthTrying } from "./group.ts";
import type { Population } from "./population.ts";
import type { Record, Sums } from "./record.ts";

/** A record and the group it is in. */
export interface Entry {
  record: Record;
  group: Group | null;
}

/** How likely somebody belongs to each of a few groups, and to none. */
export interface Belonging {
  readonly groups: Group[];
  /** Chance of each, in the same order. */
  readonly chances: number[];
  alone: number;
  aloneValue: number;
}

/** The likeliest of the groups, where it is likelier to belong to one of them than to none. */
function likeliest({ groups, chances, alone }: Belonging): Group | undefined {
  if (!(alone < 0.5)) return undefined;
  let best = 0;
  for (let k = 1; k < chances.length; k++) if (chances[k]! > chances[best]!) best = k;
  return groups[best];
}

/**
 * By how much groups made afresh must explain the records better (in units of ln), for each feature: so much for each record
 * and so much for each group. Peers that are merely similar gain little for each record, or fall into many groups.
 */
const BETTER = 1 / 16;
const BETTER_A_GROUP = 2;
/** They are given up where there are more of them than this and a quarter of the records put so far: many never pay. */
const MANY = 12;

/** ln Γ(a + b) / (Γ(a) Γ(b)): what a group of a + b weighs in the restaurant, over two of a and b. */
function lnWays(a: number, b: number): number {
  let sum = ln(Math.max(a, b));
  for (let k = 1; k < Math.min(a, b); k++) sum += ln((Math.max(a, b) + k) / k);
  return sum;
}

/**
 * The records of a view, put into groups that share a θ: a mixture whose number of parts is not given (a Chinese
 * restaurant with K + 1 for its parameter, K the groups so far). The weights of a record j are
 *
 *     size(g) · exp(value(g + j) − value(g))   for group g,          (K + 1) · exp(value(j))   for none;
 *
 * where the groups together have more than half of the weight it joins the one with most, else it stays alone. (Not only
 * where one group has half: as long as a kind is in pieces they share what it weighs.) One sweep over all records costs
 * too much for a round, so a few are put anew each round, in turn, and a few groups are offered to the others. From a state
 * in which all are alone that finds nothing while records are short, so now and then groups are made afresh.
 */
export class Groups {
  readonly list: Group[] = [];
  readonly entries = new Map<PeerId, Entry>();
  readonly #evidence: Evidence;
  readonly #centre: Float64Array;
  readonly #belonging: Belonging = { groups: [], chances: [], alone: 1, aloneValue: 0 };
  /** Whose turn it is in the sweep. */
  order: PeerId[] = [];
  turn = 0;

  constructor(
    readonly dimension: number,
    readonly population: Population,
  ) {
    this.#evidence = new Evidence(dimension);
    this.#centre = new Float64Array(dimension);
  }

  /** Takes a record: in place of an older version, in the same group; a new one is alone until its turn in the sweep. */
  take(record: Record): void {
    const known = this.entries.get(record.origin);
    const group = known?.group ?? this.#open();
    if (known !== undefined) group.add(known.record, -1);
    group.add(record, 1);
    group.value = this.#value(group.slot, group.centre);
    this.entries.set(record.origin, { record, group });
  }

  drop(origin: PeerId): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    this.#leave(entry);
    this.entries.delete(origin);
  }

  /**
   * Where `sums` may belong, if belonging nowhere has the weight `none`; for a record that is in the group `home`, as if it
   * were in none: cheaper than to take it out and put it back. Lent until the next call.
   */
  weigh(sums: Sums, none = this.list.length + 1, home: Group | null = null): Belonging {
    const found = this.#belonging;
    found.aloneValue = this.#value(sums.slot, this.#centre);
    worthTrying(found.groups, this.list, this.#centre, home);
    if (home !== null && home.size > 1) found.groups.push(home);
    found.chances.length = 0;
    // Sums that nobody can have seen (−∞) belong to nobody, and nobody belongs to them.
    if (found.aloneValue === -Infinity) found.groups.length = 0;
    found.alone = found.groups.length === 0 ? 0 : ln(none) + found.aloneValue;
    let top = found.alone;
    for (const group of found.groups) {
      const weight = this.#weight(sums, group, group === home);
      found.chances.push(weight);
      if (weight > top) top = weight;
    }
    found.alone = exp(found.alone - top);
    let total = found.alone;
    const { chances } = found;
    for (let k = 0; k < chances.length; k++) total += chances[k] = exp(chances[k]! - top);
    found.alone /= total;
    for (let k = 0; k < chances.length; k++) chances[k]! /= total;
    return found;
  }

  /** ln of size(g) · exp(value(g + j) − value(g)), where j is not counted in the group, or it is and g are the others. */
  #weight({ slot }: Sums, group: Group, counted: boolean): number {
    const other = this.#together(group.slot, slot, counted ? -1 : 1);
    const without = counted ? other : group.value;
    if (without === -Infinity) return without;
    return counted ? ln(group.size - 1) + group.value - other : ln(group.size) + other - without;
  }

  /** Puts one record anew, where belonging to none has the weight `none`: K + 1 unless it is given. */
  put(origin: PeerId, none?: number): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    const { record, group: home } = entry;
    const only = home?.size === 1;
    const found = this.weigh(record, none ?? this.list.length + (only ? 0 : 1), home);
    const joined = likeliest(found);
    if (only ? joined === undefined : joined === home) return;
    this.#leave(entry);
    const group = joined ?? this.#open();
    if (joined === undefined) group.centre.set(this.#centre);
    group.add(record, 1);
    group.value = joined === undefined ? found.aloneValue : this.#value(group.slot, group.centre);
    entry.group = group;
  }

  /** Puts the next `count` records anew, in turn. */
  sweep(count: number): void {
    for (let k = 0; k < Math.min(count, this.entries.size); k++) {
      if (this.turn >= this.order.length) {
        this.order = [...this.entries.keys()];
        this.turn = 0;
      }
      this.put(this.order[this.turn]!);
      this.turn += 1;
    }
  }

  /** Joins group `index` to the one it fits best, if one θ explains both better than two. */
  merge(index: number): void {
    const group = this.list[index]!;
    const { groups } = this.#belonging;
    worthTrying(groups, this.list, group.centre, group);
    let best = 0;
    let target: Group | null = null;
    for (const other of groups) {
      const together = this.#together(group.slot, other.slot) - group.value - other.value;
      const gain = lnWays(group.size, other.size) - ln(this.list.length + 1) + together;
      // Not `<=`: the gain is no number where both are sums that nobody can have seen.
      if (!(gain > best) || gain === Infinity) continue;
      best = gain;
      target = other;
    }
    if (target === null) return;
    for (const entry of this.entries.values()) {
      if (entry.group !== group) continue;
      entry.group = target;
      target.add(entry.record, 1);
    }
    this.list.splice(index, 1);
    target.value = this.#value(target.slot, target.centre);
  }

  /**
   * Makes groups from nothing, and boldly: the longest record first, each where it fits those before it, with the weight 1
   * for none. Two short records are never much likelier together, but all of a kind may be. These groups take the place of
   * the others where Σ value(g) is larger by far.
   */
  afresh(): void {
    const bold = new Groups(this.dimension, this.population);
    for (const { record } of [...this.entries.values()].sort((a, b) => b.record.count - a.record.count)) {
      bold.entries.set(record.origin, { record, group: null });
      bold.put(record.origin, 1);
      if (bold.list.length > MANY + bold.entries.size / 4) return;
    }
    const margin = this.dimension * (BETTER * this.entries.size + BETTER_A_GROUP * bold.list.length);
    if (!(bold.#worth() > this.#worth() + margin)) return;
    this.list.splice(0, Infinity, ...bold.list);
    for (const [origin, entry] of this.entries) entry.group = bold.entries.get(origin)!.group;
  }

  /** Σ value(g): ln of how well they explain all records, but for what cancels. Sums that nobody can have seen do. */
  #worth(): number {
    return this.list.reduce((sum, { value }) => sum + Math.max(value, -1e9), 0);
  }

  /** The population has changed: all values anew; sums too, so that rounding does not gather. */
  revalue(): void {
    for (const group of this.list) group.clear();
    for (const { group, record } of this.entries.values()) group?.add(record, 1);
    for (const group of this.list) group.value = this.#value(group.slot, group.centre);
  }

  #value(slot: Float64Array, centre: Float64Array): number {
    const { prior, noise } = this.population;
    const value = this.#evidence.of(slot, prior, noise);
    this.#evidence.centre(centre);
    return value;
  }

  #together(slot: Float64Array, other: Float64Array, sign: 1 | -1 = 1): number {
    const { prior, noise } = this.population;
    return this.#evidence.ofSum(slot, other, prior, noise, sign);
  }

  #open(): Group {
    const group = new Group(this.dimension);
    this.list.push(group);
    return group;
  }

  #leave(entry: Entry): void {
    const { group, record } = entry;
    if (group === null) return;
    entry.group = null;
    group.add(record, -1);
    if (group.size === 0) this.list.splice(this.list.indexOf(group), 1);
    else group.value = this.#value(group.slot, group.centre);
  }
}
