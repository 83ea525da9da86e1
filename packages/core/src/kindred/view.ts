import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import { allOf, type Work } from "../work.ts";
import type { GroupedRecords } from "./alike.ts";
import { NOTHING } from "./countCode.ts";
import { ANY_RANK, type Greeting, KIN, rankFor } from "./greeting.ts";
import type { Group } from "./group.ts";
import { Groupings } from "./groupings.ts";
import { compare, isLong, soonestFirst } from "./keeping.ts";
import type { Population } from "./population.ts";
import type { Profile } from "./profile.ts";
import type { PeerRecord } from "./record.ts";
import { entryOf, WantList } from "./wantList.ts";

/** A chance of being kin above which a record's news is worth more. */
const MAYBE_KIN = 0.1;
/** Of those who are there: a chance from which on one is worth a call as kin, and at least this share of the largest. */
const WORTH_A_CALL = 0.02;
const AMONG_BEST = 0.5;
/** Fewer observations a dimension in all of its group: where a record belongs is not yet known. */
const UNPLACED = 4;
/** By how many eighths of an octave a record must have grown to be news: of those who may be kin, and of all others. */
const STEP = 1;
const FAR_STEP = 4;
/** The same while a record has fewer than `BRIEF` observations a dimension: then all grow fast, and most bytes are sent. */
const BRIEF = 2;
const BRIEF_STEP = 3;
const BRIEF_FAR_STEP = 8;

/** What a greeting says, while it is made: of no meaning from one call to the next. */
let said = new Int32Array(256);

/**
 * The records a peer holds, at most `view` of them: kin first, then a sample of all others that is random but stays the
 * same, so that a bounded view is a fair sample of a network of any size.
 */
export class RecordView {
  readonly groups: Groupings;
  /** Rank of the last record kept where the view is full. */
  #worst = ANY_RANK;
  /** Records shorter than this (a `countCode`) are the first to go. */
  #least = 0;
  /** Those that were not here when the view was last trimmed. */
  #fresh: PeerId[] = [];
  /** How many of them were put where they belong since the view was last tidied. */
  #placed = 0;

  constructor(
    readonly self: PeerId,
    readonly dimension: number,
    population: Population,
    readonly options: { readonly view: number; readonly similar?: boolean },
  ) {
    this.groups = new Groupings(dimension, population, options.similar ?? true);
  }

  records(): readonly PeerRecord[] {
    return this.groups.shelf.records;
  }

  /** The chance that I share a θ with `origin`. */
  chance(origin: PeerId): number {
    const entry = this.groups.entries.get(origin);
    return entry === undefined ? 0 : this.groups.shelf.chance[entry.place]!;
  }

  #chanceIn(groups: readonly Group[]): number {
    const { believed } = this.groups;
    let chance = 0;
    for (const group of groups) chance += believed.get(group) ?? 0;
    return chance;
  }

  /** How many records are expected to be of those who share my θ. */
  get kin(): number {
    let kin = 0;
    for (const [{ size }, chance] of this.groups.believed) kin += chance * size;
    return kin;
  }

  /** The chance that I am in each group; in all others it is 0. Each record is told once, because many ask. */
  believe(chances: ReadonlyMap<Group, number>): void {
    const { shelf } = this.groups;
    this.groups.believed = chances;
    shelf.chance.fill(0);
    for (const { members } of chances.keys()) {
      for (const { place, groups } of members) {
        if (shelf.chance[place] === 0) shelf.chance[place] = this.#chanceIn(groups);
      }
    }
  }

  /** From whom I borrow, and how many observations. */
  lenders(): Map<PeerId, number> {
    const lenders = new Map<PeerId, number>();
    const { size, records, count, chance } = this.groups.shelf;
    for (let k = 0; k < size; k++) {
      if (chance[k]! > 0) lenders.set(records[k]!.origin, chance[k]! * count[k]!);
    }
    return lenders;
  }

  /**
   * Keeps the newer version of each. There may be too many then, until `trim`: who they are is found out first. Whether any of it may
   * change what I believe: it is of somebody new, or of whom I borrow from.
   */
  take(records: readonly PeerRecord[]): boolean {
    const news = new Map<PeerId, PeerRecord>();
    let matters = false;
    for (const record of records) {
      if (record.origin === this.self) continue;
      const known = news.get(record.origin) ?? this.groups.entries.get(record.origin)?.record;
      if (known !== undefined && known.version >= record.version) continue;
      matters ||= known?.era !== record.era || this.chance(record.origin) > 0;
      // A new era is another taste: it is put into a group anew.
      if (known !== undefined && known.era !== record.era) this.groups.drop([record.origin]);
      if (known?.era !== record.era) this.#fresh.push(record.origin);
      news.set(record.origin, record);
    }
    if (news.size > 0) this.groups.take([...news.values()]);
    if (this.groups.list.length > 2 * this.options.view) this.#dropWorst();
    return matters;
  }

  /** Keeps the best of them all where there are too many; those shorter than `least` (a `countCode`) go first. */
  trim(least: number): void {
    this.#fresh = [];
    this.#least = least;
    if (this.full) this.#dropWorst();
  }

  get full(): boolean {
    return this.groups.list.length >= this.options.view;
  }

  #dropWorst(): void {
    const { shelf } = this.groups;
    const { size, records, rank, chance } = shelf;
    for (let k = 0; k < size; k++) if (Number.isNaN(rank[k])) rank[k] = rankFor(this.self, records[k]!.origin);
    let worst = 0;
    let gone: PeerId[] = [];
    if (size > this.options.view) {
      const ranked = soonestFirst(shelf, this.#least);
      worst = ranked[this.options.view - 1]!;
      gone = ranked.slice(this.options.view).map((k) => records[k]!.origin);
    } else for (let k = 1; k < size; k++) if (compare(shelf, this.#least, k, worst) > 0) worst = k;
    // Where even the last one kept is kin, no stranger would be: none is to be sent.
    const long = isLong(shelf, this.#least, worst);
    this.#worst = !long ? ANY_RANK : chance[worst]! > 0 ? 0 : rank[worst]!;
    this.groups.drop(gone);
  }

  drop(origin: PeerId): void {
    this.groups.drop([origin]);
  }

  /**
   * One of those that may be kin, each as likely as its chance; null where there is none. Where only some are there, of those at least
   * half as likely as the likeliest of them: a peer that knows little believes little of anybody, and few of the likely are there.
   */
  likelyKin(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null {
    const least = isThere === undefined ? MAYBE_KIN : this.#leastAmong(isThere);
    let total = 0;
    let picked: PeerId | null = null;
    const { size, records, chance } = this.groups.shelf;
    for (let k = 0; k < size; k++) {
      if (chance[k]! < least || isThere?.(records[k]!.origin) === false) continue;
      total += chance[k]!;
      // The k-th replaces the pick with its share of the chances so far.
      if (random.uniform() * total < chance[k]!) picked = records[k]!.origin;
    }
    return picked;
  }

  #leastAmong(isThere: (peer: PeerId) => boolean): number {
    let most = 0;
    const { size, records, chance } = this.groups.shelf;
    for (let k = 0; k < size; k++) if (chance[k]! > most && isThere(records[k]!.origin)) most = chance[k]!;
    return Math.max(WORTH_A_CALL, AMONG_BEST * most);
  }

  /** All that it takes to find those like somebody; `kept` as it is now, else to be used at once (copies take time). */
  census(kept: boolean): GroupedRecords {
    const { mean, noise, lambda } = this.groups.population;
    // Of the other groupings nobody asks here, and more records may come before somebody does.
    this.groups.refresh(1);
    const [first] = this.groups.all;
    first!.centre();
    const shelf = this.groups.grouped();
    const population = { mean, noise, lambda };
    if (!kept) return { shelf, groups: first!.list, population };
    const groups = first!.list.map(({ centre, from, count }) => ({
      centre: centre.slice(from, from + this.dimension),
      from: 0,
      count,
    }));
    return { shelf: shelf.copy(), groups, population: { ...population, mean: mean.slice() } };
  }

  /** Whether records have come that nobody has put where they belong. */
  get unsettled(): boolean {
    return this.#fresh.length > 0;
  }

  /** Records that have just come are put where they belong: all, or the first so many. */
  settle(most = Infinity): void {
    allOf(this.settling(most));
  }

  /** `settle` in pieces. */
  *settling(most = Infinity): Work {
    const some = this.#fresh.splice(0, most);
    this.#placed += some.length;
    yield* this.groups.placing(some);
  }

  /** A little work each round: some records are placed anew, fewer where new ones were. */
  tidy(sweep: number, round: number): void {
    const left = Math.max(0, sweep - this.#placed);
    this.#placed = 0;
    // Half of the work goes to those I borrow from: a stranger among them costs most.
    const { size, records, chance } = this.groups.shelf;
    const kin: PeerId[] = [];
    for (let k = 0; k < size; k++) if (chance[k]! > 0) kin.push(records[k]!.origin);
    const half = left >> 1;
    const again = Math.min(half, kin.length);
    this.groups.place(Array.from({ length: again }, (_, k) => kin[(half * round + k) % kin.length]!));
    this.groups.sweep(left - again);
  }

  /**
   * What I want to hear: of those who may be kin, and of those of whom it is not yet known where they belong, at every
   * step. Of all others only in a `wide` greeting, and rarely: they serve to show what peers are like.
   */
  greeting(due: boolean, wide: boolean, profile: Profile | null, salt: number): Greeting {
    const shelf = this.groups.grouped();
    const { size, count, code, chance, crowd } = shelf;
    if (said.length < size) said = new Int32Array(2 * size);
    let wanted = 0;
    for (let k = 0; k < size; k++) {
      const near = chance[k]! > 0 || crowd[k]! < UNPLACED * this.dimension;
      if (!near && !wide) continue;
      const want = Math.min(NOTHING, code[k]! + this.#step(count[k]!, near));
      said[wanted++] = entryOf(shelf.calledAt(k, salt), want | (chance[k]! > MAYBE_KIN ? KIN : 0));
    }
    const wants = WantList.from(said, wanted);
    const worst = !wide ? 0 : this.full ? this.#worst : ANY_RANK;
    const least = this.full ? this.#least : 0;
    return { peer: this.self, due, worst, least, salt, wants, profile: wide ? profile : null };
  }

  /** By how much a record must grow to be news. */
  #step(count: number, near: boolean): number {
    if (count < BRIEF * this.dimension) return near ? BRIEF_STEP : BRIEF_FAR_STEP;
    return near ? STEP : FAR_STEP;
  }

  /** What is believed of each group is named by the grouping and its place there. */
  write(out: Writer): void {
    this.groups.write(out);
    out.f64(this.#worst);
    out.u8(this.#least);
    out.u32(this.#placed);
    out.texts(this.#fresh);
    for (const { list } of this.groups.all) {
      for (const group of list) out.f64(this.groups.believed.get(group) ?? 0);
    }
  }

  read(from: Reader): void {
    this.groups.read(from);
    this.#worst = from.f64("worst");
    this.#least = from.u8("least");
    this.#placed = from.u32("placed");
    this.#fresh = from.texts("fresh");
    const chances = new Map<Group, number>();
    for (const { list } of this.groups.all) {
      for (const group of list) {
        const chance = from.f64("chances");
        if (chance > 0) chances.set(group, chance);
      }
    }
    this.believe(chances);
  }
}

/** From whom is borrowed, and how many observations, where these are the chances to be in each group. */
export function lendersOf(chances: ReadonlyMap<Group, number>): Map<PeerId, number> {
  const lenders = new Map<PeerId, number>();
  for (const [{ members }, chance] of chances) {
    for (const { record } of members) {
      lenders.set(record.origin, (lenders.get(record.origin) ?? 0) + chance * record.count);
    }
  }
  return lenders;
}
