import { slotSize } from "../numbers/packed.ts";
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
    for (let k = 0; k < this.slot.length; k++) this.slot[k]! += sign * sums.slot[k]!;
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
  appendBest(out, list, LARGEST, (group) => (group === but ? -1 : group.size));
  appendBest(out, list, LARGEST + NEAREST, (group) => {
    if (group === but || out.includes(group)) return -1;
    let square = 0;
    for (let i = 0; i < centre.length; i++) square += (group.centre[i]! - centre[i]!) * (group.centre[i]! - centre[i]!);
    return 1 / (1e-300 + square);
  });
}

/** Appends to `out`, up to `size` in all, those of `list` with the largest score, first of equals; a score below 0 is out. */
function appendBest(out: Group[], list: readonly Group[], size: number, score: (group: Group) => number): void {
  const scores = list.map(score);
  while (out.length < size) {
    let best = 0;
    for (let k = 1; k < scores.length; k++) if (scores[k]! > scores[best]!) best = k;
    if (scores[best]! < 0) return;
    out.push(list[best]!);
    scores[best] = -1;
  }
}
