// Appendix A.4, Step 2, and A.5: what the weights are once the clusters are found.
import { describe, expect, it } from "vitest";
import { Statistics } from "../bandit/statistics.ts";
import type { PeerFleet } from "../fleet/peers.ts";
import { Slots } from "../gossip/slots.ts";
import { dccb } from "../policies/dccb.ts";
import { agedInClusters, exact, foundClusters, tracedClusters, tracedWeights } from "./testing/clusters.ts";
import { gap, type Measured, measured, seeds, sum } from "./testing/measure.ts";
import { fleetOf, tracers, type Weights } from "./testing/weights.ts";

const ERRORS = 4.5;
const PEERS = 8;
const inside = (i: number, j: number, clusters: number): boolean => i % clusters === j % clusters;

/** Two clusters of four that find themselves, the delay short enough for strangers' slots to be promoted before. */
function discovery(seed: number): PeerFleet {
  const options = { delay: { rounds: 4 }, threshold: { kind: "practical", factor: 1.8 } } as const;
  return fleetOf(dccb(options), PEERS + 1, PEERS, seed);
}

describe("Appendix A.4, Lemma DCCB_prpts", () => {
  it.each(seeds(5))(
    "(i) from exact recovery on w_{i,t}^{i',t'} = 0 for every i' outside the cluster (seed %d)",
    (seed) => {
      const fleet = discovery(seed);
      const world = tracedClusters(PEERS);
      const outside = (weights: Weights): number[] =>
        weights.flatMap((row, i) => row.filter((_, j) => !inside(i, j, 2)));
      let [before, found] = [0, 0];
      for (let round = 1; round <= 80; round++) {
        fleet.round(world);
        const strangers = outside(tracedWeights(fleet));
        if (found === 0 && exact(fleet, 2)) found = round;
        if (found === 0) before = Math.max(before, ...strangers);
        // A reset starts from the peer's own sums: not small, but none.
        else expect(strangers.every((weight) => weight === 0)).toBe(true);
      }
      expect(found).toBeGreaterThan(10);
      expect(before).toBeGreaterThan(0.5);
    },
  );

  it.each(seeds(5))(
    "(ii) of rounds t' > C the weights in the cluster sum to |U^k|, over i' and over i (seed %d)",
    (seed) => {
      const fleet = discovery(seed);
      const world = tracedClusters(PEERS);
      let [found, checked] = [Infinity, 0];
      let before = tracedWeights(fleet);
      for (let round = 1; round <= 80; round++) {
        fleet.round(world);
        if (found === Infinity && exact(fleet, 2)) found = round;
        const now = tracedWeights(fleet);
        if (round - 4 > found) {
          checked += 1;
          const gained = now.map((row, i) => row.map((weight, j) => weight - before[i]![j]!));
          for (let k = 0; k < PEERS; k++) {
            expect(sum(gained[k]!)).toBeCloseTo(4, 9);
            expect(sum(gained.map((row) => row[k]!))).toBeCloseTo(4, 9);
          }
        }
        before = now;
      }
      expect(checked).toBeGreaterThan(20);
    },
  );

  it("(ii) needs pairs: with a permutation of all peers, strangers skipped, the sum over i is not conserved", () => {
    const strayed = (pairing: "permutation" | "matching" | "neighbours"): number => {
      const totals = seeds(200).flatMap((seed) => {
        const weights = agedInClusters(PEERS, 2, pairing, 8, seed)[8]!;
        for (const row of weights) expect(sum(row)).toBeCloseTo(4, 12);
        return weights.map((_, origin) => (sum(weights.map((row) => row[origin]!)) - 4) ** 2);
      });
      return Math.sqrt(measured(totals).mean);
    };
    expect(strayed("neighbours")).toBeLessThan(1e-12);
    expect(strayed("matching")).toBeLessThan(1e-12);
    // One observation counts 4 ± this at the four peers together, and so the weights never even out to 1.
    expect(strayed("permutation")).toBeGreaterThan(1);
  });
});

describe("Appendix A.4, Lemma DCCB_lemma_4: E (w − 1)² ≤ |U^k| / 2^{t − max(t', C)}", () => {
  const ages = [1, 3, 5, 7];
  const spreadOf = (weights: Weights, clusters: number): number => {
    const own = weights.flatMap((row, i) => row.filter((_, j) => inside(i, j, clusters)));
    return sum(own.map((w) => (w - 1) ** 2)) / own.length;
  };
  /** The mean spread at each age, over independent runs. */
  const spreads = (peers: number, pairing: "neighbours" | "matching", most: number): Measured[] => {
    const runs = seeds(300).map((seed) => agedInClusters(peers, 2, pairing, most, seed));
    return Array.from({ length: most + 1 }, (_, age) => measured(runs.map((run) => spreadOf(run[age]!, 2))));
  };

  it("neighbours, clusters of 5: exactly (|U| − 1)/2^age", () => {
    const found = spreads(10, "neighbours", 7);
    for (const age of ages) {
      const { mean, error } = found[age]!;
      expect(Math.abs(mean - 4 / 2 ** age)).toBeLessThan(ERRORS * error + 1e-12);
      expect(mean).toBeLessThan(5 / 2 ** age);
    }
  });

  it("neighbours, clusters of 4: faster, 3 (⅓)^age", () => {
    // Two rounds with different pairs make four peers exactly even, so that later ages are hardly ever uneven.
    const found = spreads(8, "neighbours", 4);
    for (const age of [1, 2, 3, 4]) {
      const { mean, error } = found[age]!;
      expect(Math.abs(mean - 3 / 3 ** age)).toBeLessThan(ERRORS * error + 1e-12);
    }
  });

  it("a matching of all peers: slower, 1 − |U|/(2(|V|−1)) a round, and above the bound", () => {
    const found = spreads(8, "matching", 7);
    for (const age of ages) {
      const { mean, error } = found[age]!;
      expect(Math.abs(mean - 3 * (1 - 4 / 14) ** age)).toBeLessThan(ERRORS * error + 1e-12);
      if (age >= 3) expect(mean - ERRORS * error).toBeGreaterThan(4 / 2 ** age);
    }
  });
});

describe("Appendix A.4 and A.5, Lemma DCCB_cov-matrix-det", () => {
  // Two peers, Ã_C = K I and I, weights 2 and 0: Ã_t = K I, A_C = (K+1)/2 I, Σ|w − 1| = 2.
  const logRatio = (d: number, k: number): number => d * Math.log((2 * k) / (k + 1));

  it("(i) fails as printed from d = 3 on: det(I + cM) ≤ (1 + c)^d, not 1 + c", () => {
    expect(logRatio(2, 1e6)).toBeLessThan(2);
    expect(logRatio(3, 100)).toBeGreaterThan(2);
    expect(logRatio(25, 100)).toBeGreaterThan(17);
  });

  it("(i) holds with d Σ|w − 1| in the exponent", () => {
    for (const d of [1, 3, 25]) for (const k of [1, 10, 1e6]) expect(logRatio(d, k)).toBeLessThan(2 * d);
  });
});

describe("Appendix A.5, the reset 'scaled by the size of their current neighbour sets'", () => {
  const [size, dimension] = [4, 2];
  const local = (peer: number): Statistics => {
    const sums = new Statistics(dimension);
    for (let n = 0; n <= peer; n++) sums.add(Float64Array.of(0.6, 0.8 - 0.1 * peer), 0, peer - n);
    return sums;
  };
  /** Four peers, each with one slot, averaged until even; then promoted with `weight`. */
  const matured = (scale: number, weight: number): Float64Array => {
    const buffers = Array.from({ length: size }, (_, peer) => {
      const slots = new Slots(dimension);
      const scaled = new Statistics(dimension);
      scaled.count = scale;
      slots.append(1, scaled);
      local(peer).slot.forEach((value, k) => {
        slots.values[slots.offset(0) + k] = scale * value;
      });
      return slots;
    });
    for (const bit of [1, 2])
      for (let i = 0; i < size; i++) if ((i & bit) === 0) buffers[i]!.mixBoth(buffers[i | bit]!);
    const active = new Statistics(dimension);
    buffers[0]!.addTo(active, 0, weight);
    return active.slot;
  };

  it("scaled, with weight mean, a reset slot matures to what the plain one does with weight sum", () => {
    expect(gap(matured(size, 1), matured(1, size))).toBeLessThan(1e-12);
    expect(gap(matured(size, 1), matured(1, 1))).toBeGreaterThan(1);
  });

  it("'it does not make a difference practically': scaled and with weight sum too it counts |U| times too much", () => {
    const plain = matured(1, size);
    expect(
      gap(
        matured(size, size),
        plain.map((value) => size * value),
      ),
    ).toBeLessThan(1e-12);
  });

  it("what differs: under mean a slot counts 1, a reset one that is scaled |U|; under sum and plain all count |U|", () => {
    const countsPerSlot = (weight: "mean" | "sum"): [first: number, later: number] => {
      const fleet = foundClusters({ weight, pairing: "neighbours", delay: { rounds: 12 } }, PEERS, 2, 1);
      const world = tracers(PEERS);
      const counts: number[] = [];
      for (let round = 1; round <= 30; round++) {
        const before = fleet.evidence(0);
        fleet.round(world);
        counts.push(fleet.evidence(0) - before);
      }
      // Round 1 reset the active pair to one own observation; its slot is promoted in round 13.
      return [counts[12]!, counts[20]!];
    };
    expect(countsPerSlot("sum")).toEqual([4, 4]);
    expect(countsPerSlot("mean")).toEqual([1, 1]);
  });
});
