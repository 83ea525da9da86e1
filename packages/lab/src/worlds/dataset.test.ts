import { describe, expect, it } from "vitest";
import type { DatasetCatalogue } from "../data/catalogue.ts";
import { DatasetWorld } from "./dataset.ts";

/** Six items on the axes of three dimensions; two peers with items of their own. */
const catalogue: DatasetCatalogue = {
  dataset: "made up",
  dimension: 3,
  itemCount: 6,
  features: Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1]),
  itemIds: Int32Array.from([10, 20, 30, 40, 50, 60]),
  peers: [
    { userId: 5, items: Int32Array.from([0, 4]) },
    { userId: 9, items: Int32Array.from([2]) },
  ],
  zeroRows: 0,
  notes: [],
};
const config = { kind: "dataset", dataset: "lastfm", peers: 2, dimension: 3, arms: 4 } as const;

/** Which item an arm is, by its vector. */
const itemOf = (values: Float64Array, arm: number): number =>
  [0, 1, 2, 3, 4, 5].find((item) => [0, 1, 2].every((i) => values[arm * 3 + i] === catalogue.features[item * 3 + i]))!;

describe("a dataset world", () => {
  it("offers one item of the peer's own among the catalogue's, and pays 1 for any of its own", () => {
    const world = new DatasetWorld(config, catalogue, 1);
    const offered = new Float64Array(6);
    const placeOfFirstOwn = new Float64Array(4);
    const rounds = 3000;
    for (let t = 0; t < rounds; t++) {
      world.advance();
      for (let peer = 0; peer < 2; peer++) {
        const { values, count } = world.arms(peer);
        expect(count).toBe(4);
        const items = [0, 1, 2, 3].map((arm) => itemOf(values, arm));
        const own = items.map((item) => catalogue.peers[peer]!.items.includes(item));
        expect(own.some(Boolean)).toBe(true);
        own.forEach((yes, arm) => {
          expect(world.pay(peer, arm)).toBe(yes ? 1 : 0);
        });
        if (peer === 1) {
          for (const item of items) offered[item]! += 1;
          placeOfFirstOwn[own.indexOf(true)]! += 1;
        }
      }
    }
    // Peer 1 is offered its one item always, and three of six at random: 1/2 of each other item a round.
    for (const item of [0, 1, 3, 4, 5]) expect(offered[item]! / rounds).toBeCloseTo(0.5, 1);
    expect(offered[2]! / rounds).toBeCloseTo(1.5, 1);
    // In random order: the own item stands in each place.
    for (const count of placeOfFirstOwn) expect(count / rounds).toBeGreaterThan(0.1);
  });

  it("is the same for the same seed, whatever was chosen", () => {
    const draw = (seed: number): number[] => {
      const world = new DatasetWorld(config, catalogue, seed);
      for (let t = 0; t < 5; t++) world.advance();
      return [...world.arms(0).values, ...world.arms(1).values];
    };
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
  });
});
