import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const dataset = (name: string, entry: { dataset: string; peers: number; rounds: number }): object => ({
  kind: "dataset",
  name,
  ...entry,
  dimension: 25,
  arms: 25,
});

export const paperFigure: BuiltIn = {
  name: "paper-figure",
  title: "The paper's figure: reward over random on Last.fm, Delicious and MovieLens",
  document: {
    name: "paper-figure",
    worlds: [
      dataset("Last.fm", { dataset: "lastfm", peers: 91, rounds: 95 }),
      dataset("Delicious", { dataset: "delicious", peers: 87, rounds: 95 }),
      dataset("MovieLens", { dataset: "movielens", peers: 100, rounds: 250 }),
    ],
    policies: [
      { kind: "random" },
      { kind: "solo" },
      { kind: "pooled" },
      { kind: "club" },
      { kind: "dcb" },
      { kind: "dccb", name: "dccb as published" },
      { kind: "dccb", name: "dccb, mutual and bridge", sharing: "mutual", bridge: true },
    ],
    rounds: 95,
    seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  figures,
};
