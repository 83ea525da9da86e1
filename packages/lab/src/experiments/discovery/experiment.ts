import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const SIZES = [100, 1000, 10_000];

const worlds = (name: string, clusters: (peers: number) => number): object[] =>
  SIZES.map((peers) => ({
    kind: "clusters",
    name: `${name}, ${peers} peers`,
    peers,
    clusters: clusters(peers),
    dimension: 10,
    arms: 10,
    noise: 0.1,
  }));

export const discovery: BuiltIn = {
  name: "discovery",
  title: "How long peers take to find their own kind among 100, 1,000 and 10,000",
  document: {
    name: "discovery",
    worlds: [...worlds("20 of each kind", (peers) => peers / 20), ...worlds("five kinds", () => 5)],
    policies: [{ kind: "kindred" }, { kind: "kindred", name: "kindred, partners at random", seek: false }],
    rounds: 60,
    seeds: [1, 2, 3],
    checkpoints: 60,
  },
  figures,
};
