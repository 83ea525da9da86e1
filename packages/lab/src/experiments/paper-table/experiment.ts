import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

/** Network sizes, each twice as large as the one before: evenly spaced on the axis the power is fitted on. */
const SIZES = [8, 16, 32, 64, 128];

const worlds = (name: string, clusters: number): object[] =>
  SIZES.map((peers) => ({
    kind: "clusters",
    name: `${name}, ${peers} peers`,
    peers,
    clusters,
    dimension: 5,
    arms: 10,
    noise: 0.5,
  }));

export const paperTable: BuiltIn = {
  name: "paper-table",
  title: "The paper's table: how regret and bytes grow with peers and rounds",
  document: {
    name: "paper-table",
    worlds: [...worlds("one taste", 1), ...worlds("four tastes", 4)],
    policies: [{ kind: "solo" }, { kind: "pooled" }, { kind: "dcb" }, { kind: "dccb" }],
    rounds: 2000,
    seeds: [1, 2, 3, 4, 5, 6, 7, 8],
    // Every 125 rounds: halves, quarters, eighths and sixteenths of the run are among them.
    checkpoints: 16,
  },
  figures,
};
