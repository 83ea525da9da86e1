import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { Random } from "../numbers/random.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { Group, type GroupEntry } from "./group.ts";
import { Grouping } from "./grouping.ts";
import type { Residual } from "./noises.ts";
import type { Model, Population } from "./population.ts";
import type { PeerRecord, Sums } from "./record.ts";
import { readRecord, writeRecord } from "./recordState.ts";

/** How many groupings are averaged: one is surer than it should be, and more cost more than they bring. */
const GROUPINGS = 4;

/** A group that a peer may belong to, in one of the groupings, and the chance of it. */
export interface Chance {
  readonly group: Group;
  readonly chance: number;
}

/**
 * The records of a view, and several draws from the posterior of how they fall into groups. What a peer believes is the
 * average over them.
 *
 * A draw needs randomness, and a peer has none of its own: all peers use one fixed stream, and the state holds how many draws
 * were made. So the same inputs give the same groups, whatever a peer is called.
 */
export class Groupings {
  readonly entries = new Map<PeerId, GroupEntry>();
  readonly all: readonly Grouping[];
  /** Observations that a record counts for at most. */
  most = Number.POSITIVE_INFINITY;
  readonly #evidence: Evidence;
  readonly #centre: Float64Array;
  readonly #stream: Random;
  readonly #random = Random.seeded(0);
  #draws = 0;
  /** Whose turn it is in the sweep. */
  #turn = 0;

  constructor(
    readonly dimension: number,
    readonly population: Population,
  ) {
    this.all = Array.from({ length: GROUPINGS }, (_, k) => new Grouping(k, dimension, population));
    this.#evidence = new Evidence(dimension);
    this.#centre = new Float64Array(dimension);
    this.#stream = Random.seeded(0).fork("groups");
  }

  /** Takes records: in place of an older version, in the same groups; a new one is in a group of its own. */
  take(records: readonly PeerRecord[]): void {
    const renewed = new Set<Group>();
    const entries = records.map((record) => {
      const known = this.entries.get(record.origin);
      if (known === undefined) return this.#enter(record);
      known.record = record;
      for (const group of known.groups) renewed.add(group);
      return known;
    });
    this.#alone(entries, this.#residuals(records));
    for (const entry of entries) {
      if (entry.groups.length === 0) for (const grouping of this.all) grouping.add(entry);
    }
    this.#value(renewed);
  }

  /** A record that is in no group yet. */
  #enter(record: PeerRecord): GroupEntry {
    const entry: GroupEntry = { record, weight: 1, value: 0, centre: new Float64Array(this.dimension), groups: [] };
    this.entries.set(record.origin, entry);
    return entry;
  }

  /** Sums and values of groups whose members have changed. */
  #value(groups: Iterable<Group>): void {
    const several: Group[] = [];
    for (const group of groups) {
      group.sum();
      if (group.size > 1) several.push(group);
      else this.all[0]!.value(group);
    }
    this.#evidence.valueAll(several, this.population.even);
  }

  drop(origin: PeerId): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    for (const grouping of this.all) grouping.leave(entry);
    this.entries.delete(origin);
  }

  /** Draws the groups of one record anew. */
  place(origin: PeerId): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    const random = this.#next();
    for (const grouping of this.all) grouping.place(entry, random);
  }

  /** Draws the concentrations, and the groups of the next `count` records in turn; offers one group to the others. */
  sweep(count: number): void {
    const list = [...this.entries.values()];
    if (list.length === 0) return;
    const random = this.#next();
    for (const grouping of this.all) {
      grouping.drawAlpha(list.length, random);
      for (let k = 0; k < Math.min(count, list.length); k++) {
        grouping.place(list[(this.#turn + k) % list.length]!, random);
      }
      grouping.merge(grouping.list[random.below(grouping.list.length)]!);
    }
    this.#turn = (this.#turn + count) % list.length;
  }

  /** One of the groupings, in turn, tries a partition made from nothing. */
  restart(round: number): void {
    this.all[round % this.all.length]!.restart([...this.entries.values()], this.#next());
  }

  /**
   * The groups that a peer with these sums may belong to; what the chances lack of 1 is that of none. A priori a peer takes
   * itself to be at least as likely alone as among those it knows: to follow others by mistake costs more than not to
   * follow them yet.
   */
  weigh(sums: Sums, weight: number): Chance[] {
    const centre = this.#centre;
    let by: Model | null = null;
    let value = 0;
    return this.all.flatMap((grouping) => {
      const model = this.population.model(grouping.list.length);
      if (model !== by) value = this.#evidence.ofScaled(sums.slot, weight, model.prior, model.noise, centre);
      by = model;
      const none = grouping.alpha + this.entries.size;
      const { groups, chances } = grouping.weigh({ record: sums, weight, value, centre }, null, none, model);
      return groups.map((group, k) => ({ group, chance: chances[k]! / this.all.length }));
    });
  }

  /** The population has changed. How much the noise of peers differs is learnt where own rewards' kurtosis is given. */
  revalue(kurtosis: number | null = null): void {
    const { noises, even } = this.population;
    const entries = [...this.entries.values()];
    const residuals = this.#residuals(entries.map(({ record }) => record));
    if (kurtosis !== null) noises.fit(residuals, even.noise, kurtosis);
    this.#alone(entries, residuals);
    this.#value(this.all.flatMap(({ list }) => list));
  }

  #residuals(records: readonly Sums[]): Residual[] {
    const found = new Float64Array(2 * records.length);
    this.#evidence.fitAll(found, records, this.population.even.prior);
    return records.map((record, k) => this.#left(record, found[2 * k]!));
  }

  /** What a draw of θ from the population leaves unexplained. */
  residual(sums: Sums): Residual {
    this.#evidence.fit(sums.slot, this.population.even.prior);
    return this.#left(sums, this.#evidence.explained);
  }

  #left({ slot, squares, count }: Sums, explained: number): Residual {
    return { unexplained: Math.max(0, residualSquares(squares, slot, this.population.mean) - explained), count };
  }

  /** The weight of sums: σ² over the noise of their peer. */
  weight(sums: Sums, residual = this.residual(sums)): number {
    return this.population.noises.weight(residual, this.population.even.noise);
  }

  /** What records say by themselves, where so much of each is unexplained. */
  #alone(entries: readonly GroupEntry[], residuals: readonly Residual[]): void {
    for (const [k, entry] of entries.entries()) {
      const { record } = entry;
      entry.weight = this.weight(record, residuals[k]) * Math.min(1, this.most / record.count);
    }
    this.#evidence.valueRecords(entries, this.population.even);
  }

  #next(): Random {
    this.#draws += 1;
    return this.#stream.forkInto(this.#random, this.#draws);
  }

  /** The records in their order; of each grouping the members of each group, in theirs. Sums and values follow from them. */
  write(out: Writer): void {
    const entries = [...this.entries.values()];
    const places = new Map(entries.map((entry, place) => [entry, place]));
    out.f64(this.#draws);
    out.f64(this.most);
    out.u32(this.#turn);
    out.u32(entries.length);
    for (const { record } of entries) writeRecord(out, record);
    for (const { alpha, list } of this.all) {
      out.f64(alpha);
      out.u32(list.length);
      for (const { members } of list) {
        out.u32(members.length);
        for (const entry of members) out.u32(places.get(entry)!);
      }
    }
  }

  /** After the population: values depend on it. */
  read(from: Reader): void {
    this.#draws = from.f64("draws");
    this.most = from.f64("most");
    this.#turn = from.u32("turn");
    this.entries.clear();
    const entries: GroupEntry[] = [];
    for (let left = from.u32("records"); left > 0; left--) {
      const record = readRecord(from, this.dimension);
      if (record === null) continue;
      const entry: GroupEntry = { record, weight: 1, value: 0, centre: new Float64Array(this.dimension), groups: [] };
      entries.push(entry);
      this.entries.set(record.origin, entry);
    }
    for (const grouping of this.all) this.#readGrouping(from, grouping, entries);
    this.revalue();
  }

  #readGrouping(from: Reader, grouping: Grouping, entries: readonly GroupEntry[]): void {
    grouping.alpha = from.f64("alpha");
    grouping.list.length = 0;
    for (let left = from.u32("groups"); left > 0; left--) {
      const group = new Group(this.dimension);
      grouping.list.push(group);
      for (let members = from.u32("members"); members > 0; members--) {
        const entry = entries[from.u32("member")];
        if (entry === undefined) continue;
        entry.groups[grouping.index] = group;
        group.join(entry);
      }
    }
  }
}
