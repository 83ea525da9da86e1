import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import type { Result } from "../results/types.ts";
import { cellsOf } from "../running/cells.ts";
import { parseExperiment } from "../running/parse.ts";
import { runCell } from "../running/runCell.ts";
import type { ClustersConfig } from "../worlds/clusters/config.ts";
import { ClustersWorld } from "../worlds/clusters/world.ts";
import { createLabFleet, type Engine } from "./create.ts";
import { SphereDrawing } from "./drawing.ts";
import { BatchedFleet } from "./fleet.ts";

const world = { kind: "clusters", peers: 11, clusters: 2, dimension: 5, arms: 7, noise: 0.2 };
const worlds = [
  world,
  { ...world, name: "drift", drift: 0.05 },
  { ...world, name: "churn", churn: { leave: 0.2, return: 0.3 } },
  { ...world, name: "signs", distribution: { kind: "signs", least: 0.1 } },
];
const theory = { kind: "theory", norm: 1, noise: 0.2, delta: 0.05 };
const early = { kind: "practical", factor: 0.4 };
const policies = [
  { kind: "dcb" },
  { kind: "dcb", name: "dcb, theory", radius: theory, pairing: "permutation", delay: { rounds: 3 } },
  { kind: "dcb", name: "dcb, asynchronous", pairing: "asynchronous" },
  { kind: "dccb", threshold: early, delay: { factor: 1 } },
  {
    kind: "dccb",
    name: "dccb, mutual",
    sharing: "mutual",
    threshold: early,
    pairing: "permutation",
    delay: { rounds: 4 },
  },
  { kind: "dccb", name: "dccb, bridge", bridge: true },
  { kind: "dcb", name: "dcb, epochs", buffer: "epoch", delay: { factor: 1, networkExponent: 1 } },
  { kind: "dcb", name: "dcb, clipped", clip: 0.5, delay: { rounds: 3 } },
  { kind: "solo" },
];

function play(engine: Engine): Result[] {
  const experiment = parseExperiment({ name: "t", worlds, policies, rounds: 60, seeds: [4], checkpoints: 6 });
  return cellsOf(experiment).map((cell) => {
    const drawMany = engine === "peers" ? null : SphereDrawing.of;
    const played = new ClustersWorld(cell.world.config as ClustersConfig, cell.seed, drawMany);
    return runCell(cell, played, { checkpoints: experiment.checkpoints, clock: () => 0, engine });
  });
}

describe("rows", () => {
  it("are the same whichever engine ran, world and random policy included", () => {
    expect(play("auto")).toEqual(play("peers"));
  });

  it("come from the batched engine where it fits, and from peers elsewhere", () => {
    const experiment = parseExperiment({ name: "t", worlds: [world], policies, rounds: 60, seeds: [4] });
    const batched = experiment.policies.filter(({ policy }) => {
      const { peers, dimension, arms } = world;
      const made = createLabFleet("auto", {
        policy,
        dimension,
        peers,
        arms,
        rounds: 60,
        random: Random.seeded(1),
        clusters: null,
        steady: true,
      });
      return made instanceof BatchedFleet;
    });
    expect(batched.map(({ name }) => name)).toEqual(["dcb", "dcb, theory", "dccb", "dccb, mutual", "dcb, epochs"]);
  });
});
