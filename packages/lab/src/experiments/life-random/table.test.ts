import { describe, expect, it } from "vitest";
import { madeResults } from "../../report/testing/results.ts";
import { lifeRandom } from "./experiment.ts";
import { lifeRandomTable } from "./table.ts";
import { drawnWorlds } from "./worlds.ts";

const POLICIES = [
  { kind: "kindred", level: 10 },
  { kind: "solo", level: 20 },
];

describe("worlds drawn at random", () => {
  it("have names of their own, and fields that exclude each other are never drawn together", () => {
    expect(new Set(drawnWorlds.map(({ name }) => name)).size).toBe(drawnWorlds.length);
    for (const { clusters, jump, rank, catalogue } of drawnWorlds) {
      if (clusters === 1) expect(jump).toBeUndefined();
      if ((catalogue as { vectors?: string } | undefined)?.vectors === "one-hot") expect(rank).toBeUndefined();
    }
  });

  it("are as they were when figures were published", () => {
    expect(drawnWorlds[0]).toEqual({
      name: "1: 6 peers, 6 tastes, new arms, noise",
      kind: "clusters",
      peers: 6,
      clusters: 6,
      dimension: 6,
      constant: 0.65,
      arms: 6,
      noise: 0.14,
      rounds: 500,
    });
    expect(JSON.stringify(lifeRandom.document)).toContain(
      '"59: 12 peers, 9 tastes, one-hot items, linear clicks, power law"',
    );
  });
});

describe("their table", () => {
  it("ends with what they came to taken together", () => {
    const results = [
      ...madeResults({ worlds: [{ name: "a" }], policies: POLICIES }),
      ...madeResults({ worlds: [{ name: "b" }], policies: [POLICIES[0]!, { kind: "solo", level: 5 }] }),
    ];
    const said = lifeRandomTable(results).notes.at(-1)!;
    expect(said).toMatch(
      /^Geometric mean over solo in 2 worlds: (0\.9\d|1\.0\d)\. Above 1\.05 in 1 of them, most in b: /,
    );
  });

  it("says nothing of worlds without both", () => {
    const results = madeResults({ worlds: [{ name: "a" }], policies: [{ kind: "kindred", level: 10 }] });
    expect(lifeRandomTable(results).notes.join(" ")).not.toContain("Geometric");
  });
});
