import type { FigureSpec } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import { tuned } from "../figures/tuned.ts";

export const figures = (run: Run): readonly FigureSpec[] => [
  {
    id: "reward-in-time",
    title: "Reward in the order of time: kindred, and of each baseline the best setting in hindsight",
    kind: "dots",
    measure: "reward",
    only: tuned(run),
  },
];
