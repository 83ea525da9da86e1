import type { Against, Figure } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import { setting, sweepFigure } from "../figures/sweep.ts";

const against: Pick<Against, "kind" | "x" | "xTitle" | "xScale" | "panel"> = {
  kind: "against",
  panel: "row.world",
  x: setting("delay"),
  xTitle: "delay: rounds, or times log2 (published: ×4)",
  xScale: "ordinal",
};

export const figures = (run: Run): readonly Figure[] => [
  sweepFigure(run, {
    id: "regret-by-delay",
    title: "Regret against the delay",
    measure: "regret",
    yScale: "log",
    ...against,
    parameter: "the delay",
    levels: ["solo"],
  }),
  sweepFigure(run, {
    id: "disagreement-by-delay",
    title: "How far peers of one taste are apart at the end",
    measure: "disagreement",
    ...against,
    parameter: "the delay",
    levels: ["solo"],
  }),
  sweepFigure(run, {
    id: "bytes-by-delay",
    title: "What is sent, against the delay",
    measure: "bytes",
    ...against,
    parameter: "the delay",
    levels: [],
  }),
];
