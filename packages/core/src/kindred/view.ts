import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { ANY_RANK, countCode, type Greeting, KIN, rankFor } from "./greeting.ts";
import { Group } from "./group.ts";
import { Groups } from "./groups.ts";
import type { Population } from "./population.ts";
import type { Record, Sums } from "./record.ts";
import { readRecord, writeRecord } from "./recordState.ts";

/** A chance of being kin above which a record's news is worth more. */
const MAYBE_KIN = 0.1;
/** A chance above which a peer knows where it belongs. */
const SURE = 0.9;

/**
 * The records a peer holds, at most `view` of them: kin first, then a sample of all others that is random but stays the
 * same, so that a bounded view is a fair sample of a network of any size.
 */
export class View {
  readonly groups: Groups;
  /** The chance that I am in a group. */
  #chances: ReadonlyMap<Group, number> = new Map();
  /** Rank of the last record kept where the view is full. */
  #worst = ANY_RANK;
  readonly #ranks = new Map<PeerId, number>();

  constructor(
    readonly self: PeerId,
    readonly dimension: number,
    population: Population,
    readonly options: { readonly view: number },
  ) {
    this.groups = new Groups(dimension, population);
  }

  records(): Record[] {
    return Array.from(this.groups.entries.values(), ({ record }) => record);
  }

  /** The chance that I share a θ with `origin`. */
  chance(origin: PeerId): number {
    const group = this.groups.entries.get(origin)?.group;
    return group ? (this.#chances.get(group) ?? 0) : 0;
  }

  believe(chances: ReadonlyMap<Group, number>): void {
    this.#chances = chances;
  }

  /** From whom I borrow, and how many observations. */
  lenders(): Map<PeerId, number> {
    const lenders = new Map<PeerId, number>();
    for (const [origin, { record }] of this.groups.entries) {
      const chance = this.chance(origin);
      if (chance > 0) lenders.set(origin, chance * record.count);
    }
    return lenders;
  }

  /** Keeps the newer version of each, and the best of them all where there are too many. */
  take(records: readonly Record[]): void {
    for (const record of records) {
      if (record.origin === this.self) continue;
      const known = this.groups.entries.get(record.origin)?.record;
      if (known === undefined || known.version < record.version) this.groups.take(record);
    }
    if (this.groups.entries.size < this.options.view) return;
    const ranked = this.records().sort(
      (a, b) => this.chance(b.origin) - this.chance(a.origin) || this.#rank(a.origin) - this.#rank(b.origin),
    );
    for (const record of ranked.splice(this.options.view)) this.drop(record.origin);
    // Where even the last one kept is kin, no stranger would be: none is to be sent.
    const last = ranked.at(-1)!.origin;
    this.#worst = this.chance(last) > 0 ? 0 : this.#rank(last);
  }

  drop(origin: PeerId): void {
    this.groups.drop(origin);
    this.#ranks.delete(origin);
  }

  /** A little work each round: some records are put anew, one group is offered to the others. */
  tidy(sweep: number, round: number): void {
    this.groups.sweep(sweep);
    const { length } = this.groups.list;
    if (length > 0) this.groups.merge(round % length);
  }

  greeting(due: boolean): Greeting {
    const known = new Map<number, number>();
    for (const [origin, { record }] of this.groups.entries) {
      known.set(record.hash, countCode(record.count) | (this.chance(origin) > MAYBE_KIN ? KIN : 0));
    }
    let settled = false;
    for (const chance of this.#chances.values()) settled ||= chance > SURE;
    const full = this.groups.entries.size >= this.options.view;
    return { peer: this.self, due, settled, worst: full ? this.#worst : ANY_RANK, known };
  }

  /** What the population is learnt from: the groups, with `me` in the one I am likely in, or beside them. */
  units(me: Sums, grouped: boolean): Sums[] {
    if (!grouped) return [me, ...this.records()];
    let home: Group | null = null;
    for (const [group, chance] of this.#chances) if (chance > 0.5 && group.size > 0) home = group;
    if (home === null) return [me, ...this.groups.list];
    const { slot, squares, count } = home;
    const joined = {
      slot: slot.map((value, k) => value + me.slot[k]!),
      squares: squares + me.squares,
      count: count + me.count,
    };
    return [joined, ...this.groups.list.filter((group) => group !== home)];
  }

  #rank(origin: PeerId): number {
    let rank = this.#ranks.get(origin);
    if (rank === undefined) {
      rank = rankFor(this.self, origin);
      this.#ranks.set(origin, rank);
    }
    return rank;
  }

  /** Records in their order with the number of their group, and the groups' sums as they are, rounding and all. */
  write(out: Writer): void {
    const { list, entries, order, turn } = this.groups;
    out.u32(list.length);
    for (const { slot, squares, count, size, value, centre } of list) {
      out.f64s(slot);
      out.f64s(centre);
      for (const number of [squares, count, size, value]) out.f64(number);
    }
    out.u32(entries.size);
    for (const { record, group } of entries.values()) {
      writeRecord(out, record);
      out.u32(group === null ? list.length : list.indexOf(group));
    }
    out.u32(order.length);
    for (const origin of order) out.text(origin);
    out.u32(turn);
    out.f64(this.#worst);
    out.u32(this.#chances.size);
    for (const [group, chance] of this.#chances) {
      // A group that fell apart since is not in the list any more; that it was believed in still counts.
      out.u32(list.includes(group) ? list.indexOf(group) : list.length);
      out.f64(chance);
    }
  }

  read(from: Reader): void {
    const { list, entries } = this.groups;
    list.length = 0;
    entries.clear();
    const groups = from.u32("groups");
    for (let k = 0; k < groups; k++) list.push(readGroup(from, this.dimension));
    const size = from.u32("records");
    for (let k = 0; k < size; k++) {
      const record = readRecord(from, this.dimension);
      const group = list[from.u32("records")] ?? null;
      if (record !== null) entries.set(record.origin, { record, group });
    }
    const order = from.u32("order");
    this.groups.order = Array.from({ length: order }, () => from.text("order"));
    this.groups.turn = from.u32("turn");
    this.#worst = from.f64("worst");
    const believed = from.u32("chances");
    const chances = new Map<Group, number>();
    for (let k = 0; k < believed; k++) {
      const group = list[from.u32("chances")] ?? new Group(this.dimension);
      chances.set(group, from.f64("chances"));
    }
    this.#chances = chances;
  }
}

function readGroup(from: Reader, dimension: number): Group {
  const group = new Group(dimension);
  from.f64s("group", group.slot);
  from.f64s("group", group.centre);
  group.squares = from.f64("group");
  group.count = from.f64("group");
  group.size = from.f64("group");
  group.value = from.f64("group");
  return group;
}
