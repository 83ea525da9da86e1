import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

/** Fixed numbers of rounds, then the paper's L(t) = factor · (networkExponent · log2 V + log2 t). */
const DELAYS = [
  ...[0, 1, 3, 8, 20, 50].map((rounds) => ({ name: `${rounds}`, delay: { rounds } })),
  ...[1, 2, 4].map((factor) => ({ name: `×${factor}`, delay: { factor } })),
];

const sweep = (kind: string, name: string, options: object): object[] =>
  DELAYS.map((entry) => ({ kind, name: `${name}, delay ${entry.name}`, delay: entry.delay, ...options }));

const world = { kind: "clusters", peers: 40, dimension: 10, arms: 10, noise: 0.5 };

export const delay: BuiltIn = {
  name: "delay",
  title: "What the delay costs and what it buys, with and without the bridge",
  document: {
    name: "delay",
    worlds: [
      { name: "one taste", ...world, clusters: 1 },
      { name: "four tastes", ...world, clusters: 4 },
    ],
    policies: [
      { kind: "solo" },
      ...sweep("dcb", "dcb", {}),
      ...sweep("dcb", "dcb, bridge", { bridge: true }),
      ...sweep("dccb", "dccb, mutual", { sharing: "mutual" }),
      ...sweep("dccb", "dccb, mutual and bridge", { sharing: "mutual", bridge: true }),
    ],
    rounds: 600,
    seeds: [1, 2, 3, 4, 5],
    checkpoints: 20,
  },
  figures,
};
