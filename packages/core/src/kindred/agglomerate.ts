import { lnGamma } from "../numbers/gamma.ts";
import { addScaled } from "../numbers/packed.ts";
import type { Evidence } from "./evidence.ts";
import { type GroupEntry, nearest } from "./group.ts";
import { lnGroups } from "./partition.ts";
import type { Model } from "./population.ts";

/** With how many others, those that lie nearest, a cluster may be joined. */
const CANDIDATES = 6;

/** Records that were joined on the way. */
interface Cluster {
  readonly members: readonly GroupEntry[];
  /** Their weighted sums, the value of those, and the posterior mean of their θ, less μ. */
  readonly slot: Float64Array;
  readonly value: number;
  readonly centre: Float64Array;
}

/** Two that may be joined, and what the score of the partition gains by it, but for the number of groups. */
interface Pair {
  readonly one: Cluster;
  readonly other: Cluster;
  readonly gain: number;
}

/**
 * A partition made from nothing, best pair first: everybody is alone, then the two clusters that gain most are joined,
 *
 *     gain = value(a + b) − value(a) − value(b) + ln Γ(n_a + n_b) − ln Γ(n_a) − ln Γ(n_b)
 *
 * until one is left. Of the partitions on the way it is the one with the highest score, but has at most half as many groups as
 * records: two short records are never much likelier together than apart, so what lies just below "all alone" says little.
 *
 * A cluster is tried with the six that lie nearest, not with all: that takes about ten evidences for each record.
 */
export function agglomerate(entries: readonly GroupEntry[], evidence: Evidence, model: Model): readonly GroupEntry[][] {
  let clusters: Cluster[] = entries.map(ofOne);
  let pairs = nearPairs(clusters, evidence, model);
  let gained = 0;
  let best = -Infinity;
  let found = clusters;
  while (pairs.length > 0) {
    const { one, other, gain } = pairs.reduce((top, pair) => (pair.gain > top.gain ? pair : top));
    const isLeft = (cluster: Cluster): boolean => cluster !== one && cluster !== other;
    const both = join(one, other, evidence, model);
    clusters = clusters.filter(isLeft);
    pairs = pairs.filter((pair) => isLeft(pair.one) && isLeft(pair.other));
    const near = nearest(clusters, both.centre, CANDIDATES);
    pairs.push(...pairsOf(both, near, evidence, model));
    clusters.push(both);
    gained += gain;
    const score = gained + lnGroups(clusters.length, entries.length);
    if (2 * clusters.length > entries.length || score <= best) continue;
    best = score;
    found = clusters;
  }
  return found.map(({ members }) => [...members]);
}

const ofOne = (entry: GroupEntry): Cluster => ({
  members: [entry],
  slot: entry.slot,
  value: entry.value,
  centre: entry.centre,
});

function join(one: Cluster, other: Cluster, evidence: Evidence, { prior, noise }: Model): Cluster {
  const slot = one.slot.slice();
  addScaled(slot, 0, other.slot, 0, slot.length, 1);
  const centre = new Float64Array(one.centre.length);
  const value = evidence.of(slot, prior, noise, centre);
  return { members: [...one.members, ...other.members], slot, value, centre };
}

/** Of each cluster those with the nearest others, each pair once. */
function nearPairs(clusters: readonly Cluster[], evidence: Evidence, model: Model): Pair[] {
  const tried = new Map<Cluster, readonly Cluster[]>();
  return clusters.flatMap((cluster) => {
    // The nearest of all is the cluster itself.
    const near = nearest(clusters, cluster.centre, CANDIDATES + 1).filter((other) => other !== cluster);
    tried.set(cluster, near);
    const fresh = near.filter((other) => tried.get(other)?.includes(cluster) !== true);
    return pairsOf(cluster, fresh, evidence, model);
  });
}

function pairsOf(one: Cluster, others: readonly Cluster[], evidence: Evidence, model: Model): Pair[] {
  const values: number[] = [];
  evidence.ofSums(values, others, one.slot, 1, model);
  return others.flatMap((other, k) => {
    const [m, n] = [one.members.length, other.members.length];
    const ways = lnGamma(m + n) - lnGamma(m) - lnGamma(n);
    const gain = values[k]! - one.value - other.value + ways;
    // Not a number, or not a sum that anybody can have seen, where either is not positive semidefinite.
    return Number.isFinite(gain) ? [{ one, other, gain }] : [];
  });
}
