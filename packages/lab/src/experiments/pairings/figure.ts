import type { Against, CellView, Figure } from "../../report/figures/spec.ts";
import type { Run } from "../../results/read.ts";
import { family, sweepFigure } from "../figures/sweep.ts";

/** The last part of the name: the pairing, or "epoch"; policies that have but one are level lines. */
const pairing = ({ row }: CellView): string | null => {
  const last = /, ([^,]*)$/.exec(row.policy)?.[1] ?? null;
  // Else it runs into its neighbour on the axis.
  return last === "asynchronous" ? "async" : last;
};

const against: Pick<Against, "kind" | "x" | "xTitle" | "xScale" | "panel" | "series"> = {
  kind: "against",
  panel: "row.world",
  series: family,
  x: pairing,
  xTitle: "pairing (epoch: two slots, the policy's own pairing)",
  xScale: "ordinal",
};

export const figures = (run: Run): readonly Figure[] => [
  sweepFigure(run, {
    id: "regret-by-pairing",
    title: "Regret by pairing",
    measure: "regret",
    yScale: "log",
    ...against,
    parameter: "pairings",
    levels: ["solo", "round-robin"],
  }),
  sweepFigure(run, {
    id: "bytes-by-pairing",
    title: "What is sent, by pairing",
    measure: "bytes",
    yScale: "log",
    ...against,
    parameter: "pairings",
    levels: ["round-robin"],
  }),
];
