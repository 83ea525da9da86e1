import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const ALPHAS = [0.03, 0.1, 0.3, 1, 2, 5];

const sweep = (kind: string, name: string = kind, options: object = {}): object[] =>
  ALPHAS.map((alpha) => ({ kind, name: `${name}, α ${alpha}`, radius: { kind: "practical", alpha }, ...options }));

export const radius: BuiltIn = {
  name: "radius",
  title: "Regret against the radius of the confidence ball, for each policy",
  document: {
    name: "radius",
    worlds: [{ kind: "clusters", name: "four clusters", peers: 40, clusters: 4, dimension: 10, arms: 10, noise: 0.5 }],
    policies: [
      ...sweep("solo"),
      ...sweep("pooled"),
      ...sweep("club"),
      ...sweep("sclub"),
      ...sweep("dccb", "dccb as published"),
      ...sweep("dccb", "dccb, mutual and bridge", { sharing: "mutual", bridge: true }),
      ...sweep("oracle"),
    ],
    rounds: 1000,
    seeds: [1, 2, 3, 4, 5],
    checkpoints: 20,
  },
  figures,
};
