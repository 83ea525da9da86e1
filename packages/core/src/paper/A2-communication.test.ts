// Section 2.1, "Communication Complexity", and Appendix A.2: what a round costs, as the wire format would send it.
import { describe, expect, it } from "vitest";
import type { CentralPolicy } from "../central/centre.ts";
import { pooled } from "../central/pooled.ts";
import { createFleet, type Fleet } from "../fleet/fleet.ts";
import type { OfferedTurn } from "../fleet/offered.ts";
import { slotSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { roundRobin } from "../policies/roundRobin.ts";
import { solo } from "../policies/solo.ts";
import { NEVER } from "./testing/clusters.ts";
import { gap } from "./testing/measure.ts";
import { activeOf, fleetOf } from "./testing/weights.ts";
import { World } from "./testing/world.ts";

/** One arm for everybody: only the bytes matter here. */
const anything = (dimension: number): OfferedTurn => {
  const values = new Float64Array(dimension).fill(1 / Math.sqrt(dimension));
  return { arms: () => ({ count: 1, values }), pay: () => 1 };
};

/** Bytes of the network in round `round` alone. */
function bytesIn(policy: Policy | CentralPolicy, dimension: number, peers: number, round: number): number {
  const fleet: Fleet = createFleet({ policy, dimension, peers, random: Random.seeded(1) });
  for (let t = 1; t < round; t++) fleet.round(anything(dimension));
  const before = fleet.traffic.bytes!;
  fleet.round(anything(dimension));
  return fleet.traffic.bytes! - before;
}

/**
 * Are these the bytes of `numbers` numbers of 8 bytes, but for framing? Frames and slots have a little of their own
 * (headers, tags, counts), which the wire format's tests pin down.
 */
function expectNumbers(bytes: number, numbers: number, frames: number, slots = 0): void {
  expect(bytes).toBeGreaterThanOrEqual(8 * numbers);
  expect(bytes).toBeLessThanOrEqual(8 * numbers + 64 * frames + 16 * slots);
}

describe("Section 2.1 and table of Appendix A.2: per-round communication", () => {
  it("CB-NoSharing: 0", () => expect(bytesIn(solo(), 3, 4, 5)).toBe(0));

  it("CB-InstSharing: O(d|V|²), every choice and reward to every other peer", () => {
    expect(bytesIn(pooled(), 5, 10, 3)).toBe(10 * 9 * 8 * 6);
    expect(bytesIn(pooled(), 5, 20, 3) / bytesIn(pooled(), 5, 10, 3)).toBeCloseTo(380 / 90, 12);
  });

  it.each([
    [4, 2, 30],
    [4, 2, 300],
    [8, 6, 100],
    [16, 3, 60],
  ])("DCB: O(log2(|V|t) d² |V|): |V| = %d, d = %d, t = %d", (peers, dimension, round) => {
    // What was buffered after the round before; each peer sends and receives once a round (V is even).
    const held = Math.min(round - 1, Math.floor(4 * Math.log2(peers ** 1.5 * (round - 1))));
    const slots = peers * held;
    expectNumbers(bytesIn(dcb(), dimension, peers, round), slots * slotSize(dimension), peers, slots);
  });

  it("DCB: the same rounds later by a factor 2 cost 4 more slots, twice the peers 6 more, twice the features 4 times", () => {
    // Of 10 features each: 65 numbers a slot.
    const each = (peers: number, round: number): number => bytesIn(dcb(), 10, peers, round) / peers;
    expectNumbers(each(4, 257) - each(4, 129), 4 * slotSize(10), 0, 4);
    expectNumbers(each(8, 129) - each(4, 129), 6 * slotSize(10), 0, 6);
    expect(bytesIn(dcb(), 16, 4, 60) / bytesIn(dcb(), 8, 4, 60)).toBeGreaterThan(3);
    expect(bytesIn(dcb(), 16, 4, 60) / bytesIn(dcb(), 8, 4, 60)).toBeLessThan(4);
  });

  it("epoch buffers: O(d²|V|) over any horizon", () => {
    const epoch = dcb({ buffer: "epoch" });
    expectNumbers(bytesIn(epoch, 10, 4, 60), 4 * slotSize(10), 4, 4);
    expect(bytesIn(epoch, 10, 4, 400)).toBe(bytesIn(epoch, 10, 4, 60));
    expect(bytesIn(epoch, 10, 8, 120)).toBe(2 * bytesIn(epoch, 10, 4, 60));
  });

  it("DCCB: the pruning protocol adds O(d|V|), one estimate a peer", () => {
    const common = { pairing: "matching", delay: { rounds: 20 } } as const;
    for (const dimension of [2, 10]) {
      const extra =
        bytesIn(dccb({ ...common, threshold: NEVER }), dimension, 6, 40) - bytesIn(dcb(common), dimension, 6, 40);
      expectNumbers(extra, 6 * dimension, 6);
    }
  });

  it("'a significant reduction when log(|V|t) d ≪ |V|': not at 91 peers and 25 features, the size of its own data", () => {
    const [peers, dimension, round] = [91, 25, 60];
    const instant = bytesIn(pooled(), dimension, peers, round);
    expect(bytesIn(dcb(), dimension, peers, round)).toBeGreaterThan(8 * instant);
    // d ≪ |V| is what epochs need; they do save here, a little over seven times.
    expect(bytesIn(dcb({ buffer: "epoch" }), dimension, peers, round)).toBeLessThan(instant / 6);
  });
});

describe("Appendix A.2, round-robin", () => {
  it.each([2, 5, 8])("'at any time, each agent will be lacking |V|(|V|−1)/2 observations' (%d peers)", (peers) => {
    const fleet = fleetOf(roundRobin(), 2, peers, 1);
    for (let round = 1; round <= 3 * peers; round++) {
      fleet.round(anything(2));
      if (round < peers - 1) continue;
      for (let i = 0; i < peers; i++) expect(peers * round - fleet.evidence(i)).toBe((peers * (peers - 1)) / 2);
    }
  });

  it("passing observations on costs O(d|V|²), as CB-InstSharing does", () => {
    const [small, large] = [bytesIn(roundRobin(), 5, 10, 40), bytesIn(roundRobin(), 5, 20, 40)];
    expectNumbers(small, 10 * 9 * 6, 10, 10 * 9);
    expect(large / small).toBeGreaterThan(3.8);
  });

  it("'can have the same low communication costs as DCB': a running sum would do, d² numbers a peer and round", () => {
    // K_i(t) = own_i(t) + K_{i−1}(t−1) − own_i(t−|V|): what comes round again is one's own, and is taken off.
    const [peers, dimension, rounds] = [5, 2, 30];
    const fleet = fleetOf(roundRobin(), dimension, peers, 1);
    const world = new World({ peers, dimension, arms: 3, noise: 0.3, seed: 1 });
    const zero = new Float64Array(slotSize(dimension));
    const own: Float64Array[][] = [Array.from({ length: peers }, () => zero)];
    let known: Float64Array[] = own[0]!;
    for (let round = 1; round <= rounds; round++) {
      fleet.round(world.next());
      own.push(own[round - 1]!.map((sum, i) => plusObservation(sum, world.chosen(fleet, i), fleet.rewards[i]!)));
      const before = known;
      known = before.map((_, i) =>
        own[round]![i]!.map((value, k) => {
          const returned = own[Math.max(round - peers, 0)]![i]![k]!;
          return value + before[(i + peers - 1) % peers]![k]! - returned;
        }),
      );
      for (let i = 0; i < peers; i++) expect(gap(activeOf(fleet, i), known[i]!)).toBeLessThan(1e-9);
    }
  });
});

function plusObservation(sum: Float64Array, [a, b]: Float64Array, reward: number): Float64Array {
  const [x, y] = [a!, b!];
  return Float64Array.of(x * x, x * y, y * y, reward * x, reward * y).map((value, k) => value + sum[k]!);
}
