import { describe as about, expect, it } from "vitest";
import type { Plan } from "./plan/plan.ts";
import { storm } from "./storm.ts";

/** Runs that failed once, with the faults it took: as data, so that they stay what they were however plans are drawn. */
const STORIES: readonly (readonly [string, Plan])[] = [
  [
    "a reward that a damaged disk lost, told again, weighs as much as it did",
    {
      seed: 64,
      peers: 6,
      rounds: 40,
      setting: {
        policy: "dcb",
        delay: 34,
        bridge: true,
        sharing: "mutual",
        clusters: 1,
        coded: false,
        clip: false,
        guard: false,
        forgive: false,
      },
      faults: [
        { kind: "partition", at: 24, rounds: 12, side: [1, 2, 3, 5], oneWay: false },
        { kind: "partition", at: 2, rounds: 1, side: [1, 5], oneWay: true },
        { kind: "crash", peer: 1, at: 0, write: 7, how: "before", rounds: 0, damage: null },
        { kind: "crash", peer: 0, at: 2, write: 4, how: "after", rounds: 0, damage: "flip" },
        { kind: "late", peer: 5, at: 34 },
      ],
    },
  ],
  [
    "an answer that is asked for again leaves no sooner than it is on the disk",
    {
      seed: 202,
      peers: 6,
      rounds: 40,
      setting: {
        policy: "dccb",
        delay: 3,
        bridge: false,
        sharing: "mutual",
        clusters: 1,
        coded: false,
        clip: false,
        guard: false,
        forgive: false,
      },
      faults: [
        { kind: "loss", rate: 0.03523014274630914 },
        { kind: "duplicates", rate: 0.29483284045257135 },
        { kind: "write-error", peer: 2, at: 6, how: "doubt" },
        { kind: "slow-disk", mostMs: 451.05460343528364 },
      ],
    },
  ],
];

about("a story that failed once", { timeout: 120_000 }, () => {
  it.each(STORIES)("holds: %s", async (_, plan) => {
    expect((await storm(plan)).failure).toBeNull();
  });
});
