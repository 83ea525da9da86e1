import { lnGamma } from "../numbers/gamma.ts";
import { addScaled } from "../numbers/packed.ts";
import type { Evidence } from "./evidence.ts";
import { type GroupEntry, nearestOfEach } from "./group.ts";
import { lnGroups } from "./partition.ts";
import type { Model } from "./population.ts";

/** With how many others, those that lie nearest, a record may be joined. */
const NEAREST = 4;
/** With how many others a group may be joined: of those that either half of it may, the ones that gained most with it. */
const MOST = 6;

/** Records that were joined on the way, their weighted sums, and the value of those. */
interface Part {
  readonly members: GroupEntry[];
  readonly slot: Float64Array;
  readonly value: number;
}

/** Two that may be joined: the value of both together, and what the score of the partition gains by it, but for the number of groups. */
interface Pair {
  readonly one: Part;
  readonly other: Part;
  readonly value: number;
  readonly gain: number;
}

/**
 * A partition made from nothing, best pair first: everybody is alone, then the two parts that gain most are joined,
 *
 *     gain = value(a + b) − value(a) − value(b) + ln Γ(n_a + n_b) − ln Γ(n_a) − ln Γ(n_b)
 *
 * until no pair is left. Of the partitions on the way it is the one with the highest score, but has at most half as many groups as
 * records: two short records are never much likelier together than apart, so what lies just below "all alone" says little.
 *
 * Only some pairs are tried: a record with the four that lie nearest, a group with those that its two halves were tried with. That takes about
 * eight evidences for each record.
 */
export function agglomerate(entries: readonly GroupEntry[], evidence: Evidence, model: Model): readonly GroupEntry[][] {
  let parts = entries.map(alone);
  const pairs = new Pairs(entries.length, evidence, model);
  for (const [k, near] of nearestOfEach(entries, NEAREST).entries()) {
    pairs.add(
      parts[k]!,
      near.map((place) => parts[place]!),
    );
  }
  let gained = 0;
  let best = -Infinity;
  let found = parts;
  for (let top = pairs.best(); top !== null; top = pairs.best()) {
    const { one, other, value, gain } = top;
    const both = join(one, other, value);
    parts = parts.filter((part) => part !== one && part !== other);
    parts.push(both);
    pairs.add(both, pairs.drop(one, other));
    gained += gain;
    const score = gained + lnGroups(parts.length, entries.length);
    if (2 * parts.length > entries.length || score <= best) continue;
    best = score;
    found = parts;
  }
  return found.map(({ members }) => members);
}

const alone = (entry: GroupEntry): Part => ({ members: [entry], slot: entry.slot, value: entry.value });

function join(one: Part, other: Part, value: number): Part {
  const slot = one.slot.slice();
  addScaled(slot, 0, other.slot, 0, slot.length, 1);
  return { members: [...one.members, ...other.members], slot, value };
}

class Pairs {
  readonly #pairs: Pair[] = [];
  readonly #values: number[] = [];
  /** ln Γ of each size. */
  readonly #lnGammas: readonly number[];

  constructor(
    most: number,
    readonly evidence: Evidence,
    readonly model: Model,
  ) {
    this.#lnGammas = Array.from({ length: most + 1 }, (_, size) => (size === 0 ? 0 : lnGamma(size)));
  }

  add(one: Part, others: readonly Part[]): void {
    const [values, lnGammas] = [this.#values, this.#lnGammas];
    this.evidence.ofSums(values, others, one.slot, 1, this.model);
    for (let k = 0; k < others.length; k++) {
      const other = others[k]!;
      const value = values[k]!;
      const [m, n] = [one.members.length, other.members.length];
      const gain = value - one.value - other.value + lnGammas[m + n]! - lnGammas[m]! - lnGammas[n]!;
      // Sums that nobody can have seen are joined with nobody.
      if (Number.isFinite(gain)) this.#pairs.push({ one, other, value, gain });
    }
  }

  best(): Pair | null {
    let best: Pair | null = null;
    for (const pair of this.#pairs) if (best === null || pair.gain > best.gain) best = pair;
    return best;
  }

  /** Drops all pairs of either. Those that they might have been joined with: the ones that gained most, at most `MOST`. */
  drop(one: Part, other: Part): Part[] {
    const pairs = this.#pairs;
    const gains = new Map<Part, number>();
    let kept = 0;
    for (const pair of pairs) {
      const [a, b] = [pair.one, pair.other];
      const first = a === one || a === other;
      const second = b === one || b === other;
      if (!first && !second) pairs[kept++] = pair;
      else if (first !== second) {
        const left = first ? b : a;
        gains.set(left, Math.max(gains.get(left) ?? -Infinity, pair.gain));
      }
    }
    pairs.length = kept;
    const left = [...gains.keys()];
    if (left.length <= MOST) return left;
    return left.sort((a, b) => gains.get(b)! - gains.get(a)!).slice(0, MOST);
  }
}
