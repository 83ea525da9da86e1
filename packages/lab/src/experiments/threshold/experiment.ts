import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const FACTORS = [0.5, 1, 1.4, 2, 2.4, 2.8, 4];

const sweep = (kind: string, name: string = kind, options: object = {}): object[] =>
  FACTORS.map((factor) => ({
    kind,
    name: `${name}, factor ${factor}`,
    threshold: { kind: "practical", factor },
    ...options,
  }));

export const threshold: BuiltIn = {
  name: "threshold",
  title: "Regret and recovery against the threshold at which peers part, for each policy",
  document: {
    name: "threshold",
    worlds: [{ kind: "clusters", name: "four clusters", peers: 40, clusters: 4, dimension: 10, arms: 10, noise: 0.5 }],
    policies: [
      { kind: "solo" },
      { kind: "oracle" },
      ...sweep("club"),
      ...sweep("sclub"),
      ...sweep("dccb", "dccb as published"),
      ...sweep("dccb", "dccb, mutual and bridge", { sharing: "mutual", bridge: true }),
    ],
    rounds: 1000,
    seeds: [1, 2, 3, 4, 5],
    checkpoints: 20,
  },
  figures,
};
