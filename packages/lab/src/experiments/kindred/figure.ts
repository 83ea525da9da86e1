import type { FigureSpec } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import type { Row } from "../../results/types.ts";
import { tuned } from "../figures/tuned.ts";

export function figures(run: Run): readonly FigureSpec[] {
  const kept = tuned(run);
  const only = (row: Row): boolean => kept(row) && row.policy !== "random";
  return [
    {
      id: "kindred-reward",
      title: "Reward over random: kindred, and of each baseline the best setting in hindsight",
      kind: "curves",
      measure: "rewardOverRandom",
      only: (row) => only(row) && !row.policy.startsWith("kindred, "),
    },
    {
      id: "kindred-parts",
      title: "What each part of kindred is worth",
      kind: "dots",
      measure: "rewardOverRandom",
      only: (row) => row.kind === "kindred",
    },
  ];
}
