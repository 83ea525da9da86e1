import { describe, expect, it } from "vitest";
import { slotSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { groupingsFor } from "../testing/grouping.ts";
import { both, look, recordOf, type Seen } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { RECENT } from "./drift.ts";
import type { Groupings } from "./groupings.ts";
import { OwnSums } from "./own.ts";
import { Posterior } from "./posterior.ts";
import { solve } from "./solve.ts";

const D = 3;
const NOISE = 0.3;
/** What everybody liked at first, and likes now. */
const [OLD, NEW] = [
  [1, 0, 0.5],
  [0.9, 0.4, 0.5],
];

const seen = (seed: number): [Seen, Seen] => {
  const random = Random.seeded(seed);
  return [look(random, OLD, 200, NOISE), look(random, NEW, 70, NOISE)];
};

function observed(...parts: Seen[]): OwnSums {
  const own = new OwnSums(D);
  for (const { arms, rewards } of parts) {
    for (const [k, arm] of arms.entries()) own.add(Float64Array.from(arm), 0, rewards[k], 0);
  }
  return own;
}

/** Five that are put into one group, who have published before and since. */
function five(): Groupings {
  const lives = range(5).map((i) => seen(10 + i));
  const before = lives.map(([old], i) => recordOf(`${i}`, 1, old, D));
  const groupings = groupingsFor(before, D);
  groupings.take(before);
  groupings.shelf.chance.fill(0.5, 0, groupings.shelf.size);
  groupings.follow(false);
  for (const round of range(20)) {
    groupings.sweep(5);
    allOf(groupings.restarting(round));
  }
  groupings.take(lives.map(([old, recent], i) => recordOf(`${i}`, 2, both(old, recent), D)));
  groupings.follow(true);
  expect(groupings.all.map(({ list }) => list.length)).toEqual([1, 1]);
  return groupings;
}

function meanOf(own: OwnSums, groups: Groupings, drifts: boolean): number[] {
  const posterior = new Posterior(D);
  const { population } = five();
  const { evidence } = solve(posterior, { own, population, groups, guard: null, weight: 1, drifts });
  expect(Math.abs(evidence - own.count - 5 * 270)).toBeLessThan(5);
  return [...posterior.mean];
}

const far = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((value, i) => value - b[i]));

describe("what is believed of a θ", () => {
  it("rests on all observations, or where tastes drift on those since the latest start of at least 64", () => {
    const own = observed(...seen(1));
    const since = own.since(RECENT);
    expect(since.count).toBeGreaterThanOrEqual(RECENT);
    expect(since.count).toBeLessThan(3 * RECENT);
    const counts = own.later.map((start) => own.countSince(start));
    expect(counts.some((count) => count >= RECENT && count < since.count)).toBe(false);
    const posterior = new Posterior(D);
    const { population } = five();
    solve(posterior, { own, population, groups: null, guard: null, weight: 1, drifts: true });
    expect(posterior.pool).toEqual(since.slot);
    solve(posterior, { own, population, groups: null, guard: null, weight: 1, drifts: false });
    expect(posterior.pool).toEqual(own.slot);
    const short = observed(seen(2)[1]);
    expect(observed(look(Random.seeded(1), OLD, 20, NOISE)).since(RECENT).count).toBe(20);
    expect(short.since(RECENT).count).toBeGreaterThanOrEqual(RECENT);
  });

  it("takes what is recent of a group too, as its records tell it by two versions", () => {
    const groups = five();
    const own = observed(...seen(1));
    const [group] = groups.all[0]!.list;
    const { slot, weighted } = groups.recent(group);
    expect(weighted).toBe(5 * 70);
    const sum = new Float64Array(slotSize(D));
    for (const i of range(5)) {
      const [old, recent] = seen(10 + i);
      const [before, now] = [recordOf(`${i}`, 1, old, D), recordOf(`${i}`, 2, both(old, recent), D)];
      for (let k = 0; k < sum.length; k++) sum[k] += now.slot[k] - before.slot[k];
    }
    for (let k = 0; k < sum.length; k++) expect(slot[k]).toBeCloseTo(sum[k], 9);
    const [all, recent] = [meanOf(own, groups, false), meanOf(own, groups, true)];
    expect(far(recent, NEW)).toBeLessThan(0.1);
    expect(far(all, NEW)).toBeGreaterThan(0.2);
  });
});
