import { describe, expect, it } from "vitest";
import { type ClustersConfig, leastEigenvalue } from "./config.ts";
import { parseClusters } from "./parse.ts";
import { ClustersWorld } from "./world.ts";

const base: ClustersConfig = { kind: "clusters", peers: 12, clusters: 3, dimension: 5, arms: 7, noise: 0.5 };
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (value, i) => value - b[i]!));
const row = (values: Float64Array, k: number, d: number): Float64Array => values.subarray(k * d, (k + 1) * d);

describe("a clusters world", () => {
  it("gives every cluster a unit θ and puts peer i into cluster i mod clusters", () => {
    const world = new ClustersWorld(base, 1);
    expect(Array.from(world.clusters)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for (let k = 0; k < 3; k++) expect(Math.hypot(...row(world.thetas, k, 5))).toBeCloseTo(1, 12);
  });

  it("offers unit vectors, and pays their mean and noise of the given deviation", () => {
    const world = new ClustersWorld(base, 2);
    let sum = 0;
    let squares = 0;
    const rounds = 400;
    for (let t = 0; t < rounds; t++) {
      world.advance();
      for (let peer = 0; peer < 12; peer++) {
        const { count, values } = world.arms(peer);
        expect(count).toBe(7);
        let best = -Infinity;
        for (let arm = 0; arm < 7; arm++) {
          const x = row(values, arm, 5);
          const theta = row(world.thetas, world.clusters[peer]!, 5);
          const mean = x.reduce((total, value, i) => total + value * theta[i]!, 0);
          expect(world.mean(peer, arm)).toBeCloseTo(mean, 12);
          best = Math.max(best, mean);
          const noise = world.pay(peer, arm) - mean;
          sum += noise;
          squares += noise * noise;
        }
        expect(Math.hypot(...row(values, 3, 5))).toBeCloseTo(1, 12);
        expect(world.bestMean(peer)).toBeCloseTo(best, 12);
      }
    }
    const n = rounds * 12 * 7;
    expect(Math.abs(sum / n)).toBeLessThan((4 * 0.5) / Math.sqrt(n));
    expect(Math.sqrt(squares / n)).toBeCloseTo(0.5, 2);
  });

  it("is the same for the same seed and another for another", () => {
    const draw = (seed: number): number[] => {
      const world = new ClustersWorld(base, seed);
      world.advance();
      world.advance();
      return [...world.arms(11).values, world.pay(11, 6)];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("puts all θ at the chosen gap", () => {
    const world = new ClustersWorld({ ...base, gap: 0.7 }, 3);
    for (let a = 0; a < 3; a++) {
      expect(Math.hypot(...row(world.thetas, a, 5))).toBeCloseTo(1, 12);
      for (let b = 0; b < a; b++) {
        expect(distance(row(world.thetas, a, 5), row(world.thetas, b, 5))).toBeCloseTo(0.7, 12);
      }
    }
  });

  it("has the least eigenvalue it says, where signs are drawn", () => {
    const config: ClustersConfig = { ...base, distribution: { kind: "signs", least: 0.05 } };
    expect(leastEigenvalue(config)).toBe(0.05);
    expect(leastEigenvalue(base)).toBe(1 / 5);
    const world = new ClustersWorld(config, 4);
    const moments = new Float64Array(25);
    let n = 0;
    for (let t = 0; t < 200; t++) {
      world.advance();
      for (let peer = 0; peer < 12; peer++) {
        for (let arm = 0; arm < 7; arm++, n++) {
          const x = row(world.arms(peer).values, arm, 5);
          for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) moments[i * 5 + j]! += x[i]! * x[j]!;
        }
      }
    }
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 5; j++) {
        const wanted = i !== j ? 0 : i === 4 ? 0.05 : 0.95 / 4;
        expect(Math.abs(moments[i * 5 + j]! / n - wanted)).toBeLessThan(0.01);
      }
    }
  });

  it("lets θ drift by steps of about the given length, on the sphere", () => {
    const world = new ClustersWorld({ ...base, drift: 0.05 }, 5);
    world.advance();
    let moved = 0;
    for (let t = 0; t < 300; t++) {
      const before = world.thetas.slice();
      world.advance();
      for (let k = 0; k < 3; k++) moved += distance(row(before, k, 5), row(world.thetas, k, 5)) / 900;
      expect(Math.hypot(...row(world.thetas, 0, 5))).toBeCloseTo(1, 12);
    }
    // A step has d−1 of its d directions left after it is pulled back to the sphere.
    expect(moved).toBeGreaterThan(0.035);
    expect(moved).toBeLessThan(0.055);
  });

  it("lets peers come and go at the given rates", () => {
    const world = new ClustersWorld({ ...base, churn: { leave: 0.1, return: 0.3 } }, 6);
    let present = 0;
    for (let t = 0; t < 2000; t++) {
      world.advance();
      for (let peer = 0; peer < 12; peer++) present += world.present(peer) ? 1 : 0;
    }
    expect(present / 24_000).toBeCloseTo(0.3 / 0.4, 1);
  });

  it.each([
    [{ clusters: 13 }, "w.clusters"],
    [{ peers: 0 }, "w.peers"],
    [{ noise: -1 }, "w.noise"],
    [{ arms: 2.5 }, "w.arms"],
    [{ gap: 1.5 }, "w.gap"],
    [{ gap: 0.5, clusters: 5 }, "w.gap"],
    [{ sizes: [4, 4, 5] }, "sum of w.sizes"],
    [{ sizes: [6, 6] }, "w.sizes"],
    [{ distribution: { kind: "signs", least: 0.3 } }, "w.distribution.least"],
    [{ churn: { leave: 2, return: 0 } }, "w.churn.leave"],
    [{ colour: "red" }, "w.colour"],
  ])("refuses %j, naming the field", (change, field) => {
    expect(() => parseClusters("w", { ...base, ...change })).toThrow(expect.objectContaining({ field }));
  });
});
