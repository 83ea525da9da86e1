import type { Figure } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import { sweepFigure } from "../figures/sweep.ts";

export const figures = (run: Run): readonly Figure[] => [
  sweepFigure(run, {
    id: "regret-by-radius",
    title: "Regret against the radius",
    kind: "against",
    measure: "regret",
    x: "policy.radius.alpha",
    xTitle: "α of the practical radius",
    xScale: "log",
    yScale: "log",
    parameter: "α",
    levels: [],
  }),
];
