import { addScaled, slotSize } from "../numbers/packed.ts";
import type { Sums } from "./record.ts";

/** Peers believed to share one θ: the sum of their records. */
export class Group implements Sums {
  readonly slot: Float64Array;
  squares = 0;
  count = 0;
  /** Records in it. */
  size = 0;
  /** How well one θ explains the sum (Evidence). */
  value = 0;
  /** Posterior mean of that θ, less μ: to find groups that lie near. */
  readonly centre: Float64Array;

  constructor(dimension: number) {
    this.slot = new Float64Array(slotSize(dimension));
    this.centre = new Float64Array(dimension);
  }

  add(sums: Sums, sign: 1 | -1): void {
    addScaled(this.slot, 0, sums.slot, 0, this.slot.length, sign);
    this.squares += sign * sums.squares;
    this.count += sign * sums.count;
    this.size += sign;
  }

  clear(): void {
    this.slot.fill(0);
    this.squares = 0;
    this.count = 0;
    this.size = 0;
  }
}

/** Groups tried for a newcomer, so that a round costs the same however many there are. */
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
  const largest = out.slice();
  for (const group of list) {
    if (group === but || largest.includes(group)) continue;
    let square = 0;
    for (let i = 0; i < centre.length; i++) square += (group.centre[i]! - centre[i]!) * (group.centre[i]! - centre[i]!);
    keep(out, scores, LARGEST, LARGEST + NEAREST, group, square);
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
