import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const SIZES = [10, 100, 1000, 10_000];

const worlds = (name: string, clusters: number): object[] =>
  SIZES.map((peers) => ({
    kind: "clusters",
    name: `${name}, ${peers} peers`,
    peers,
    clusters,
    dimension: 10,
    arms: 10,
    noise: 0.5,
  }));

/** Two slots for each peer however many there are, promoted after log2 V + log2 t rounds: what mixing needs at least. */
const epochs = { buffer: "epoch", delay: { factor: 1, networkExponent: 1 } };

export const growth: BuiltIn = {
  name: "growth",
  title: "From 10 to 10,000 peers: regret, bytes and time for each of them",
  document: {
    name: "growth",
    worlds: [...worlds("one taste", 1), ...worlds("five tastes", 5)],
    policies: [
      { kind: "solo" },
      { kind: "pooled" },
      { kind: "dcb", name: "dcb, epochs", ...epochs },
      { kind: "dccb", name: "dccb, mutual and bridge, epochs", sharing: "mutual", bridge: true, ...epochs },
    ],
    rounds: 100,
    seeds: [1, 2, 3],
    checkpoints: 20,
  },
  figures,
};
