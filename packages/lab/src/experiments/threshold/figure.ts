import type { Against, Figure } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import { sweepFigure } from "../figures/sweep.ts";

const against: Pick<Against, "kind" | "x" | "xTitle" | "xScale"> = {
  kind: "against",
  x: "policy.threshold.factor",
  xTitle: "factor of the practical threshold",
  xScale: "log",
};

export const figures = (run: Run): readonly Figure[] => [
  sweepFigure(run, {
    id: "regret-by-threshold",
    title: "Regret against the threshold",
    measure: "regret",
    ...against,
    parameter: "the factor",
    levels: ["solo", "oracle"],
  }),
  sweepFigure(run, {
    id: "recovery-by-threshold",
    title: "Pairs judged rightly at the end, against the threshold",
    measure: "pairsRight",
    ...against,
    parameter: "the factor",
    levels: [],
  }),
];
