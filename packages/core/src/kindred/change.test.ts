import { describe, expect, it } from "vitest";
import { Factor } from "../numbers/factor.ts";
import { triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { dot } from "../testing/dense.ts";
import { gauss, look, recordOf, type Seen } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { Change } from "./change.ts";
import { Evidence } from "./evidence.ts";
import { Groupings } from "./groupings.ts";
import { OwnSums } from "./own.ts";
import { Population } from "./population.ts";

const D = 5;
const ZERO = range(D).map(() => 0);

/** Twenty strangers with tastes of about unit length, and a population that has been fitted to them. */
function strangers(noise: number): Groupings {
  const random = Random.seeded(7);
  const records = range(20).map((i) =>
    recordOf(`${i}`, 1, look(random.fork(i), gauss(random, ZERO, Math.sqrt(1 / D)), 60, noise), D),
  );
  const population = new Population(D);
  for (let k = 0; k < 12; k++) allOf(population.fitting(records, 1, 1000));
  const groups = new Groupings(D, population);
  groups.take(records);
  groups.revalue();
  return groups;
}

/** An observation, with the error of what ridge regression expects after those before. */
function live(own: OwnSums, arm: number[], reward: number): void {
  const factor = new Factor(D);
  factor.refactor(own.slot, 0, 1);
  const x = Float64Array.from(arm);
  const estimate = factor.solve(new Float64Array(D), own.slot, triangleSize(D));
  own.add(x, 0, reward, reward - dot(arm, [...estimate]));
}

/** After how many observations the first change is found, and how long ago it is said to be. */
function found(groups: Groupings, { arms, rewards }: Seen): { after: number; ago: number } | null {
  const [own, change] = [new OwnSums(D), new Change(D, groups)];
  for (let k = 0; k < arms.length; k++) {
    live(own, arms[k], rewards[k]);
    const start = change.find(own);
    if (start !== null) return { after: k + 1, ago: own.countSince(start) };
  }
  return null;
}

const then = (a: Seen, b: Seen): Seen => ({ arms: [...a.arms, ...b.arms], rewards: [...a.rewards, ...b.rewards] });
const tastes = (seed: number): number[] => gauss(Random.seeded(seed), ZERO, Math.sqrt(1 / D));
const unit = (theta: number[]): number[] => theta.map((x) => x / Math.hypot(...theta));

describe("a change of taste", () => {
  it("is found soon after it happened, and where it happened", () => {
    const groups = strangers(0.3);
    for (const seed of range(20)) {
      const random = Random.seeded(seed).fork("seen");
      const theta = unit(tastes(100 + seed));
      const before = look(random, theta, 200, 0.3);
      const after = look(
        random,
        theta.map((x) => -x),
        100,
        0.3,
      );
      const change = found(groups, then(before, after))!;
      expect(change.after).toBeGreaterThan(200);
      expect(change.after).toBeLessThan(260);
      expect(Math.abs(change.after - change.ago - 200)).toBeLessThan(30);
    }
  });

  /** What a peer that knows nobody takes for the population: everybody has its own taste of before. */
  function nobody(seen: Seen): Groupings {
    const population = new Population(D);
    for (let k = 0; k < 60; k++) allOf(population.fitting([recordOf("self", 1, seen, D)], 1, 1000));
    return new Groupings(D, population);
  }

  it("is found as soon by a peer that knows nobody", () => {
    for (const seed of range(8)) {
      const random = Random.seeded(seed).fork("seen");
      const theta = unit(tastes(100 + seed));
      const before = look(random, theta, 500, 0.3);
      const opposite = theta.map((x) => -x);
      const change = found(nobody(before), then(before, look(random, opposite, 100, 0.3)))!;
      expect(change.after).toBeGreaterThan(500);
      expect(change.after).toBeLessThan(545);
    }
  });

  it("is found as soon after a long life", () => {
    const groups = strangers(0.3);
    const random = Random.seeded(1).fork("seen");
    const theta = unit(tastes(101));
    const opposite = theta.map((x) => -x);
    const change = found(groups, then(look(random, theta, 8000, 0.3), look(random, opposite, 100, 0.3)))!;
    expect(change.after).toBeGreaterThan(8000);
    expect(change.after).toBeLessThan(8060);
  });

  it("is not found where there is none, whatever the noise", () => {
    const groups = strangers(0.3);
    for (const seed of range(30)) {
      const noise = [0.05, 0.3, 1.5][seed % 3];
      expect(found(groups, look(Random.seeded(seed), tastes(seed), 600, noise))).toBe(null);
    }
  });

  it("is not found in clicks that are rare", () => {
    const random = Random.seeded(3);
    const clicks = (theta: number[], count: number): Seen => {
      const { arms, rewards } = look(random, theta, count, 0);
      return { arms, rewards: rewards.map((r) => (random.uniform() < 0.03 * (1 + r) ? 1 : 0)) };
    };
    const records = range(20).map((i) => recordOf(`${i}`, 1, clicks(tastes(i), 200), D));
    const population = new Population(D);
    for (let k = 0; k < 12; k++) allOf(population.fitting(records, 1, 1000));
    const groups = new Groupings(D, population);
    groups.take(records);
    groups.revalue();
    for (const seed of range(20)) expect(found(groups, clicks(tastes(50 + seed), 800))).toBe(null);
  });

  it("is not found in rewards that are far off now and then", () => {
    const groups = strangers(0.3);
    for (const seed of range(20)) {
      const seen = look(Random.seeded(seed), tastes(seed), 400, 0.3);
      seen.rewards[[10, 150, 300][seed % 3]] += [1, 3, 10, 30][seed % 4];
      expect(found(groups, seen)).toBe(null);
      // Student's t with three degrees of freedom.
      const random = Random.seeded(900 + seed);
      const tails = look(random, tastes(seed), 600, 0);
      const noisy = tails.rewards.map((r) => {
        const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
        return r + (0.3 * random.normal()) / Math.sqrt(squares / 3);
      });
      expect(found(groups, { arms: tails.arms, rewards: noisy })).toBe(null);
    }
  });

  it("is found although a reward was far off once", () => {
    const groups = strangers(0.3);
    for (const seed of range(5)) {
      const [random, theta] = [Random.seeded(seed), unit(tastes(100 + seed))];
      const before = look(random, theta, 200, 0.3);
      before.rewards[50] += 5;
      expect(
        found(
          groups,
          then(
            before,
            look(
              random,
              theta.map((x) => -x),
              100,
              0.3,
            ),
          ),
        )!.after,
      ).toBeGreaterThan(200);
    }
  });

  it("to the taste of a group is found sooner than one to a taste of one's own", () => {
    const delays = [0, 1].map((known) => {
      let sum = 0;
      for (const seed of range(10)) {
        const groups = strangers(0.3);
        const [random, theta, next] = [Random.seeded(seed), tastes(200 + seed), tastes(300 + seed)];
        for (const k of range(known * 8)) {
          groups.take([recordOf(`kin ${k}`, 1, look(random.fork(k), next, 200, 0.3), D)]);
          groups.place([`kin ${k}`]);
        }
        sum += found(groups, then(look(random, theta, 150, 0.3), look(random, next, 150, 0.3)))!.after - 150;
      }
      return sum;
    });
    expect(delays[1]).toBeLessThan(0.8 * delays[0]);
  });

  it("is believed in from a log Bayes factor of ln n + 5", () => {
    // No groups, and less noise than the population's, so that nothing is scaled: E is the evidence of the sums alone.
    const population = new Population(D);
    const evidence = new Evidence(D);
    const value = (slot: Float64Array): number => evidence.of(slot, population.prior, population.noise);
    const random = Random.seeded(5);
    const theta = [1, -1, 1, -1, 1];
    const seen = then(
      look(random, theta, 100, 0.5),
      look(
        random,
        theta.map((x) => -x),
        60,
        0.5,
      ),
    );
    const [own, change] = [new OwnSums(D), new Change(D, new Groupings(D, population))];
    let most = -Infinity;
    for (let k = 0; k < seen.arms.length; k++) {
      // Expected rightly, so that nothing is taken off.
      own.add(Float64Array.from(seen.arms[k]), 0, seen.rewards[k], 0);
      const found = change.find(own);
      const factors = own.later
        .filter((start) => start.tested === own.countSince(start))
        .map(({ slot }) => value(own.slot.map((x, i) => x - slot[i])) + value(slot) - value(own.slot));
      const largest = Math.max(...factors);
      most = Math.max(most, largest - Math.log(own.count) - 5);
      expect(found === null).toBe(largest <= Math.log(own.count) + 5);
      if (found !== null) break;
    }
    expect(most).toBeGreaterThan(0);
  });
});
