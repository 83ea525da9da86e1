import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const ALPHAS = [0, 0.05, 0.1, 0.2, 0.3, 1];
const FACTORS = [0.5, 0.7, 1, 1.5, 2];

/** A baseline with every radius, to be tuned in hindsight. */
const byRadius = (kind: string): object[] =>
  ALPHAS.map((alpha) => ({ kind, name: `${kind}, α ${alpha}`, radius: { kind: "practical", alpha } }));

/** A baseline with every radius and every threshold. */
const byBoth = (kind: string): object[] =>
  ALPHAS.flatMap((alpha) =>
    FACTORS.map((factor) => ({
      kind,
      name: `${kind}, α ${alpha}, factor ${factor}`,
      radius: { kind: "practical", alpha },
      threshold: { kind: "practical", factor },
    })),
  );

/** Seeds that nothing was chosen by. */
const FRESH = Array.from({ length: 20 }, (_, k) => 101 + k);

const world = (name: string, dataset: string, peers: number): object => ({
  kind: "dataset",
  name,
  dataset,
  peers,
  dimension: 25,
  arms: 25,
});

export const kindred: BuiltIn = {
  name: "kindred",
  title: "Kindred and its parts on the three datasets, beside tuned baselines (hours)",
  document: {
    name: "kindred",
    worlds: [world("Last.fm", "lastfm", 91), world("Delicious", "delicious", 87), world("MovieLens", "movielens", 100)],
    policies: [
      { kind: "kindred" },
      { kind: "kindred", name: "kindred, no groups", groups: false },
      { kind: "kindred", name: "kindred, no population", population: false },
      { kind: "kindred", name: "kindred, no guard", guard: false },
      ...["solo", "pooled", "dcb"].flatMap(byRadius),
      ...["club", "sclub", "dccb"].flatMap(byBoth),
    ],
    rounds: 250,
    seeds: FRESH,
    checkpoints: 50,
  },
  figures,
};
