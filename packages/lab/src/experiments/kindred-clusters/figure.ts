import type { FigureSpec } from "../../report/figures/spec.ts";
import type { Row } from "../../results/types.ts";

const shown = (row: Row): boolean => row.kind !== "club" || row.policy === "club, factor 2";

export const figures = (): readonly FigureSpec[] => [
  {
    id: "regret-over-solo",
    title: "Regret after 500 rounds as a multiple of solo's",
    kind: "dots",
    measure: "regret",
    relativeTo: "solo",
    only: (row) => shown(row) && row.policy !== "dcb, bridge",
  },
  {
    id: "bytes",
    title: "What is sent",
    kind: "dots",
    measure: "bytes",
    xScale: "log",
    only: (row) => row.sentBytes !== null && row.sentBytes > 0 && !row.policy.startsWith("kindred, "),
  },
];
