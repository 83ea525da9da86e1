import type { BuiltIn } from "../builtIn.ts";
import { growth } from "../scale/figure.ts";
import { oneKind } from "../scale/worlds.ts";

export const scaleKindred: BuiltIn = {
  name: "scale-kindred",
  title: "From a thousand to ten thousand peers that hold a bounded number of records",
  document: {
    name: "scale-kindred",
    worlds: oneKind([1000, 3000, 10_000]),
    // Eight records of others however many there are.
    policies: [{ kind: "kindred", name: "kindred, 8 records", view: 8, budget: 4 }],
    rounds: 40,
    seeds: [1],
    checkpoints: 20,
  },
  figures: () => growth,
};
