import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { meanDiagonal, slotSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { allOf, type Work } from "../work.ts";
import { Drift, Past } from "./drift.ts";
import { EntryColumns } from "./entryColumns.ts";
import { Evidence, residualSquares } from "./evidence.ts";
import { GROUPINGS, Group, GroupEntry } from "./group.ts";
import { Grouping } from "./grouping.ts";
import { nextLook } from "./groupList.ts";
import { GroupSpread } from "./groupSpread.ts";
import { Metropolis } from "./metropolis.ts";
import type { Residual } from "./noises.ts";
import type { Model, Population } from "./population.ts";
import type { PeerRecord, Sums } from "./record.ts";
import { readRecord, writeRecord } from "./recordState.ts";
import { Shelf } from "./shelf.ts";

/** Guesses made in a sweep, in each grouping: those of one record are as many as there are groups. */
const GUESSES = 512;
/** What a record must say to be placed by guesses, tr S/d over λ: more than this share of what the population says of its θ. */
const TELLING = 0.5;
/** The same of a peer's own sums, to be compared with every group. */
const OWN_TELLING = 0.25;

/** From this chance on that members of a group differ, groups are looked for no harder than by `place`. */
const DIFFER = 0.5;

/** Sums of a group of which nothing else is known. */
type Recent = Pick<Group, "slot" | "weighted" | "value" | "centre" | "from" | "centred">;

/** A group that a peer may belong to, in one of the groupings, and the chance of it. */
export interface Chance {
  readonly group: Group;
  readonly chance: number;
  /** The value of the group's sums with those of the peer, under the population; null where the model that they were weighed by was another one. */
  readonly together: number | null;
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
  /** The same in their order: many ask for all of them in every round, and a list is gone through several times as fast as a map. */
  readonly list: GroupEntry[] = [];
  /** What exchanges ask of them, in the same order. */
  readonly shelf = new Shelf();
  readonly all: readonly Grouping[];
  /** The chance that the peer itself is in each group; in all others it is 0. */
  believed: ReadonlyMap<Group, number> = new Map();
  /** How much members of a group differ. */
  readonly spread: GroupSpread;
  /** Whether the θ of groups wander. */
  readonly drift: Drift;
  /** Observations that a record counts for at most. */
  most = Number.POSITIVE_INFINITY;
  readonly #columns: EntryColumns;
  readonly #evidence: Evidence;
  readonly #metropolis: Metropolis;
  readonly #centre: Float64Array;
  readonly #stream: Random;
  readonly #random = Random.seeded(0);
  #draws = 0;
  /** Records whose version is newer than their numbers, and groups of each grouping that are to be summed up. */
  readonly #renewed = new Set<GroupEntry>();
  readonly #left: readonly Set<Group>[] = Array.from({ length: GROUPINGS }, () => new Set<Group>());
  /** Whether records are in other groups than when the shelf was last told. */
  #regrouped = false;
  /** Records of which earlier versions are known. */
  readonly #remembered = new Set<GroupEntry>();
  /** Whose turn it is in the sweep. */
  #turn = 0;

  constructor(
    readonly dimension: number,
    readonly population: Population,
    /** Whether members of a group may differ. */
    readonly similar = true,
  ) {
    this.#columns = new EntryColumns(dimension);
    this.spread = new GroupSpread(dimension);
    this.drift = new Drift(dimension);
    this.all = Array.from({ length: GROUPINGS }, (_, k) => new Grouping(k, this.#columns, population));
    this.#evidence = new Evidence(dimension);
    this.#metropolis = Metropolis.of(dimension);
    this.#centre = sharedNumbers(dimension);
    this.#stream = Random.seeded(0).fork("groups");
  }

  /**
   * Takes records: in place of an older version, in the same groups; a new one is in a group of its own. What they are worth is
   * found out when somebody asks (`refresh`), once for all that came until then.
   */
  take(records: readonly PeerRecord[]): void {
    const first = this.all[0]!.list;
    const grown = new Set<Group>();
    for (const record of records) {
      let entry = this.entries.get(record.origin);
      if (entry === undefined) {
        entry = new GroupEntry(record, this.#columns);
        this.#hold(entry);
        for (const grouping of this.all) grouping.add(entry);
        this.shelf.group[entry.place] = first.length - 1;
      } else {
        this.shelf.replace(entry.place, record);
        grown.add(entry.groups[0]!);
      }
      for (const group of entry.groups) group.grow(record.count - entry.record.count);
      entry.record = record;
      this.#renewed.add(entry);
    }
    for (const { members, count } of grown) for (const { place } of members) this.shelf.crowd[place] = count;
  }

  #hold(entry: GroupEntry): void {
    entry.place = this.list.length;
    this.entries.set(entry.record.origin, entry);
    this.list.push(entry);
    this.shelf.push(entry.record);
  }

  /** The shelf, with the group of each record in the first grouping. */
  grouped(): Shelf {
    const { shelf } = this;
    if (!this.#regrouped) return shelf;
    this.#regrouped = false;
    const { list } = this.all[0]!;
    for (let k = 0; k < list.length; k++) {
      const { members, count } = list[k]!;
      for (const { place } of members) {
        shelf.group[place] = k;
        shelf.crowd[place] = count;
      }
    }
    return shelf;
  }

  /**
   * Brings numbers of records, and of groups of the first so many groupings, up to date. They follow from records, members and population:
   * it does not matter when.
   */
  refresh(groupings = GROUPINGS): void {
    if (this.#renewed.size > 0) {
      const entries = [...this.#renewed];
      this.#weigh(entries, this.population.noises.alike ? null : this.#residuals(entries));
    }
    this.#renewed.clear();
    for (let k = 0; k < groupings; k++) {
      if (this.#left[k]!.size === 0) continue;
      const summed = this.#sumUp(this.#left[k]!);
      this.all[k]!.summed(summed);
      this.#value(summed);
    }
  }

  #sumUp(left: Set<Group>): readonly Group[] {
    const changed = [...left];
    left.clear();
    for (const group of changed) group.sum();
    return changed;
  }

  /** Values of groups whose sums or population have changed. */
  #value(groups: readonly Group[]): void {
    const several: Group[] = [];
    const alone: GroupEntry[] = [];
    for (const group of groups) {
      if (group.size > 1) several.push(group);
      else alone.push(group.members[0]!);
    }
    this.#alone(alone);
    this.#evidence.valueAll(several, this.population.even);
  }

  /** What each of these records says by itself, where that is not known. */
  #alone(entries: readonly GroupEntry[]): void {
    const unknown: GroupEntry[] = [];
    for (const entry of entries) {
      if (entry.valued) continue;
      // So that one that comes twice is valued once.
      entry.valued = true;
      unknown.push(entry);
    }
    this.#evidence.valueAll(unknown, this.population.even);
  }

  drop(origins: readonly PeerId[]): void {
    const gone = new Uint8Array(this.list.length);
    for (const origin of origins) {
      const entry = this.entries.get(origin);
      if (entry === undefined) continue;
      for (const grouping of this.all) {
        const group = entry.groups[grouping.index]!;
        group.grow(-entry.record.count);
        const left = this.#left[grouping.index]!;
        if (grouping.drop(entry)) left.add(group);
        else left.delete(group);
      }
      this.entries.delete(origin);
      this.#renewed.delete(entry);
      this.#remembered.delete(entry);
      this.#columns.release(entry.row);
      gone[entry.place] = 1;
    }
    for (const grouping of this.all) grouping.closeUp();
    this.#closeUp(gone);
  }

  /** Places of records that have gone are filled by those behind them. */
  #closeUp(gone: Uint8Array): void {
    const first = gone.indexOf(1);
    if (first < 0) return;
    const { list, shelf } = this;
    let to = first;
    for (let from = first; from < gone.length; from++) {
      if (gone[from] === 1) continue;
      const entry = list[from]!;
      list[to] = entry;
      entry.place = to;
      shelf.move(from, to++);
    }
    list.length = to;
    shelf.truncate(to);
    this.#regrouped = true;
  }

  /** Draws the groups of these records anew, one after another. */
  place(origins: readonly PeerId[]): void {
    allOf(this.placing(origins));
  }

  /** `place` in pieces. */
  *placing(origins: readonly PeerId[]): Work {
    this.refresh();
    const entries = origins.flatMap((origin) => this.entries.get(origin) ?? []);
    if (entries.length > 0) this.#regrouped = true;
    this.#alone(entries);
    for (const entry of entries) {
      yield;
      const random = this.#next();
      const look = nextLook();
      for (const grouping of this.all) grouping.place(entry, random, look);
    }
  }

  /** Draws the concentrations, and the groups of the next `count` records in turn; offers one group to the others. */
  sweep(count: number): void {
    const { list } = this;
    if (list.length === 0) return;
    this.refresh();
    this.#regrouped = true;
    const turns = Array.from({ length: Math.min(count, list.length) }, (_, k) => list[(this.#turn + k) % list.length]!);
    this.#alone(turns);
    const random = this.#next();
    for (const grouping of this.all) grouping.drawAlpha(list.length, random);
    for (const entry of turns) {
      const look = nextLook();
      for (const grouping of this.all) grouping.place(entry, random, look);
    }
    if (this.#alike) for (const grouping of this.all) this.#redraw(grouping, random);
    for (const grouping of this.all) grouping.merge(grouping.list[random.below(grouping.list.length)]!);
    this.#turn = (this.#turn + count) % list.length;
  }

  /**
   * Draws the groups of many records by guesses. Only of those that say something: while records say little, a few large groups serve a
   * peer better than the likeliest ones, which are small and due to chance.
   */
  #redraw(grouping: Grouping, random: Random): void {
    const { list, dimension } = this;
    const count = Math.min(list.length, Math.ceil(GUESSES / grouping.list.length));
    const first = random.below(list.length);
    const least = TELLING * this.population.even.ridge;
    const entries: GroupEntry[] = [];
    for (let k = 0; k < count; k++) {
      const entry = list[(first + k) % list.length]!;
      if (meanDiagonal(entry.slot, dimension) > least) entries.push(entry);
    }
    this.#alone(entries);
    this.#metropolis.draw(grouping, entries, random);
  }

  /**
   * One of the groupings, in turn, tries a partition made from nothing. How much members differ is learnt from the groups that the peer
   * itself may be in: what other groups are like, mixed ones perhaps, does not matter to it. They are those of another grouping, because
   * which of the new groups are its own is not known yet.
   */
  *restarting(round: number): Work {
    this.refresh();
    this.#regrouped = true;
    this.#alone(this.list);
    const turn = round % this.all.length;
    yield* this.all[turn]!.restarting(this.list, this.#next());
    if (!this.similar) return;
    const { list } = this.all[(turn + 1) % this.all.length]!;
    const mine = list.filter((group) => (this.believed.get(group) ?? 0) > 0);
    yield* this.spread.fitting(mine, this.population.even);
  }

  /**
   * The groups that a peer with these sums may belong to; what the chances lack of 1 is that of none. A priori a peer takes
   * itself to be at least as likely alone as among those it knows: to follow others by mistake costs more than not to
   * follow them yet.
   */
  weigh(sums: Sums, weight: number): Chance[] {
    if (this.list.length === 0) return [];
    this.refresh();
    const found: Chance[] = [];
    const centre = this.#centre;
    let by: Model | null = null;
    let value = 0;
    let look = 0;
    const seen = weight * meanDiagonal(sums.slot, this.dimension);
    const thorough = this.#alike && seen > OWN_TELLING * this.population.even.ridge;
    for (const grouping of this.all) {
      const model = this.population.model(grouping.list.length);
      if (model !== by) {
        value = this.#evidence.ofScaled(sums.slot, weight, model.prior, model.noise, centre);
        look = nextLook();
      }
      by = model;
      const none = grouping.alpha + this.list.length;
      const { count, groups, chances, values } = grouping.weigh(
        { record: sums, weight, value, centre, from: 0 },
        null,
        none,
        model,
        look,
        thorough,
      );
      const known = this.population.is(model);
      for (let k = 0; k < count; k++) {
        const together = known ? values[k]! : null;
        found.push({ group: groups[k]!, chance: chances[k]! / this.all.length, together });
      }
    }
    return found;
  }

  /**
   * Whether members of a group seem to be the same. Where they differ, more and smaller groups are found the harder one looks, and one of
   * them is like this peer by chance.
   */
  get #alike(): boolean {
    return this.spread.chance < DIFFER;
  }

  /**
   * Remembers the versions that have come since the last time, for what is recent of each; where it `tells` anything, finds out whether
   * they speak for drift. Only of those that may be kin: what is recent of others is never asked for, and their news comes too rarely to
   * tell.
   */
  follow(tells: boolean): void {
    this.refresh();
    const { chance } = this.shelf;
    for (const entry of this.#remembered) {
      if (chance[entry.place]! > 0) continue;
      entry.forget();
      this.#remembered.delete(entry);
    }
    const newer = new Map<Group, GroupEntry[]>();
    const told: GroupEntry[] = [];
    for (let k = 0; k < this.list.length; k++) {
      if (chance[k] === 0) continue;
      const entry = this.list[k]!;
      const { record, past } = entry;
      if (past.told === record) continue;
      told.push(entry);
      // Of a first version nobody knows when it was seen.
      if (!tells || past.told === null) continue;
      const group = entry.groups[0]!;
      const others = newer.get(group);
      if (others === undefined) newer.set(group, [entry]);
      else others.push(entry);
    }
    for (const [group, entries] of newer) this.drift.look(group, entries, this.population.even);
    for (const entry of told) {
      entry.tell(entry.record);
      this.#remembered.add(entry);
    }
  }

  /** What the members of a group have seen recently, weighted as they are in its sums; nobody knows its value yet. */
  recent({ members }: Group): Recent {
    const slot = new Float64Array(slotSize(this.dimension));
    let weighted = 0;
    for (const { record, past, weight } of members) {
      past.addRecent(slot, weight, record);
      weighted += weight * past.countOf(record);
    }
    return { slot, weighted, value: Number.NaN, centre: slot, from: 0, centred: false };
  }

  /** The population has changed. How much the noise of peers differs is learnt where own rewards' kurtosis is given. */
  revalue(kurtosis: number | null = null): void {
    allOf(this.revaluing(kurtosis));
  }

  /** `revalue` in pieces. */
  *revaluing(kurtosis: number | null): Work {
    const { noises, even } = this.population;
    const entries = this.list;
    this.#columns.forgetValues();
    const residuals = kurtosis === null && noises.alike ? null : this.#residuals(entries);
    if (kurtosis !== null) noises.fit(residuals!, even.noise, kurtosis);
    this.#weigh(entries, residuals);
    this.#renewed.clear();
    for (let k = 0; k < GROUPINGS; k++) this.all[k]!.summed(this.#sumUp(this.#left[k]!));
    for (const { list } of this.all) {
      yield;
      for (const group of list) group.apart = Number.NaN;
      this.#value(list);
    }
  }

  /** What each record leaves unexplained. Where records count as they are, that is found with what they say by themselves. */
  #residuals(entries: readonly GroupEntry[]): Residual[] {
    const explained = new Float64Array(entries.length);
    if (entries.every(({ slot, record }) => slot === record.slot)) {
      this.#evidence.valueAll(entries, this.population.even, explained);
      for (const entry of entries) entry.valued = true;
    } else {
      const found = new Float64Array(2 * entries.length);
      const records = entries.map(({ record }) => record);
      this.#evidence.fitAll(found, records, this.population.even.prior);
      for (let k = 0; k < entries.length; k++) explained[k] = found[2 * k]!;
    }
    const residuals: Residual[] = [];
    for (let k = 0; k < entries.length; k++) residuals.push(this.#residual(entries[k]!.record, explained[k]!));
    return residuals;
  }

  /** What a draw of θ from the population leaves unexplained. */
  #residual({ slot, squares, count }: Sums, explained: number): Residual {
    return { unexplained: Math.max(0, residualSquares(squares, slot, this.population.mean) - explained), count };
  }

  /** The weight of sums: σ² over the noise of their peer. */
  weight(sums: Sums): number {
    const { noises, even } = this.population;
    if (noises.alike) return 1;
    this.#evidence.fit(sums.slot, even.prior);
    return noises.weight(this.#residual(sums, this.#evidence.explained), even.noise);
  }

  /** What records count for, where so much of each is unexplained; null where all are alike. Groups of those that changed are to be summed up. */
  #weigh(entries: readonly GroupEntry[], residuals: readonly Residual[] | null): void {
    const { noises, even } = this.population;
    for (let k = 0; k < entries.length; k++) {
      const entry = entries[k]!;
      const weight = residuals === null ? 1 : noises.weight(residuals[k]!, even.noise);
      if (!entry.weigh(weight * Math.min(1, this.most / entry.record.count))) continue;
      for (let g = 0; g < GROUPINGS; g++) this.#left[g]!.add(entry.groups[g]!);
    }
  }

  #next(): Random {
    this.#draws += 1;
    return this.#stream.forkInto(this.#random, this.#draws);
  }

  /** The records in their order; of each grouping the members of each group, in theirs. Sums and values follow from them. */
  write(out: Writer): void {
    const entries = this.list;
    out.f64(this.#draws);
    out.f64(this.most);
    out.u32(this.#turn);
    this.spread.write(out);
    this.drift.write(out);
    out.u32(entries.length);
    for (const { record, past } of entries) {
      writeRecord(out, record);
      past.write(out, record);
    }
    for (const { alpha, list } of this.all) {
      out.f64(alpha);
      out.u32(list.length);
      for (const { members } of list) {
        out.u32(members.length);
        for (const entry of members) out.u32(entry.place);
      }
    }
  }

  /** After the population: values depend on it. */
  read(from: Reader): void {
    this.#draws = from.f64("draws");
    this.most = from.f64("most");
    this.#turn = from.u32("turn");
    this.spread.read(from);
    this.drift.read(from);
    for (const entry of this.list) this.#columns.release(entry.row);
    this.entries.clear();
    this.list.length = 0;
    this.shelf.truncate(0);
    this.#renewed.clear();
    for (const left of this.#left) left.clear();
    this.#remembered.clear();
    this.#regrouped = true;
    for (let left = from.u32("records"); left > 0; left--) {
      const record = readRecord(from, this.dimension);
      if (record === null) continue;
      const entry = new GroupEntry(record, this.#columns);
      const past = new Past();
      past.read(from, record, this.dimension);
      if (past.told !== null) {
        entry.recall(past);
        this.#remembered.add(entry);
      }
      this.#hold(entry);
    }
    for (const grouping of this.all) this.#readGrouping(from, grouping);
    this.revalue();
  }

  #readGrouping(from: Reader, grouping: Grouping): void {
    const entries = this.list;
    grouping.alpha = from.f64("alpha");
    grouping.clear();
    for (let left = from.u32("groups"); left > 0; left--) {
      const group = new Group();
      for (let members = from.u32("members"); members > 0; members--) {
        const entry = entries[from.u32("member")];
        if (entry === undefined) continue;
        entry.groups[grouping.index] = group;
        group.join(entry);
      }
      if (group.size > 0) grouping.push(group);
    }
    // Bytes that nobody wrote so may leave a record out.
    for (const entry of entries) if (entry.groups[grouping.index] === undefined) grouping.add(entry);
  }
}
