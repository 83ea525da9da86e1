import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";
import { oneKind } from "./worlds.ts";

export const scale: BuiltIn = {
  name: "scale",
  title: "From a thousand to a million peers in one process: seconds, memory and regret",
  document: {
    name: "scale",
    worlds: oneKind([1000, 10_000, 100_000, 1_000_000]),
    policies: [
      // Two slots for each peer however many there are, promoted after log2 V + log2 t rounds.
      { kind: "dcb", name: "dcb, epochs", buffer: "epoch", delay: { factor: 1, networkExponent: 1 } },
    ],
    rounds: 120,
    seeds: [1],
    checkpoints: 24,
  },
  figures,
};
