import { describe, expect, it } from "vitest";
import { theorem1Bound, theorem2Bound, trivialBound } from "../../theory/bounds.ts";
import { boundsOf, chanceOf, sizesOf, TRIVIAL } from "./lines.ts";

const world = { kind: "clusters", peers: 7, clusters: 1, dimension: 3, arms: 5, noise: 0.2 } as const;
const several = { ...world, clusters: 3 };

describe("which bound applies", () => {
  it("sizes of clusters are as even as can be, or as given", () => {
    expect(sizesOf(several)).toEqual([3, 2, 2]);
    expect(sizesOf({ ...several, sizes: [1, 1, 5] })).toEqual([1, 1, 5]);
  });

  it("DCB's holds where all peers are of one taste, DCCB's where they are not", () => {
    const names = (kind: string, of: typeof world | typeof several) => boundsOf(kind, of, 0.1).map(({ name }) => name);
    expect(names("solo", several)).toEqual(["CB-NoSharing's bound", TRIVIAL]);
    expect(names("dcb", world)).toEqual(["Theorem 1", "corollary, without its O(t^¼)"]);
    expect(names("dcb", several)).toEqual([]);
    expect(names("dccb", several)).toEqual(["Theorem 2, all clusters"]);
    expect(names("dccb", world)).toEqual([]);
    expect(names("club", several)).toEqual([]);
  });

  it("they are the theory's, at the rounds asked for", () => {
    const chance = { ...chanceOf(world, 0.1), rounds: 50 };
    expect(boundsOf("dcb", world, 0.1)[0]!.at(50, 1)).toBe(theorem1Bound(chance));
    expect(boundsOf("solo", world, 0.1)[1]!.at(50, 1)).toBe(trivialBound(chance));
    const clusters = [3, 2, 2].map((size) => theorem2Bound({ size, foundAt: 20 }, chance));
    expect(boundsOf("dccb", several, 0.1)[0]!.at(50, 20)).toBeCloseTo(
      clusters.reduce((sum, one) => sum + one),
      6,
    );
  });
});
