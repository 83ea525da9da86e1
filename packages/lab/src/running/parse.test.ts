import { describe, expect, it } from "vitest";
import { parseExperiment, withSeeds } from "./parse.ts";

const world = { kind: "clusters", peers: 4, clusters: 2, dimension: 3, arms: 5, noise: 0.1 };
const good = {
  name: "small",
  worlds: [world, { ...world, name: "noisy", noise: 1, rounds: 20 }],
  policies: [
    { kind: "random" },
    { kind: "dccb", name: "dccb, sum", radius: { kind: "practical", alpha: 0.3 }, weight: "sum" },
  ],
  rounds: 10,
  seeds: [1, 2],
};
const change = (path: string, value: unknown): unknown => {
  const copy = structuredClone(good) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  let place: Record<string, unknown> = copy;
  for (const key of keys.slice(0, -1)) place = place[key] as Record<string, unknown>;
  place[keys.at(-1)!] = value;
  return copy;
};

describe("an experiment file", () => {
  it("is read, with names and defaults filled in", () => {
    const experiment = parseExperiment(good);
    expect(experiment.worlds.map(({ name, rounds }) => [name, rounds])).toEqual([
      ["clusters", 10],
      ["noisy", 20],
    ]);
    expect(experiment.policies.map(({ name, policy }) => [name, policy.kind])).toEqual([
      ["random", "random"],
      ["dccb, sum", "dccb"],
    ]);
    expect(experiment.policies[1]!.policy.options).toMatchObject({
      weight: "sum",
      pairing: "neighbours",
      sharing: "equal",
      delay: { factor: 4, networkExponent: 0 },
      threshold: { kind: "practical", factor: 2 },
    });
  });

  it("takes the seeds 1 to N instead of its own", () => {
    const experiment = withSeeds(parseExperiment(good), 3);
    expect(experiment.seeds).toEqual([1, 2, 3]);
    expect(parseExperiment(experiment.source).seeds).toEqual([1, 2, 3]);
  });

  it.each([
    ["colour", 1, "colour"],
    ["name", "", "name"],
    ["rounds", 0, "rounds"],
    ["rounds", "10", "rounds"],
    ["seeds", [], "seeds"],
    ["seeds", [1, 1], "seeds[1]"],
    ["seeds.0", -1, "seeds[0]"],
    ["worlds", [], "worlds"],
    ["worlds.0.kind", "circus", "worlds[0].kind"],
    ["worlds.0.clusters", 5, "worlds[0].clusters"],
    ["worlds.0.nois", 1, "worlds[0].nois"],
    ["worlds.0.name", "noisy", "worlds[1].name"],
    ["worlds.1", { kind: "dataset", dataset: "netflix", peers: 1, dimension: 1, arms: 1 }, "worlds[1].dataset"],
    [
      "worlds.1",
      { kind: "dataset", dataset: "lastfm", peers: 1, dimension: 1, arms: 1, order: "newest" },
      "worlds[1].order",
    ],
    ["policies.0", "random", "policies[0]"],
    ["policies.0.kind", "magic", "policies[0].kind"],
    ["policies.0.radius", { kind: "practical", alpha: 1 }, "policies[0].radius"],
    ["policies.1.radius.alpha", -1, "policies[1].radius.alpha"],
    ["policies.1.weight", "both", "policies[1].weight"],
    ["policies.1.name", "random", "policies[1].name"],
    ["policies.1.delay", { rounds: 3, factor: 1 }, "policies[1].delay.factor"],
    ["checkpoints", 0, "checkpoints"],
    ["worlds.0.policies", [], "worlds[0].policies"],
    ["worlds.0.policies", ["random", "solo"], "worlds[0].policies[1]"],
  ])("with %s = %j is refused at %s", (path, value, field) => {
    expect(() => parseExperiment(change(path, value))).toThrow(expect.objectContaining({ field }));
  });

  it("refuses a ring where peers come and go", () => {
    const worlds = [{ ...world, churn: { leave: 0.1, return: 0.1 } }];
    expect(() => parseExperiment({ ...good, worlds, policies: [{ kind: "round-robin" }] })).toThrow("always there");
    const ring = (idle: string) => {
      const idlers = { ...world, activity: { kind: "power", least: 0.1, idle } };
      return parseExperiment({ ...good, worlds: [idlers], policies: [{ kind: "round-robin" }] });
    };
    expect(() => ring("away")).toThrow("always there");
    expect(ring("online").policies).toHaveLength(1);
    const inTime = [{ kind: "dataset", dataset: "lastfm", peers: 2, dimension: 2, arms: 2, order: "time" }];
    expect(() => parseExperiment({ ...good, worlds: inTime, policies: [{ kind: "round-robin" }] })).toThrow(
      "always there",
    );
  });

  it("refuses an account for each peer where new ones take the places of others, unless it does not run there", () => {
    const visited = { ...world, name: "visited", visits: { rounds: 5 } };
    const policies = [{ kind: "club" }, { kind: "solo" }];
    expect(() => parseExperiment({ ...good, worlds: [world, visited], policies })).toThrow(
      /^policies\[0\]\.kind must run where no new peer takes another's place, unlike worlds\[1\]/,
    );
    const apart = [world, { ...visited, policies: ["solo"] }];
    expect(parseExperiment({ ...good, worlds: apart, policies }).worlds[1]!.policies).toEqual(["solo"]);
  });

  it("refuses the oracle where nobody knows the clusters", () => {
    const worlds = [{ kind: "dataset", dataset: "lastfm", peers: 2, dimension: 2, arms: 2 }];
    expect(() => parseExperiment({ ...good, worlds, policies: [{ kind: "oracle" }] })).toThrow("clusters are known");
  });
});
