import { avalanche } from "../numbers/hash.ts";
import { addScaled, slotSize } from "../numbers/packed.ts";
import type { PeerRecord, Sums } from "./record.ts";

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
export interface GroupEntry extends Weighed {
  record: PeerRecord;
  weight: number;
  value: number;
  /** The group that holds the record, in each grouping. */
  readonly groups: Group[];
}

/**
 * Records believed to share one θ, and their weighted sum. The sum is always made in the order of the members, so that it follows from
 * them bit for bit: a snapshot need not hold it.
 */
export class Group {
  readonly slot: Float64Array;
  /** Observations of all members, and the same weighted. */
  count = 0;
  weighted = 0;
  readonly members: GroupEntry[] = [];
  /** Equal for groups of the same records, whatever grouping they are in. */
  key = 0;
  /** How well one θ explains the sum (Evidence). */
  value = 0;
  /** The same under the population's other model; NaN until it is asked for, and whenever the sum has changed. */
  apart = Number.NaN;
  /** Posterior mean of that θ, less μ: to find groups that lie near. */
  readonly centre: Float64Array;

  constructor(dimension: number) {
    this.slot = new Float64Array(slotSize(dimension));
    this.centre = new Float64Array(dimension);
  }

  get size(): number {
    return this.members.length;
  }

  join(entry: GroupEntry): void {
    this.members.push(entry);
    this.#add(entry);
  }

  leave(entry: GroupEntry): void {
    this.members.splice(this.members.indexOf(entry), 1);
    this.sum();
  }

  /** Sums up the members anew. */
  sum(): void {
    const { slot, members } = this;
    slot.fill(0);
    this.count = 0;
    this.weighted = 0;
    this.key = 0;
    let k = 0;
    for (; k + 3 < members.length; k += 4) addFour(slot, members, k);
    for (; k < members.length; k++) addScaled(slot, 0, members[k]!.record.slot, 0, slot.length, members[k]!.weight);
    for (const entry of members) this.#tell(entry);
  }

  #add(entry: GroupEntry): void {
    addScaled(this.slot, 0, entry.record.slot, 0, this.slot.length, entry.weight);
    this.#tell(entry);
  }

  #tell({ record, weight }: GroupEntry): void {
    this.apart = Number.NaN;
    this.count += record.count;
    this.weighted += weight * record.count;
    this.key ^= avalanche(record.hash ^ Math.imul(record.version, 0x9e3779b1));
  }
}

/** Adds members k to k + 3, in their order: each number of the sum is read and written once for all of them. */
function addFour(slot: Float64Array, members: readonly GroupEntry[], k: number): void {
  const [a, b, c, d] = [members[k]!, members[k + 1]!, members[k + 2]!, members[k + 3]!];
  const [s, t, u, v] = [a.record.slot, b.record.slot, c.record.slot, d.record.slot];
  const [w, x, y, z] = [a.weight, b.weight, c.weight, d.weight];
  for (let i = 0; i < slot.length; i++) slot[i] = slot[i]! + w * s[i]! + x * t[i]! + y * u[i]! + z * v[i]!;
}

/** Groups tried for a record, so that placing it costs the same however many there are. */
const NEAREST = 6;
const LARGEST = 2;

/** Fills `out` with the groups worth trying for one at `centre`, without `but`: all if they are few. */
export function worthTrying(out: Group[], list: readonly Group[], centre: Float64Array, but: Group | null): void {
  out.length = 0;
  if (list.length <= NEAREST + LARGEST) {
    for (const group of list) if (group !== but) out.push(group);
    return;
  }
  const scores: number[] = [];
  for (const group of list) if (group !== but) keep(out, scores, 0, LARGEST, group, -group.size);
  const [largest, second] = out;
  const to = LARGEST + NEAREST;
  for (const group of list) {
    if (group === but || group === largest || group === second) continue;
    const place = group.centre;
    const most = out.length < to ? Infinity : scores[to - 1]!;
    let square = 0;
    // Not to the end where it is too far already.
    for (let i = 0; i < place.length && square < most; i++) {
      const off = place[i]! - centre[i]!;
      square += off * off;
    }
    keep(out, scores, LARGEST, to, group, square);
  }
}

/** Puts `group` in order among out[from .. to), those with the smallest scores so far; first of equals. */
function keep(out: Group[], scores: number[], from: number, to: number, group: Group, score: number): void {
  let at = Math.min(out.length, to - 1);
  if (out.length === to && !(score < scores[at]!)) return;
  for (; at > from && score < scores[at - 1]!; at--) {
    out[at] = out[at - 1]!;
    scores[at] = scores[at - 1]!;
  }
  out[at] = group;
  scores[at] = score;
}
