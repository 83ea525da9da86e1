import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const world = (peers: number, clusters: number, dimension: number, noise: number): object => ({
  kind: "clusters",
  name: `${peers} peers, ${clusters} clusters, d ${dimension}, noise ${noise}`,
  peers,
  clusters,
  dimension,
  arms: 10,
  noise,
});

const clubs = [0.5, 0.7, 1, 1.5, 2].map((factor) => ({
  kind: "club",
  name: `club, factor ${factor}`,
  threshold: { kind: "practical", factor },
}));

export const kindredClusters: BuiltIn = {
  name: "kindred-clusters",
  title: "Kindred and its parts where clusters are known: few and many, large and small, quiet and noisy",
  document: {
    name: "kindred-clusters",
    worlds: [
      world(40, 4, 10, 0.5),
      world(50, 5, 10, 0.1),
      world(100, 10, 20, 0.5),
      world(60, 3, 25, 0.3),
      world(40, 1, 10, 0.5),
      world(40, 40, 10, 0.5),
    ],
    policies: [
      { kind: "solo" },
      { kind: "oracle" },
      { kind: "sclub" },
      ...clubs,
      { kind: "dccb" },
      { kind: "dcb", name: "dcb, bridge", bridge: true },
      { kind: "kindred" },
      { kind: "kindred", name: "kindred, no groups", groups: false },
      { kind: "kindred", name: "kindred, no population", population: false },
      { kind: "kindred", name: "kindred, no guard", guard: false },
    ],
    rounds: 500,
    seeds: Array.from({ length: 10 }, (_, k) => 101 + k),
    checkpoints: 20,
  },
  figures,
};
