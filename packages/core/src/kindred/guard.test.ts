import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import type { Vector } from "../testing/dense.ts";
import { gauss, look, sumsOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { Guard } from "./guard.ts";
import { Population } from "./population.ts";
import type { Sums } from "./record.ts";

const D = 4;
const MEAN = [1, -1, 0.5, 1];
const random = Random.seeded(44);
const seen = (label: string, mean: Vector, spread: number, count: number): Sums => {
  const draw = random.fork(label);
  return sumsOf(look(draw, gauss(draw, mean, spread), count, 0.5), D);
};

const population = new Population(D);
for (const _ of range(10)) {
  allOf(
    population.fitting(
      range(40).map((i) => seen(`peer ${i}`, MEAN, 0.2, 30)),
      3,
    ),
  );
}
const odds = (sums: Sums): number => new Guard(D).weigh(sums, population);

describe("Guard", () => {
  it.each([3, 10, 40, 200])("believes a population that fits after %d observations", (count) => {
    const found = range(20).map((i) => odds(seen(`me ${i}`, MEAN, 0.2, count)));
    for (const each of found) expect(each).toBeGreaterThan(0);
    expect(found.filter((each) => each < 0.2).length).toBeGreaterThanOrEqual(18);
  });

  it.each([10, 40, 200])("believes nobody where the population does not fit after %d observations", (count) => {
    const minus = MEAN.map((value) => -3 * value);
    for (const i of range(20)) expect(odds(seen(`me ${i}`, minus, 0.2, count))).toBeGreaterThan(100);
  });

  it("keeps its odds finite however bad the fit", () => {
    const far = odds(seen("far", [1000, 0, 0, 0], 0, 100));
    expect(far).toBeGreaterThan(1e15);
    expect(far).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it("has nothing to say before there are rewards", () => {
    const nothing = look(random.fork("nothing"), [0, 0, 0, 0], 0, 0);
    expect(odds(sumsOf(nothing, D))).toBe(0);
    expect(odds(sumsOf(look(random.fork("zeros"), [0, 0, 0, 0], 5, 0), D))).toBe(0);
  });

  it("measures the noise by its own rewards, of any scale", () => {
    const { arms, rewards } = look(random.fork("noise"), MEAN, 400, 0.5);
    for (const scale of [0.01, 1, 100]) {
      const guard = new Guard(D);
      guard.weigh(sumsOf({ arms, rewards: rewards.map((r) => scale * r) }, D), population);
      expect(Math.abs(guard.noise / (0.25 * scale ** 2) - 1)).toBeLessThan(0.2);
    }
  });
});
