import type { BuiltIn } from "../builtIn.ts";
import { byBoth, byRadius, DELICIOUS, LASTFM, MOVIELENS } from "./baselines.ts";
import { figures } from "./figure.ts";

/** Seeds that nothing was chosen by. */
const FRESH = Array.from({ length: 20 }, (_, k) => 101 + k);

export const kindred: BuiltIn = {
  name: "kindred",
  title: "Kindred and its parts on the three datasets, beside tuned baselines (hours)",
  document: {
    name: "kindred",
    worlds: [LASTFM, DELICIOUS, MOVIELENS],
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
