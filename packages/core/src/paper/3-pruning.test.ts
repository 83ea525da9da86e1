// Section 3, Algorithm DCCB and its pruning protocol.
import { describe, expect, it } from "vitest";
import { Local } from "../bandit/local.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import type { PeerFleet } from "../fleet/peers.ts";
import { thresholdAt } from "../gossip/threshold.ts";
import { dccb } from "../policies/dccb.ts";
import { seeds } from "./testing/measure.ts";
import { activeOf, fleetOf, slotsOf } from "./testing/weights.ts";
import { play, World } from "./testing/world.ts";

/** One feature, one arm [1]: a gram counts observations and a moment adds up rewards. */
const paying = (rewards: number[]): OfferedTurn => ({
  arms: () => ({ count: 1, values: Float64Array.of(1) }),
  pay: (peer) => rewards[peer]!,
});

const pairOf = (slot: Float64Array): number[] => Array.from(slot);
const bufferOf = (fleet: PeerFleet, peer: number): number[][] => {
  const slots = slotsOf(fleet, peer);
  return Array.from({ length: slots.length }, (_, k) => [0, 1].map((n) => slots.values[slots.offset(k) + n]!));
};
const nearOf = (fleet: PeerFleet, peer: number): number[] =>
  Array.from({ length: fleet.peers }, (_, j) => j).filter((j) => fleet.near(peer, j));

describe("Section 3, eq. thresh_def: c_λ^thresh(t)", () => {
  const [d, noise, delta, lambda] = [4, 0.5, 0.1, 0.25];
  const threshold = { kind: "theory", lambda, noise, delta } as const;
  const reach = (t: number): number => noise * Math.sqrt(2 * d * Math.log(t) + 2 * Math.log(2 / delta)) + 1;
  const growth = (t: number, first: number): number => {
    const logarithm = Math.log((t + 3) / (delta / (4 * d)));
    return first - 8 * logarithm - 2 * Math.sqrt(t * logarithm);
  };

  it("is (R√(2d log t + 2 log(2/δ)) + 1)/√(1 + max(A_λ(t, δ/4d), 0)) with λt/4", () => {
    for (const t of [1, 10, 1000, 20_000, 100_000, 1e6]) {
      const expected = reach(t) / Math.sqrt(1 + Math.max(growth(t, (lambda * t) / 4), 0));
      expect(thresholdAt(threshold, 7, 9, t, d)).toBeCloseTo(expected, 12);
    }
    // While A_λ is negative it is the numerator, which grows.
    expect(thresholdAt(threshold, 0, 0, 1000, d)).toBeGreaterThan(thresholdAt(threshold, 0, 0, 10, d));
    expect(thresholdAt(threshold, 0, 0, 1e6, d)).toBeLessThan(0.1);
  });

  it("with λt/δ as printed (δ → δ/4d) it falls within a few rounds, 16d/δ times as steeply", () => {
    const printed = { ...threshold, lambda: (lambda * 16 * d) / delta };
    for (const t of [3, 10, 1000]) {
      const expected = reach(t) / Math.sqrt(1 + Math.max(growth(t, (lambda * t) / (delta / (4 * d))), 0));
      expect(thresholdAt(printed, 0, 0, t, d)).toBeCloseTo(expected, 12);
      expect(thresholdAt(printed, 0, 0, t, d)).toBeLessThan(thresholdAt(threshold, 0, 0, t, d) / 3);
    }
  });

  it("eq. lem_sharing_bound_1, no peer of one's own cluster is pruned: so with λt/4, not with λt/δ", () => {
    const wrong = (steeper: number): number => {
      const [peers, dimension] = [6, 2];
      return seeds(10).filter((seed) => {
        const theory = { kind: "theory", lambda: 0.5 * steeper, noise: 0.3, delta } as const;
        const fleet = fleetOf(dccb({ threshold: theory }), dimension, peers, seed);
        play(new World({ peers, dimension, arms: 5, noise: 0.3, clusters: 2, seed }), fleet, 60);
        return [0, 1].some((i) => [2, 4].some((k) => !fleet.near(i, i + k)));
      }).length;
    };
    expect(wrong(1)).toBe(0);
    expect(wrong((16 * 2) / delta)).toBe(10);
  });
});

describe("Section 3, the local pair", () => {
  it("is CB's: A_local,t = A_local,t−1 + x xᵀ, b_local,t = b_local,t−1 + r x, whatever is shared", () => {
    const [peers, dimension] = [4, 3];
    const fleet = fleetOf(dccb({ threshold: { kind: "practical", factor: 1e9 } }), dimension, peers, 1);
    const world = new World({ peers, dimension, arms: 4, noise: 0.3, seed: 1 });
    const locals = Array.from({ length: peers }, () => new Local(dimension));
    play(world, fleet, 40, () => {
      locals.forEach((local, i) => {
        local.observe(world.chosen(fleet, i), 0, fleet.rewards[i]!);
        const offer = fleet.members[i]!.learner.offer() as unknown as { estimate: Float64Array; count: number };
        expect(Array.from(offer.estimate)).toEqual(Array.from(local.ball.estimate));
        expect(offer.count).toBe(local.statistics.count);
      });
    });
  });
});

describe("Section 3, the test and the three actions", () => {
  const options = { delay: { rounds: 10 }, threshold: { kind: "practical", factor: 0.5 } } as const;
  const alone = Int32Array.of(0, 1, 2, 3);
  const world = paying([1, 1, -1, 1]);

  /** Round 1 alone; then 0 → 1 → 2 → 3 → 0, in which 1 and 2, and 2 and 3, are unlike. */
  const parted = (): PeerFleet => {
    const fleet = fleetOf(dccb(options), 1, 4, 1);
    fleet.round(world, alone);
    fleet.round(world, Int32Array.of(1, 2, 3, 0));
    return fleet;
  };

  it("the test reads estimates from before this round's observation", () => {
    // In round 1 nobody has an estimate yet, so nobody is unlike.
    const fleet = fleetOf(dccb(options), 1, 4, 1);
    fleet.round(world, Int32Array.of(1, 2, 3, 0));
    for (let i = 0; i < 4; i++) expect(nearOf(fleet, i)).toEqual([0, 1, 2, 3]);
    expect(fleet.outcomes).toEqual(["mix", "mix", "mix", "mix"]);
  });

  it("strictly further apart: '>' as in the algorithm, not '≥' as in eq. thresh", () => {
    const fleet = fleetOf(dccb({ ...options, threshold: { kind: "practical", factor: 0 } }), 1, 4, 1);
    for (let round = 1; round <= 5; round++) fleet.round(paying([1, 1, 1, 1]), Int32Array.of(1, 2, 3, 0));
    // Distance 0, threshold 0.
    for (let i = 0; i < 4; i++) expect(nearOf(fleet, i)).toEqual([0, 1, 2, 3]);
  });

  it("(3) V^i = V^i∖{j} and V^j = V^j∖{i}: both sides, whoever asked", () => {
    const fleet = parted();
    expect(fleet.outcomes).toEqual(["mix", "prune", "prune", "mix"]);
    expect([0, 1, 2, 3].map((i) => nearOf(fleet, i))).toEqual([
      [0, 1, 2, 3],
      [0, 1, 3],
      [0, 2],
      [0, 1, 3],
    ]);
  });

  it("(3) eq. reseting: 𝒜 = (0, …, A_local), Ã = A_local, and b alike, I and this round's observation included", () => {
    const fleet = parted();
    for (const [i, reward] of [
      [1, 1],
      [2, -1],
      [3, 1],
    ] as const) {
      // The slot holds the I of A_local; the active pair's I is added where the ball is made.
      expect(bufferOf(fleet, i)).toEqual([
        [0, 0],
        [3, 2 * reward],
      ]);
      expect(pairOf(activeOf(fleet, i))).toEqual([2, 2 * reward]);
    }
  });

  it("(3) a reset wins over a mix: 3 would have mixed with 0 in its own turn, but was parted from by 2", () => {
    const fleet = parted();
    expect(fleet.outcomes[3]).toBe("mix");
    expect(bufferOf(fleet, 3)[0]).toEqual([0, 0]);
    // 0 mixed with 1's buffer as it was before the round.
    expect(bufferOf(fleet, 0)).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it("(3) the prune branch appends too: all buffers keep the same rounds in the same places", () => {
    const fleet = parted();
    for (let i = 0; i < 4; i++) expect(slotsOf(fleet, i).length).toBe(2);
    fleet.round(world, Int32Array.of(0, 3, 2, 1));
    for (let i = 0; i < 4; i++) expect(slotsOf(fleet, i).length).toBe(3);
  });

  it("(2) not unlike but V^i ≠ V^j: no sharing and no pruning", () => {
    const fleet = parted();
    const before = [0, 1].map((i) => bufferOf(fleet, i));
    fleet.round(world, Int32Array.of(1, 0, 2, 3));
    expect(fleet.outcomes.slice(0, 2)).toEqual(["keep", "keep"]);
    for (const i of [0, 1]) expect(bufferOf(fleet, i)).toEqual([...before[i]!, [1, 1]]);
    expect(nearOf(fleet, 0)).toEqual([0, 1, 2, 3]);
  });

  it("(1) not unlike and V^i = V^j: they share as in DCB", () => {
    const fleet = parted();
    fleet.round(paying([1, 5, -1, 9]), Int32Array.of(0, 3, 2, 1));
    expect(fleet.outcomes).toEqual([null, "mix", null, "mix"]);
    const mixed = [
      [0, 0],
      [3, 2],
    ];
    expect(bufferOf(fleet, 1)).toEqual([...mixed, [1, 5]]);
    expect(bufferOf(fleet, 3)).toEqual([...mixed, [1, 9]]);
  });

  it("a partner outside the neighbourhood: nothing happens", () => {
    const fleet = parted();
    fleet.round(world, Int32Array.of(0, 2, 1, 3));
    expect(fleet.outcomes).toEqual([null, "stranger", "stranger", null]);
    expect(bufferOf(fleet, 1)).toEqual([
      [0, 0],
      [3, 2],
      [1, 1],
    ]);
    expect(pairOf(activeOf(fleet, 2))).toEqual([2, -2]);
  });

  it("after a reset local evidence counts twice: in the active pair and, when promoted, by the slot", () => {
    const fleet = fleetOf(dccb({ ...options, delay: { rounds: 2 } }), 1, 2, 1);
    const apart = paying([1, -1]);
    fleet.round(apart, Int32Array.of(0, 1));
    fleet.round(apart, Int32Array.of(1, 0));
    expect(pairOf(activeOf(fleet, 0))).toEqual([2, 2]);
    for (let round = 3; round <= 4; round++) fleet.round(apart, Int32Array.of(0, 1));
    // Slot 1 was zeroed; slot 2 is (I + 2 observations): 2 + 3, and with its I in the gram.
    expect(pairOf(activeOf(fleet, 0))).toEqual([5, 4]);
  });
});
