import { createFleet, type DcbOptions, type DccbOptions, dcb, dccb, Random } from "@coterie/core";
import { distance, PeerFleet, REFRESH_EVERY } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchedFleet } from "./fleet.ts";
import { startHelper } from "./helper.ts";
import type { Replay } from "./layout.ts";
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
  readonly threads?: number;
  readonly replay?: Replay;
}

function fleetsOf({ seed, peers, dimension, arms, rounds, kind, options, threads = 1, replay = "exact" }: Played) {
  const policy = kind === "dcb" ? dcb(options) : dccb(options);
  const random = (): Random => Random.seeded(seed).fork("policy");
  const byPeer = createFleet({ policy, dimension, peers, random: random() });
  const checked = policy.options as DcbOptions;
  const shape = { dimension, peers, arms, rounds, threads, startHelper, replay };
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
  batched.close();
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

  it("does so whatever the number of threads", () => {
    const threshold = { kind: "practical", factor: 0.4 } as const;
    const shape = { seed: 7, peers: 23, dimension: 6, arms: 9, rounds: 80, clusters: 2 };
    playBoth({ ...shape, threads: 2, kind: "dcb", options: { delay: { rounds: 9 }, radius: THEORY } });
    playBoth({ ...shape, threads: 2, kind: "dcb", options: { delay: { rounds: 4 }, buffer: "epoch" } });
    const options = { threshold, delay: { rounds: 5 }, pairing: "permutation" } as const;
    expect(playBoth({ ...shape, threads: 3, kind: "dccb", options }).prunes).toBeGreaterThan(0);
  });

  it("refreshes the peers' own balls when core does", () => {
    const shape = { seed: 3, peers: 5, dimension: 3, arms: 3, rounds: 2 * REFRESH_EVERY + 20, clusters: 1 };
    playBoth({ ...shape, kind: "dccb", options: { delay: { rounds: 2 } } });
  });
});

const LONG: Played = {
  seed: 11,
  peers: 30,
  dimension: 7,
  arms: 8,
  rounds: 400,
  clusters: 1,
  kind: "dcb",
  options: { delay: { rounds: 60 }, radius: THEORY },
};

/** The largest distance of two estimates, and how many choices differ, over a whole run. */
function compare(played: Played): { off: number; differing: number; probed: number } {
  const { byPeer, batched } = fleetsOf(played);
  const world = sphereWorld(played.seed, played.peers, played.dimension, played.arms, played.clusters);
  let off = 0;
  let differing = 0;
  for (let round = 1; round <= played.rounds; round++) {
    const offered = world(round);
    byPeer.round(offered);
    batched.round(offered);
    for (let i = 0; i < played.peers; i++) {
      if (byPeer.choices[i] !== batched.choices[i]) differing += 1;
      off = Math.max(off, distance(byPeer.estimate(i), batched.estimate(i)));
    }
  }
  return { off, differing, probed: batched.probed };
}

describe("the cheaper ways to promote", () => {
  it("deviation in single precision stays within 1e-7 and changes no choice", () => {
    const { off, differing } = compare({ ...LONG, replay: "deviation" });
    expect(differing).toBe(0);
    expect(off).toBeGreaterThan(0);
    expect(off).toBeLessThan(1e-7);
  });

  it("deviation holds for short delays and permutations too", () => {
    const options = { ...LONG.options, delay: { rounds: 3 }, pairing: "permutation" } as const;
    const { off, differing } = compare({ ...LONG, options, replay: "deviation" });
    expect(differing).toBe(0);
    expect(off).toBeLessThan(1e-6);
  });

  it("deviation outlives the range of a single number", () => {
    const options = { ...LONG.options, delay: { rounds: 200 } };
    expect(compare({ ...LONG, options, replay: "deviation" }).off).toBeLessThan(1e-7);
  });

  it("collapse is as close as its probe says, where delays are long", () => {
    const { off, differing, probed } = compare({ ...LONG, replay: "collapse" });
    expect(probed).toBeGreaterThan(0);
    expect(probed).toBeLessThan(1e-7);
    expect(off).toBeLessThan(1e-5);
    expect(differing).toBe(0);
  });

  it("collapse refuses delays that are too short for it", () => {
    const options = { ...LONG.options, delay: { rounds: 6 } };
    expect(() => compare({ ...LONG, options, replay: "collapse" })).toThrow(/delays are long enough.*collapse, off by/);
  });
});
