import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

export const quick: BuiltIn = {
  name: "quick",
  title: "The policies in one small world, in less than a minute",
  document: {
    name: "quick",
    worlds: [{ kind: "clusters", name: "four clusters", peers: 40, clusters: 4, dimension: 10, arms: 10, noise: 0.5 }],
    policies: [
      { kind: "random" },
      { kind: "pooled" },
      { kind: "solo" },
      { kind: "club" },
      { kind: "sclub" },
      { kind: "dccb", name: "dccb as published" },
      { kind: "dccb", name: "dccb, mutual and bridge", sharing: "mutual", bridge: true },
      { kind: "kindred" },
      { kind: "oracle" },
    ],
    rounds: 1000,
    seeds: [1, 2, 3, 4, 5],
  },
  figures,
};
