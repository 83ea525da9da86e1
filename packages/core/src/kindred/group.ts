import { avalanche } from "../numbers/hash.ts";
import { addScaled } from "../numbers/packed.ts";
import { Past } from "./drift.ts";
import type { PeerRecord, Sums } from "./record.ts";

/** How many groupings are averaged: one is surer than it should be, and more cost more than they bring. */
export const GROUPINGS = 2;

/** Sums, and what they say by themselves. */
export interface Weighed {
  readonly record: Sums;
  /** σ² over the noise of their peer: what the sums are multiplied by (noises.ts). */
  readonly weight: number;
  /** How well one θ explains the weighted sums alone (Evidence), and the posterior mean of that θ, less μ. */
  readonly value: number;
  readonly centre: Float64Array;
}

/** A record of the view. All groupings share it. */
export class GroupEntry implements Weighed {
  weight = 1;
  /** Its sums, weighted: those of the record itself where the weight is 1. Nothing until `weigh`: to make them takes longer than all else an exchange does with a record. */
  slot: Float64Array = NONE;
  value = 0;
  centre: Float64Array = NONE;
  /** Whether value and centre are those of `slot` in the population as it is. */
  valued = false;
  /** The record that was weighed last, and room for its sums where they are weighted. */
  #weighed: PeerRecord | null = null;
  #room: Float64Array | null = null;
  /** Versions before this one, for what is recent of it. */
  readonly past = new Past();
  /** The group that holds the record, in each grouping. */
  readonly groups = new Array<Group>(GROUPINGS);
  /** Where it stands among the records of its view. */
  place = 0;
  /** How far, squared, from whoever was last looked at for all groupings, and which look that was. */
  distance = 0;
  look = 0;

  constructor(
    public record: PeerRecord,
    readonly dimension: number,
  ) {}

  /** Takes another weight, or the sums of another version. Whether either is another one. */
  weigh(weight: number): boolean {
    const { record } = this;
    if (weight === this.weight && record === this.#weighed) return false;
    if (this.centre === NONE) this.centre = new Float64Array(this.dimension);
    this.weight = weight;
    this.#weighed = record;
    this.valued = false;
    if (weight === 1) {
      this.slot = record.slot;
      return true;
    }
    this.#room ??= new Float64Array(record.slot.length);
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
  slot: Float64Array = NONE;
  /** Observations of all members, and the same weighted. */
  count = 0;
  weighted = 0;
  members: GroupEntry[] = NOBODY;
  /** The only member; null where there are several. */
  only: GroupEntry | null = null;
  /** Equal for groups of the same records, whatever grouping they are in. */
  key = 0;
  /** How well one θ explains the sum (Evidence). */
  value = 0;
  /** The same under the population's other model; NaN until it is asked for, and whenever the sum has changed. */
  apart = Number.NaN;
  /** Posterior mean of that θ, less μ: to find groups that lie near. Not of the sum as it is where not `centred`. */
  centre: Float64Array = NONE;
  centred = true;
  /** The chance that the peer itself is in it. */
  chance = 0;

  constructor(readonly dimension: number) {}

  get size(): number {
    return this.members.length;
  }

  join(entry: GroupEntry): void {
    if (this.size === 0) {
      // Most groups never have another one: a list that grows takes seven times the memory.
      this.members = [entry];
      this.#beOne(entry);
    } else {
      this.members.push(entry);
      if (this.size === 2) this.#beSeveral();
      addScaled(this.slot, 0, entry.slot, 0, this.slot.length, 1);
    }
    this.#tell(entry);
  }

  leave(entry: GroupEntry): void {
    this.members.splice(this.members.indexOf(entry), 1);
    this.sum();
  }

  /** Sums up the members anew. */
  sum(): void {
    const { members } = this;
    this.count = 0;
    this.weighted = 0;
    this.key = 0;
    for (const entry of members) this.#tell(entry);
    const [only] = members;
    if (only === undefined) {
      this.slot = NONE;
      return;
    }
    if (members.length === 1) {
      this.#beOne(only);
      return;
    }
    // Those that joined before they were weighed had nothing to add.
    if (this.slot.length === 0) this.slot = new Float64Array(only.slot.length);
    const { slot } = this;
    slot.set(only.slot);
    let k = 1;
    for (; k + 3 < members.length; k += 4) addFour(slot, members, k);
    for (; k < members.length; k++) addScaled(slot, 0, members[k]!.slot, 0, slot.length, 1);
  }

  #beOne(only: GroupEntry): void {
    const { slot, centre, value } = only;
    this.only = only;
    this.slot = slot;
    this.centre = centre;
    this.value = value;
    this.centred = true;
  }

  /** The sum begins with the first member. */
  #beSeveral(): void {
    this.only = null;
    this.slot = this.slot.slice();
    this.centre = new Float64Array(this.dimension);
    this.centred = false;
  }

  #tell({ record, weight }: GroupEntry): void {
    this.apart = Number.NaN;
    this.count += record.count;
    this.weighted += weight * record.count;
    this.key ^= avalanche(record.hash ^ Math.imul(record.version, 0x9e3779b1));
  }
}

const NONE = new Float64Array(0);
const NOBODY: GroupEntry[] = [];

/** Adds members k to k + 3, in their order: each number of the sum is read and written once for all of them. */
function addFour(slot: Float64Array, members: readonly GroupEntry[], k: number): void {
  const [s, t, u, v] = [members[k]!.slot, members[k + 1]!.slot, members[k + 2]!.slot, members[k + 3]!.slot];
  for (let i = 0; i < slot.length; i++) slot[i] = slot[i]! + s[i]! + t[i]! + u[i]! + v[i]!;
}

/** Groups tried for a record, so that placing it costs the same however many there are. */
const NEAREST = 4;
const LARGEST = 2;
/** So many are all tried, wherever they lie. */
export const FEW = NEAREST + LARGEST;

/** Of the groups found so far. Nothing of it is used from one call to the next: to make room for it each time costs more than to fill it. */
const scores = new Float64Array(FEW);

/**
 * Fills `out` with the groups worth trying for one at `centre`, without `but`: all if they are few. How many they are; what `out`
 * holds behind them is of no meaning. Where `look` is not 0, calls with the same number are for the same `centre`: records that are
 * alone in several groupings are measured once.
 */
export function worthTrying(
  out: Group[],
  list: readonly Group[],
  centre: Float64Array,
  but: Group | null,
  look = 0,
): number {
  let count = 0;
  if (list.length <= FEW) {
    for (const group of list) if (group !== but) out[count++] = group;
    return count;
  }
  twoLargest(out, list, but);
  const [largest, second] = out;
  count = LARGEST;
  // Most lie further away than the nearest so far: of those it need not be known how far.
  let most = Infinity;
  for (let k = 0; k < list.length; k++) {
    const group = list[k]!;
    if (group === but || group === largest || group === second) continue;
    const { only } = group;
    let square: number;
    if (only !== null && look !== 0 && only.look === look) square = only.distance;
    else {
      square = squareBetween(group.centre, centre, most);
      if (only !== null && square < most) {
        only.look = look;
        only.distance = square;
      }
    }
    if (count === FEW && !(square < most)) continue;
    count = keep(out, count, LARGEST, FEW, group, square);
    if (count === FEW) most = scores[FEW - 1]!;
  }
  return count;
}

/** Puts the two groups with most records first, the first of equals. There are two. */
function twoLargest(out: Group[], list: readonly Group[], but: Group | null): void {
  let most = 0;
  let next = 0;
  for (let k = 0; k < list.length; k++) {
    const group = list[k]!;
    const { length } = group.members;
    if (length <= next || group === but) continue;
    if (length > most) {
      out[1] = out[0]!;
      next = most;
      out[0] = group;
      most = length;
    } else {
      out[1] = group;
      next = length;
    }
  }
}

/** |a − b|², or as much of it as shows that it is not below `most`. */
function squareBetween(a: Float64Array, b: Float64Array, most: number): number {
  let square = 0;
  for (let i = 0; i < a.length; i++) {
    const off = a[i]! - b[i]!;
    square += off * off;
    if ((i & 3) === 3 && !(square < most)) return square;
  }
  return square;
}

/** Puts `group` in order among out[from .. to), those with the smallest scores so far; first of equals. How many `out` holds then. */
function keep(out: Group[], count: number, from: number, to: number, group: Group, score: number): number {
  let at = Math.min(count, to - 1);
  if (count === to && !(score < scores[at]!)) return count;
  for (; at > from && score < scores[at - 1]!; at--) {
    out[at] = out[at - 1]!;
    scores[at] = scores[at - 1]!;
  }
  out[at] = group;
  scores[at] = score;
  return Math.min(count + 1, to);
}
