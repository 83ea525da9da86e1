import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

/** What the theorems assume: the theory radius, and for DCCB the theory threshold with the arms' least eigenvalue, 1/d. */
const chance = { noise: 0.1, delta: 0.1 };
const radius = { kind: "theory", norm: 1, ...chance };
const threshold = { kind: "theory", lambda: 1 / 3, ...chance };
const world = { kind: "clusters", peers: 8, dimension: 3, arms: 10, noise: chance.noise };

export const bounds: BuiltIn = {
  name: "bounds",
  title: "The paper's regret bounds beside the measured regret",
  document: {
    name: "bounds",
    worlds: [
      { name: "one taste", ...world, clusters: 1 },
      { name: "two tastes", ...world, clusters: 2, gap: 1.4 },
    ],
    policies: [
      { kind: "solo", radius },
      { kind: "dcb", radius },
      { kind: "dccb", radius, threshold },
    ],
    rounds: 20000,
    seeds: [1, 2, 3, 4, 5],
    checkpoints: 200,
  },
  figures,
};
