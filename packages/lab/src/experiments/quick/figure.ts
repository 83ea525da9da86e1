import type { Figure } from "../../report/figures/spec.ts";

export const figures = (): readonly Figure[] => [
  {
    id: "regret",
    title: "Regret of those that learn and do not mix tastes",
    kind: "curves",
    measure: "regret",
    // Ten times the others' regret, and more: they would press the rest flat.
    only: ({ kind }) => kind !== "random" && kind !== "pooled",
  },
  { id: "clusters", title: "Finding the clusters", kind: "curves", measure: "pairsRight" },
  {
    id: "regret-and-bytes",
    title: "Regret and what is sent",
    kind: "tradeoff",
    measure: "regret",
    price: "bytes",
    only: ({ kind }) => kind !== "random",
    yScale: "log",
  },
];
