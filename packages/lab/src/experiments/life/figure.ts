import type { FigureSpec } from "../../report/figures/spec.ts";

export const figures = (): readonly FigureSpec[] => [
  {
    id: "regret-over-solo",
    title: "Regret as a multiple of solo's",
    kind: "dots",
    measure: "regret",
    relativeTo: "solo",
    only: (row) => row.kind !== "club" || row.policy === "club 1",
  },
];
