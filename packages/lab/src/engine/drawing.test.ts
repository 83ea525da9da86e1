import { createFleet, Random, random } from "@coterie/core";
import type { OfferedTurn } from "@coterie/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClustersWorld } from "../worlds/clusters/world.ts";
import { SphereDrawing } from "./drawing.ts";
import { RandomPicks } from "./random.ts";
import { DrawnTurns, RememberedDrawing } from "./rememberedDrawing.ts";

const bits = (values: Float64Array): bigint[] => Array.from(new BigInt64Array(values.slice().buffer));

describe("drawing many peers at once", () => {
  it("gives the arms, means and payments of drawing peer by peer, bit for bit", () => {
    const shapes = fc.record({
      seed: fc.integer({ min: 0, max: 1e9 }),
      peers: fc.integer({ min: 1, max: 11 }),
      dimension: fc.integer({ min: 1, max: 7 }),
      arms: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(shapes, ({ seed, peers, dimension, arms }) => {
        const clusters = Math.min(2, peers);
        const config = { kind: "clusters", peers, clusters, dimension, arms, noise: 0.3, drift: 0.1 } as const;
        const [plain, fast] = [new ClustersWorld(config, seed), new ClustersWorld(config, seed, SphereDrawing.of)];
        for (let round = 0; round < 4; round++) {
          plain.advance();
          fast.advance();
          for (let peer = 0; peer < peers; peer++) {
            expect(bits(fast.arms(peer).values)).toEqual(bits(plain.arms(peer).values));
            expect(fast.bestMean(peer)).toBe(plain.bestMean(peer));
            for (let arm = 0; arm < arms; arm++) {
              expect(fast.mean(peer, arm)).toBe(plain.mean(peer, arm));
              expect(fast.pay(peer, arm)).toBe(plain.pay(peer, arm));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is done once for all policies that play the same turns, bit for bit", () => {
    const config = {
      kind: "clusters",
      peers: 5,
      clusters: 2,
      dimension: 3,
      arms: 4,
      noise: 0.3,
      drift: 0.1,
    } as const;
    const drawn = new DrawnTurns("a");
    const worlds = [0, 1, 2].map((k) =>
      k === 0
        ? new ClustersWorld(config, 7)
        : new ClustersWorld(config, 7, (...size) => RememberedDrawing.of(drawn, 6, ...size)),
    );
    // The last one goes on further than the one before it.
    worlds.forEach((world, k) => {
      const [plain, turns] = [new ClustersWorld(config, 7), 4 + 2 * (k - 1)];
      for (let turn = 0; turn < turns; turn++) {
        world.advance();
        plain.advance();
        for (let peer = 0; peer < 5; peer++) {
          expect(bits(world.arms(peer).values)).toEqual(bits(plain.arms(peer).values));
          expect([world.bestMean(peer), world.mean(peer, 3), world.pay(peer, 2)]).toEqual([
            plain.bestMean(peer),
            plain.mean(peer, 3),
            plain.pay(peer, 2),
          ]);
        }
      }
      expect(drawn.turns.length).toBe(k === 0 ? 0 : turns);
    });
  });

  it("is not remembered where all turns together are too many numbers", () => {
    const size = [1000, 10, 10, new Int32Array(1000), new Float64Array(20)] as const;
    const of = (turns: number): unknown => RememberedDrawing.of(new DrawnTurns("b"), turns, ...size);
    expect(of(50)).toBeInstanceOf(RememberedDrawing);
    expect(of(100)).toBeInstanceOf(SphereDrawing);
  });

  it.each([1, 2, 3, 10, 1 << 20])("picks among %d arms as the random policy's peers do", (arms) => {
    const values = new Float64Array(arms);
    const offered: OfferedTurn = { arms: () => ({ count: arms, values }), pay: (peer, arm) => peer + arm };
    const fleet = createFleet({ policy: random(), dimension: 1, peers: 9, random: Random.seeded(4) });
    const picks = new RandomPicks(9, arms, Random.seeded(4));
    for (let round = 0; round < (arms > 1000 ? 3 : 200); round++) {
      fleet.round(offered);
      picks.round(offered);
      expect(Array.from(picks.choices)).toEqual(Array.from(fleet.choices));
      expect(Array.from(picks.rewards)).toEqual(Array.from(fleet.rewards));
    }
  });
});
