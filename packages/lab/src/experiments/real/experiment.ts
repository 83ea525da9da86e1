import type { BuiltIn } from "../builtIn.ts";
import { byBoth, byRadius, LASTFM, MOVIELENS } from "../kindred/baselines.ts";
import { figures } from "./figure.ts";

export const real: BuiltIn = {
  name: "real",
  title: "Real data: kindred with its defaults beside baselines tuned in hindsight (12 minutes)",
  document: {
    name: "real",
    worlds: [LASTFM, MOVIELENS],
    policies: [{ kind: "kindred" }, ...["solo", "pooled"].flatMap(byRadius), ...["club", "dccb"].flatMap(byBoth)],
    rounds: 95,
    // Seeds that nothing was chosen by; those of outside.ts begin with the same.
    seeds: Array.from({ length: 10 }, (_, k) => 101 + k),
    checkpoints: 19,
  },
  figures,
};
