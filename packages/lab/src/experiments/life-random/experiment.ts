import type { BuiltIn } from "../builtIn.ts";
import { figures } from "../life/figure.ts";
import { lifeRandomTable } from "./table.ts";
import { drawnWorlds } from "./worlds.ts";

export const lifeRandom: BuiltIn = {
  name: "life-random",
  title: "Kindred in sixty worlds like an app's that were drawn at random (15 minutes)",
  document: {
    name: "life-random",
    worlds: drawnWorlds,
    policies: [
      { kind: "kindred" },
      { kind: "solo" },
      { kind: "oracle" },
      { kind: "pooled" },
      { kind: "club", name: "club 1", threshold: { kind: "practical", factor: 1 } },
      { kind: "dccb" },
    ],
    rounds: 300,
    seeds: [101, 102, 103, 104, 105, 106],
    checkpoints: 10,
  },
  figures,
  table: lifeRandomTable,
};
