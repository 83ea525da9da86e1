import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

/** One policy under every pairing, and with epochs in place of slots under the one that is its default. */
function sweep(kind: "dcb" | "dccb", name: string, options: object = {}): object[] {
  // All are a dcb peer's neighbours: to it that is a matching.
  const pairings = ["permutation", "matching", ...(kind === "dccb" ? ["neighbours"] : []), "asynchronous"];
  return [
    ...pairings.map((pairing) => ({ kind, name: `${name}, ${pairing}`, pairing, ...options })),
    { kind, name: `${name}, epoch`, buffer: "epoch", ...options },
  ];
}

const world = { kind: "clusters", peers: 40, dimension: 10, arms: 10, noise: 0.5 };

export const pairings: BuiltIn = {
  name: "pairings",
  title: "Who meets whom: permutation, matching, neighbours, asynchronous, ring; slots or epochs",
  document: {
    name: "pairings",
    worlds: [
      { name: "one taste", ...world, clusters: 1 },
      { name: "four tastes", ...world, clusters: 4 },
    ],
    policies: [
      { kind: "solo" },
      { kind: "round-robin" },
      ...sweep("dccb", "dccb as published"),
      ...sweep("dccb", "dccb, mutual and bridge", { sharing: "mutual", bridge: true }),
      ...sweep("dcb", "dcb"),
    ],
    rounds: 1000,
    seeds: [1, 2, 3, 4, 5],
    checkpoints: 20,
  },
  figures,
};
