import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import type { GroupedRecords } from "./alike.ts";
import { ANY_RANK, countCode, type Greeting, KIN, NOTHING, rankFor } from "./greeting.ts";
import type { Group, GroupEntry } from "./group.ts";
import { Groupings } from "./groupings.ts";
import type { Population } from "./population.ts";
import type { Profile } from "./profile.ts";
import { calledBy, type PeerRecord } from "./record.ts";

/** A chance of being kin above which a record's news is worth more. */
const MAYBE_KIN = 0.1;
/** Of those who are there: a chance from which on one is worth a call as kin, and at least this share of the largest. */
const WORTH_A_CALL = 0.02;
const AMONG_BEST = 0.5;
/** Fewer observations a dimension in all of its group: where a record belongs is not yet known. */
const UNPLACED = 4;
/** By how many quarter octaves a record must have grown to be news: of those who may be kin, and of all others. */
const STEP = 1;
const FAR_STEP = 8;

/** Where a record stands among those to keep. */
interface Ranked {
  readonly origin: PeerId;
  /** 1, or 0 if it is too short. */
  readonly long: number;
  readonly chance: number;
  readonly rank: number;
}

/** The best first: long ones, then kin, then by rank. */
const byRank = (a: Ranked, b: Ranked): number => b.long - a.long || b.chance - a.chance || a.rank - b.rank;

/**
 * The records a peer holds, at most `view` of them: kin first, then a sample of all others that is random but stays the
 * same, so that a bounded view is a fair sample of a network of any size.
 */
export class RecordView {
  readonly groups: Groupings;
  /** Groups that I may be in. */
  #believed: readonly Group[] = [];
  /** Rank of the last record kept where the view is full. */
  #worst = ANY_RANK;
  readonly #ranks = new Map<PeerId, number>();
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
    readonly options: { readonly view: number },
  ) {
    this.groups = new Groupings(dimension, population);
  }

  records(): PeerRecord[] {
    return Array.from(this.groups.entries.values(), ({ record }) => record);
  }

  /** The chance that I share a θ with `origin`. */
  chance(origin: PeerId): number {
    return this.#chanceIn(this.groups.entries.get(origin)?.groups ?? []);
  }

  #chanceIn(groups: readonly Group[]): number {
    let chance = 0;
    for (const group of groups) chance += group.chance;
    return chance;
  }

  /** The chance that I am in each group; in all others it is 0. */
  believe(chances: ReadonlyMap<Group, number>): void {
    for (const group of this.#believed) group.chance = 0;
    this.#believed = [...chances.keys()];
    for (const [group, chance] of chances) group.chance = chance;
  }

  /** From whom I borrow, and how many observations. */
  lenders(): Map<PeerId, number> {
    const lenders = new Map<PeerId, number>();
    for (const [origin, { record, groups }] of this.groups.entries) {
      const chance = this.#chanceIn(groups);
      if (chance > 0) lenders.set(origin, chance * record.count);
    }
    return lenders;
  }

  /** Keeps the newer version of each. There may be too many then, until `trim`: who they are is found out first. */
  take(records: readonly PeerRecord[]): void {
    const news = new Map<PeerId, PeerRecord>();
    for (const record of records) {
      if (record.origin === this.self) continue;
      const known = news.get(record.origin) ?? this.groups.entries.get(record.origin)?.record;
      if (known !== undefined && known.version >= record.version) continue;
      // A new era is another taste: it is put into a group anew.
      if (known !== undefined && known.era !== record.era) this.groups.drop(record.origin);
      if (known?.era !== record.era) this.#fresh.push(record.origin);
      news.set(record.origin, record);
    }
    this.groups.take([...news.values()]);
    if (this.groups.entries.size > 2 * this.options.view) this.#dropWorst();
  }

  /** Keeps the best of them all where there are too many; those shorter than `least` (a `countCode`) go first. */
  trim(least: number): void {
    this.#fresh = [];
    this.#least = least;
    if (this.full) this.#dropWorst();
  }

  get full(): boolean {
    return this.groups.entries.size >= this.options.view;
  }

  #dropWorst(): void {
    // Each looked at once, not at every comparison.
    const ranked = Array.from(this.groups.entries.values(), (entry) => this.#rankedOf(entry));
    let worst = ranked[0]!;
    if (ranked.length > this.options.view) {
      ranked.sort(byRank);
      for (const { origin } of ranked.splice(this.options.view)) this.drop(origin);
      worst = ranked.at(-1)!;
    } else for (const each of ranked) if (byRank(each, worst) > 0) worst = each;
    // Where even the last one kept is kin, no stranger would be: none is to be sent.
    const { long, chance, rank } = worst;
    this.#worst = long === 0 ? ANY_RANK : chance > 0 ? 0 : rank;
  }

  #rankedOf({ record: { origin, count }, groups }: GroupEntry): Ranked {
    return {
      origin,
      long: countCode(count) >= this.#least ? 1 : 0,
      chance: this.#chanceIn(groups),
      rank: this.#rank(origin),
    };
  }

  drop(origin: PeerId): void {
    this.groups.drop(origin);
    this.#ranks.delete(origin);
  }

  /**
   * One of those that may be kin, each as likely as its chance; null where there is none. Where only some are there, of those at least
   * half as likely as the likeliest of them: a peer that knows little believes little of anybody, and few of the likely are there.
   */
  likelyKin(random: Random, isThere?: (peer: PeerId) => boolean): PeerId | null {
    const least = isThere === undefined ? MAYBE_KIN : this.#leastAmong(isThere);
    let total = 0;
    let picked: PeerId | null = null;
    for (const origin of this.groups.entries.keys()) {
      if (isThere?.(origin) === false) continue;
      const chance = this.chance(origin);
      if (chance < least) continue;
      total += chance;
      // The k-th replaces the pick with its share of the chances so far.
      if (random.uniform() * total < chance) picked = origin;
    }
    return picked;
  }

  #leastAmong(isThere: (peer: PeerId) => boolean): number {
    let most = 0;
    for (const origin of this.groups.entries.keys()) if (isThere(origin)) most = Math.max(most, this.chance(origin));
    return Math.max(WORTH_A_CALL, AMONG_BEST * most);
  }

  /** All that it takes to find those like somebody; `kept` as it is now, else to be used at once (copies take time). */
  census(kept: boolean): GroupedRecords {
    const { mean, noise, lambda, whole } = this.groups.population;
    this.groups.refresh();
    this.groups.all[0]!.centre();
    const places = new Map<Group | null, { centre: Float64Array; count: number }>();
    for (const group of this.groups.all[0]!.list) {
      places.set(group, { centre: kept ? group.centre.slice() : group.centre, count: group.count });
    }
    const entries = Array.from(this.groups.entries.values(), ({ record, groups }) => ({
      record,
      group: places.get(groups[0]!) ?? null,
    }));
    return { entries, population: { mean: mean.slice(), noise, lambda, whole } };
  }

  /** Records that have just come are put where they belong. */
  settle(): void {
    this.groups.place(this.#fresh);
    this.#placed += this.#fresh.length;
    this.#fresh = [];
  }

  /** A little work each round: some records are placed anew, fewer where new ones were. */
  tidy(sweep: number, round: number): void {
    const left = Math.max(0, sweep - this.#placed);
    this.#placed = 0;
    // Half of the work goes to those I borrow from: a stranger among them costs most.
    const kin = [...this.lenders().keys()];
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
    const wants = new Map<number, number>();
    for (const { record, groups } of this.groups.entries.values()) {
      const chance = this.#chanceIn(groups);
      const near = chance > 0 || groups[0]!.count < UNPLACED * this.groups.population.whole;
      if (!near && !wide) continue;
      const want = Math.min(NOTHING, countCode(record.count) + (near ? STEP : FAR_STEP));
      wants.set(calledBy(record, salt), want | (chance > MAYBE_KIN ? KIN : 0));
    }
    const worst = !wide ? 0 : this.full ? this.#worst : ANY_RANK;
    const least = this.full ? this.#least : 0;
    return { peer: this.self, due, worst, least, salt, wants, profile: wide ? profile : null };
  }

  #rank(origin: PeerId): number {
    let rank = this.#ranks.get(origin);
    if (rank === undefined) {
      rank = rankFor(this.self, origin);
      this.#ranks.set(origin, rank);
    }
    return rank;
  }

  /** What is believed of each group is named by the grouping and its place there. */
  write(out: Writer): void {
    this.groups.write(out);
    out.f64(this.#worst);
    out.u8(this.#least);
    out.u32(this.#placed);
    out.texts(this.#fresh);
    for (const { list } of this.groups.all) {
      for (const group of list) out.f64(group.chance);
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
