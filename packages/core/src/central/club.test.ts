import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { Random } from "../numbers/random.ts";
import { estimate, type Observation, pairOf, withRidge } from "../testing/evidence.ts";
import { distance } from "../testing/formulas.ts";
import { range } from "../testing/play.ts";
import { relativeGap } from "../testing/same.ts";
import { club } from "./club.ts";

const D = 2;

/** Who is joined with whom by paths over the edges: labels spread until nothing changes. */
function components(peers: number, joined: (i: number, j: number) => boolean): number[] {
  const labels = range(peers);
  for (let changed = true; changed; ) {
    changed = false;
    for (const i of labels.keys()) {
      for (const j of labels.keys()) {
        if (i === j || !joined(i, j) || labels[i] <= labels[j]) continue;
        labels[i] = labels[j];
        changed = true;
      }
    }
  }
  return labels;
}

const confidence = (n: number): number => Math.sqrt((1 + Math.log(1 + n)) / (1 + n));

describe("CLUB", () => {
  it("pools the connected components of a graph that only loses edges", () => {
    const cases = fc.record({
      seed: fc.nat(),
      peers: fc.integer({ min: 1, max: 8 }),
      factor: fc.double({ min: 0.05, max: 0.5, noNaN: true }),
    });
    const met = { splits: 0, joinedByAThird: 0 };
    const holds = fc.property(cases, ({ seed, peers, factor }) => {
      const random = Random.seeded(seed);
      const centre = club({ threshold: { kind: "practical", factor } }).createCentre(D, peers, null);
      const own = range(peers).map((): Observation[] => []);
      const cut = new Set<string>();
      for (let k = 0; k < 40; k++) {
        const peer = random.below(peers);
        // Rewards rise with the index: neighbours stay alike when the ends are already apart, so that paths matter.
        const x = random.normals(new Float64Array(D)).map((value) => value / 4);
        const reward = (2 * (x[0] * peer)) / peers + x[1];
        centre.observe(peer, x, 0, reward);
        own[peer].push({ peer, round: k, arm: Array.from(x), reward });
        const estimates = own.map((seen) => estimate(pairOf(withRidge(seen), D)));
        for (const other of range(peers)) {
          const threshold = factor * (confidence(own[peer].length) + confidence(own[other].length));
          const gap = distance(estimates[peer], estimates[other]) - threshold;
          fc.pre(Math.abs(gap) > 1e-9);
          if (gap > 0) cut.add([peer, other].sort().join());
        }
        const joined = (i: number, j: number): boolean => !cut.has([i, j].sort().join());
        const expected = components(peers, joined);
        expect(range(peers).map((i) => centre.pool(i))).toEqual(expected);
        met.splits += new Set(expected).size > 1 ? 1 : 0;
        met.joinedByAThird += expected.some((label, i) => expected.some((other, j) => label === other && !joined(i, j)))
          ? 1
          : 0;
        const members = range(peers).filter((i) => expected[i] === expected[peer]);
        const pooled = estimate(pairOf(withRidge(members.flatMap((i) => own[i])), D));
        expect(relativeGap(centre.estimate(peer), pooled)).toBeLessThan(1e-9);
        expect(centre.evidence(peer)).toBe(members.reduce((sum, i) => sum + own[i].length, 0));
      }
    });
    fc.assert(holds, { seed: 4, numRuns: 120 });
    expect(Math.min(met.splits, met.joinedByAThird)).toBeGreaterThan(500);
  });

  it("has the practical threshold only", () => {
    const theory = { kind: "theory", lambda: 0.1, noise: 0.1, delta: 0.1 } as const;
    expect(() => club({ threshold: theory })).toThrow(ConfigError);
  });
});
