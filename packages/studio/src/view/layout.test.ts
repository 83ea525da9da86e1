import { describe, expect, it } from "vitest";
import { groupsOf } from "../model/groups.ts";
import { NetworkModel } from "../model/network.ts";
import { joined } from "../testing/run.ts";
import { layoutOf } from "./layout.ts";
import { GroupStyles } from "./looks.ts";

/** So many peers, in groups of which each one's first members pool with the next. */
function network(peers: number, groups: number, lone = 0): NetworkModel {
  const model = new NetworkModel();
  const pool: number[] = [];
  for (let peer = 0; peer < peers - lone - groups; peer++)
    pool.push(peer, peer + groups, 1, 5, peer + groups, peer, 1, 5);
  model.apply({ at: 0, joined: Array.from({ length: peers }, (_, peer) => joined(peer)), pool });
  return model;
}

const least = (x: Float32Array, y: Float32Array): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let a = 0; a < x.length; a++)
    for (let b = 0; b < a; b++) best = Math.min(best, Math.hypot(x[a] - x[b], y[a] - y[b]));
  return best;
};

describe("the layout", () => {
  it.each([
    [24, 4, 0],
    [24, 4, 7],
    [24, 1, 0],
    [24, 1, 3],
    [24, 0, 24],
    [2, 1, 0],
    [300, 40, 20],
    [200, 2, 100],
  ])("of %i peers in %i groups, %i alone, is within the picture, and nobody hides another", (peers, groups, lone) => {
    const model = network(peers, groups, lone);
    const { x, y, spacing } = layoutOf(model, groupsOf(model));
    for (let peer = 0; peer < peers; peer++) expect(Math.hypot(x[peer], y[peer])).toBeLessThanOrEqual(1.001);
    expect(least(x, y)).toBeGreaterThan(0.5 * spacing);
  });

  it("of a network that is cut has a side for each half", () => {
    const model = network(24, 4);
    model.apply({ at: 1, faults: [{ what: "cut", peers: [1, 5, 9, 2] }] });
    const { x } = layoutOf(model, groupsOf(model));
    for (let peer = 0; peer < 24; peer++) expect(x[peer] > 0).toBe([1, 5, 9, 2].includes(peer));
  });
});

it("a group keeps its look while others come and go", () => {
  const looks = new GroupStyles();
  const list = (...names: number[]) => ({ of: new Int32Array(0), list: names.map((name) => [name, name + 1]) });
  const before = looks.of(list(0, 5, 9)).get(5);
  expect(looks.of(list(5, 9)).get(5)).toEqual(before);
  const after = looks.of(list(5, 9, 20, 30));
  expect(after.get(5)).toEqual(before);
  const seen = [...after.values()].map(({ colour, mark }) => `${colour} ${mark}`);
  expect(new Set(seen).size).toBe(4);
});
