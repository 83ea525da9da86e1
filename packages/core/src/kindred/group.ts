import { avalanche } from "../numbers/hash.ts";
import { addScaled } from "../numbers/packed.ts";
import { sharedNumbers } from "../numbers/shared.ts";
import { Past } from "./drift.ts";
import type { EntryColumns } from "./entryColumns.ts";
import { GroupSums } from "./groupSums.ts";
import type { PeerRecord, Sums } from "./record.ts";

/** How many groupings are averaged: one is surer than it should be, and more cost more than they bring. */
export const GROUPINGS = 2;

/** Sums, and what they say by themselves. */
export interface Weighed {
  readonly record: Sums;
  /** σ² over the noise of their peer: what the sums are multiplied by (noises.ts). */
  readonly weight: number;
  /** How well one θ explains the weighted sums alone (Evidence). */
  readonly value: number;
  /** The posterior mean of that θ, less μ, from this number on. */
  readonly centre: Float64Array;
  readonly from: number;
}

/** A record of the view. All groupings share it. Its numbers stand in a row of the view's columns. */
export class GroupEntry implements Weighed {
  /** Its sums, weighted: those of the record itself where the weight is 1. Nothing until `weigh`: to make them takes longer than all else an exchange does with a record. */
  slot: Float64Array = NONE;
  /** The record that was weighed last, and room for its sums where they are weighted. */
  #weighed: PeerRecord | null = null;
  #room: Float64Array | null = null;
  /** Versions before this one, for what is recent of it; null where none are remembered. */
  #past: Past | null = null;
  /** The group that holds the record, in each grouping. */
  readonly groups = new Array<Group>(GROUPINGS);
  /** The members of a group of its own. */
  readonly alone: readonly GroupEntry[] = [this];
  readonly row: number;
  /** Where it stands among the records of its view. */
  place = 0;

  constructor(
    public record: PeerRecord,
    readonly columns: EntryColumns,
  ) {
    this.row = columns.take();
  }

  get weight(): number {
    return this.columns.weight[this.row]!;
  }

  get value(): number {
    return this.columns.value[this.row]!;
  }

  get apart(): number {
    return this.columns.apart[this.row]!;
  }

  set apart(value: number) {
    this.columns.apart[this.row] = value;
  }

  /** Whether value and centre are those of `slot` in the population as it is. */
  get valued(): boolean {
    return this.columns.valued[this.row] === 1;
  }

  set valued(valued: boolean) {
    this.columns.valued[this.row] = valued ? 1 : 0;
  }

  get centre(): Float64Array {
    return this.columns.centres;
  }

  get from(): number {
    return this.row * this.columns.dimension;
  }

  get past(): Past {
    return this.#past ?? NO_PAST;
  }

  /** Remembers a version. */
  tell(record: PeerRecord): void {
    this.#past ??= new Past();
    this.#past.tell(record);
  }

  recall(past: Past): void {
    this.#past = past;
  }

  forget(): void {
    this.#past = null;
  }

  /** What its sums were found to say. */
  take(value: number, centre: Float64Array): void {
    const { columns, row } = this;
    columns.value[row] = value;
    const { centres } = columns;
    for (let i = 0, to = row * centre.length; i < centre.length; i++) centres[to + i] = centre[i]!;
  }

  /** Takes another weight, or the sums of another version. Whether either is another one. */
  weigh(weight: number): boolean {
    const { record, columns, row } = this;
    if (weight === columns.weight[row] && record === this.#weighed) return false;
    columns.weight[row] = weight;
    columns.valued[row] = 0;
    columns.apart[row] = Number.NaN;
    this.#weighed = record;
    if (weight === 1) {
      this.slot = record.slot;
      return true;
    }
    this.#room ??= sharedNumbers(record.slot.length);
    const slot = this.#room;
    for (let k = 0; k < slot.length; k++) slot[k] = weight * record.slot[k]!;
    this.slot = slot;
    return true;
  }
}

/**
 * Records believed to share one θ, and their weighted sum. The sum is always made in the order of the members, so that it follows from
 * them bit for bit: a snapshot need not hold it. A group of one has no numbers of its own: they are those of its record.
 */
export class Group {
  members: readonly GroupEntry[] = NOBODY;
  /** The only member; null where there are several. */
  only: GroupEntry | null = null;
  #sums: GroupSums | null = null;

  get size(): number {
    return this.members.length;
  }

  get slot(): Float64Array {
    return this.only?.slot ?? this.#sums?.slot ?? NONE;
  }

  /** Observations of all members, and the same weighted. */
  get count(): number {
    return this.only?.record.count ?? this.#sums?.count ?? 0;
  }

  get weighted(): number {
    const { only } = this;
    return only === null ? (this.#sums?.weighted ?? 0) : only.weight * only.record.count;
  }

  /** Equal for groups of the same records, whatever grouping they are in. */
  get key(): number {
    return this.only === null ? (this.#sums?.key ?? 0) : keyOf(this.only.record);
  }

  /** How well one θ explains the sum (Evidence). */
  get value(): number {
    return this.only?.value ?? this.#sums?.value ?? 0;
  }

  set value(value: number) {
    if (this.only === null && this.#sums !== null) this.#sums.value = value;
  }

  /** The same under the population's other model; NaN until it is asked for, and whenever the sum has changed. */
  get apart(): number {
    return this.only?.apart ?? this.#sums?.apart ?? Number.NaN;
  }

  set apart(value: number) {
    if (this.only !== null) this.only.apart = value;
    else if (this.#sums !== null) this.#sums.apart = value;
  }

  /** Posterior mean of that θ, less μ, from `from` on: to find groups that lie near. Not of the sum as it is where not `centred`. */
  get centre(): Float64Array {
    return this.only?.centre ?? this.#sums?.centre ?? NONE;
  }

  get from(): number {
    return this.only?.from ?? 0;
  }

  get centred(): boolean {
    return this.only !== null || this.#sums === null || this.#sums.centred;
  }

  set centred(centred: boolean) {
    if (this.only === null && this.#sums !== null) this.#sums.centred = centred;
  }

  /** What its sum was found to say. */
  take(value: number, centre: Float64Array): void {
    if (this.only !== null) this.only.take(value, centre);
    else if (this.#sums !== null) {
      this.#sums.value = value;
      this.#sums.centre.set(centre);
      this.#sums.centred = true;
    }
  }

  /** One of its members has so many observations more. */
  grow(count: number): void {
    if (this.only === null && this.#sums !== null) this.#sums.count += count;
  }

  join(entry: GroupEntry): void {
    const { only } = this;
    if (this.members.length === 0) {
      this.members = entry.alone;
      this.only = entry;
      return;
    }
    // Lists that grow by themselves have room for sixteen more, and most groups stay small.
    if (this.members.length < SMALL) this.members = this.members.concat(entry.alone);
    else (this.members as GroupEntry[]).push(entry);
    if (only !== null) this.#beSeveral(only);
    const sums = this.#sums!;
    addScaled(sums.slot, 0, entry.slot, 0, sums.slot.length, 1);
    this.#tell(sums, entry);
  }

  /** Takes a member away; whoever is left is still to be summed up. */
  remove(entry: GroupEntry): void {
    if (this.members === entry.alone) this.members = NOBODY;
    else (this.members as GroupEntry[]).splice(this.members.indexOf(entry), 1);
    if (this.members.length === 0) this.end();
  }

  leave(entry: GroupEntry): void {
    this.remove(entry);
    this.sum();
  }

  /** Nobody asks for its sum any more. */
  end(): void {
    this.only = null;
    this.#sums?.release();
    this.#sums = null;
  }

  /** Sums up the members anew. */
  sum(): void {
    const { members } = this;
    const [only] = members;
    if (only === undefined) return;
    if (members.length === 1) {
      this.end();
      this.only = only;
      this.members = only.alone;
      return;
    }
    const sums = this.#sums!;
    sums.count = 0;
    sums.weighted = 0;
    sums.key = 0;
    for (const entry of members) this.#tell(sums, entry);
    // Those that joined before they were weighed had nothing to add.
    if (sums.slot.length !== only.slot.length) this.#makeRoom(sums, only);
    const { slot } = this.#sums!;
    slot.set(only.slot);
    let k = 1;
    for (; k + 3 < members.length; k += 4) addFour(slot, members, k);
    for (; k < members.length; k++) addScaled(slot, 0, members[k]!.slot, 0, slot.length, 1);
  }

  /** The sum begins with the first member. */
  #beSeveral(first: GroupEntry): void {
    const sums = GroupSums.of(first.slot.length, first.columns.dimension);
    sums.slot.set(first.slot);
    sums.count = 0;
    sums.weighted = 0;
    sums.key = 0;
    sums.value = first.value;
    sums.centred = false;
    this.#tell(sums, first);
    this.only = null;
    this.#sums = sums;
  }

  #makeRoom(sums: GroupSums, { slot, columns }: GroupEntry): void {
    const larger = GroupSums.of(slot.length, columns.dimension);
    larger.takeNumbers(sums);
    this.#sums = larger;
  }

  #tell(sums: GroupSums, { record, weight }: GroupEntry): void {
    sums.apart = Number.NaN;
    sums.count += record.count;
    sums.weighted += weight * record.count;
    sums.key ^= keyOf(record);
  }
}

const NONE = new Float64Array(0);
const NOBODY: readonly GroupEntry[] = [];
const NO_PAST = new Past();

/** Groups of fewer are given a list that is just as long as it must be. */
const SMALL = 8;

const keyOf = (record: PeerRecord): number => avalanche(record.hash ^ Math.imul(record.version, 0x9e3779b1));

/** Adds members k to k + 3, in their order: each number of the sum is read and written once for all of them. */
function addFour(slot: Float64Array, members: readonly GroupEntry[], k: number): void {
  const [s, t, u, v] = [members[k]!.slot, members[k + 1]!.slot, members[k + 2]!.slot, members[k + 3]!.slot];
  for (let i = 0; i < slot.length; i++) slot[i] = slot[i]! + s[i]! + t[i]! + u[i]! + v[i]!;
}
