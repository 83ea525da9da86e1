import type { Against, CellView, Figure } from "../../report/figures/spec.ts";
import type { Measure } from "../../report/measures.ts";
import type { Run } from "../../results/read.ts";

/** The first checkpoint at which so many of the peers have found their own kind; null if they never do. */
const foundBy = (share: number, name: string, whose: string): Measure => ({
  name,
  title: "rounds",
  meaning: `rounds until ${whose} borrow enough, 95 % of it from their own cluster`,
  unit: "number",
  better: "less",
  of: ({ checkpoints }) => checkpoints.find(({ found }) => (found ?? 0) >= share)?.round ?? null,
});

/** "five kinds, 100 peers" → "five kinds". */
const kinds = ({ row }: CellView): string => row.world.replace(/, [^,]*$/, "");

const byPeers: Pick<Against, "kind" | "x" | "xTitle" | "xScale" | "panel"> = {
  kind: "against",
  panel: kinds,
  x: "row.peers",
  xTitle: "peers",
  xScale: "log",
};

export const figures = (_run: Run): readonly Figure[] => [
  {
    id: "discovery",
    title: "Rounds until half of the peers have found their own kind",
    measure: foundBy(0.5, "foundByHalf", "half of the peers"),
    ...byPeers,
  },
  {
    id: "discovery-most",
    title: "Rounds until nine in ten peers have found their own kind",
    measure: foundBy(0.9, "foundByMost", "nine in ten peers"),
    ...byPeers,
  },
  { id: "bytes", title: "What a peer sends as the network grows", measure: "bytes", ...byPeers },
];
