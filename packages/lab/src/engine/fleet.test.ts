import { createFleet, type DcbOptions, type DccbOptions, dcb, dccb, Random } from "@coterie/core";
import { PeerFleet, REFRESH_EVERY } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchedFleet } from "./fleet.ts";
import { sphereWorld } from "./testing/sphereWorld.ts";

interface Played {
  readonly seed: number;
  readonly peers: number;
  readonly dimension: number;
  readonly arms: number;
  readonly rounds: number;
  readonly clusters: number;
  readonly kind: "dcb" | "dccb";
  readonly options: Partial<DccbOptions>;
}

function fleetsOf({ seed, peers, dimension, arms, rounds, kind, options }: Played) {
  const policy = kind === "dcb" ? dcb(options) : dccb(options);
  const random = (): Random => Random.seeded(seed).fork("policy");
  const byPeer = createFleet({ policy, dimension, peers, random: random() });
  const checked = policy.options as DcbOptions;
  const shape = { dimension, peers, arms, rounds };
  const batched = new BatchedFleet({ kind, options: checked, random: random(), ...shape });
  if (!(byPeer instanceof PeerFleet)) throw new Error("dcb and dccb are policies of peers");
  return { byPeer, batched };
}

/** Plays both, and says how many prunes and promotions there were, so that a test can tell that it tests something. */
function playBoth(played: Played): { prunes: number } {
  const { byPeer, batched } = fleetsOf(played);
  const world = sphereWorld(played.seed, played.peers, played.dimension, played.arms, played.clusters);
  for (let round = 1; round <= played.rounds; round++) {
    const offered = world(round);
    byPeer.round(offered);
    batched.round(offered);
    expect(Array.from(batched.choices)).toEqual(Array.from(byPeer.choices));
    expect(batched.traffic).toEqual(byPeer.traffic);
    byPeer.members.forEach(({ learner: { view } }, i) => {
      expect(bits(batched.estimate(i))).toEqual(bits(view.estimate));
    });
  }
  let prunes = 0;
  byPeer.members.forEach(({ learner: { view } }, i) => {
    expect(Array.from(batched.active(i))).toEqual(Array.from(view.active));
    expect(batched.evidence(i)).toBe(view.evidence);
    expect(batched.own()).toBe(view.own);
    expect(batched.held).toBe(view.buffered);
    expect([...batched.pruned(i)].sort()).toEqual([...view.pruned].sort());
    prunes += view.pruned.size;
  });
  return { prunes };
}

const THEORY = { kind: "theory", norm: 1, noise: 0.1, delta: 0.01, weight: 1 } as const;

const bits = (values: Float64Array): bigint[] => Array.from(new BigInt64Array(values.slice().buffer));

const delay = fc.oneof(
  fc.record({ rounds: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ factor: fc.constantFrom(0.5, 1, 2), networkExponent: fc.constantFrom(0, 0.5, 1) }),
);
const radius = fc.constantFrom({ kind: "practical", alpha: 0.3 } as const, THEORY);
const common = {
  delay,
  radius,
  weight: fc.constantFrom("sum" as const, "mean" as const),
  pairing: fc.constantFrom("permutation" as const, "matching" as const, "neighbours" as const),
};
const shape = {
  seed: fc.integer({ min: 0, max: 1e6 }),
  peers: fc.integer({ min: 1, max: 23 }),
  dimension: fc.integer({ min: 1, max: 9 }),
  arms: fc.integer({ min: 1, max: 13 }),
  rounds: fc.integer({ min: 1, max: 40 }),
  clusters: fc.integer({ min: 1, max: 3 }),
};

describe("the batched engine", () => {
  it("plays dcb as core's fleet does, bit for bit", () => {
    const buffer = fc.constantFrom("slots" as const, "epoch" as const);
    const options = fc.record({ ...common, buffer });
    const played = fc.record({ ...shape, kind: fc.constant("dcb" as const), options });
    fc.assert(
      fc.property(played, (it) => void playBoth(it)),
      { numRuns: 100 },
    );
  });

  it("plays dccb as core's fleet does, bit for bit, prunes and resets included", () => {
    let prunes = 0;
    const options = fc.record({
      ...common,
      threshold: fc.record({ kind: fc.constant("practical" as const), factor: fc.constantFrom(0.2, 0.5, 1) }),
      sharing: fc.constantFrom("equal" as const, "mutual" as const),
    });
    const played = fc.record({ ...shape, kind: fc.constant("dccb" as const), options });
    fc.assert(
      fc.property(played, (it) => {
        prunes += playBoth(it).prunes;
      }),
      { numRuns: 80 },
    );
    expect(prunes).toBeGreaterThan(100);
  });

  it("refreshes the peers' own balls when core does", () => {
    const shape = { seed: 3, peers: 5, dimension: 3, arms: 3, rounds: 2 * REFRESH_EVERY + 20, clusters: 1 };
    playBoth({ ...shape, kind: "dccb", options: { delay: { rounds: 2 } } });
  });
});
