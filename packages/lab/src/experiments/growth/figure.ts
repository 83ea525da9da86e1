import type { CellView, Figure, LogLog } from "../../report/figures/spec.ts";
import { type Measure, measures } from "../../report/measures.ts";
import type { Run } from "../../results/read.ts";

const regretPerPeer: Measure = {
  ...measures.regret,
  name: "regretPerPeer",
  title: "regret per peer",
  meaning: "expected regret of a peer, sum over rounds, mean over peers",
  of: ({ row }) => (row.regret === null ? null : row.regret / row.peers),
  at: ({ regret }, { peers }) => (regret === null ? null : regret / peers),
};

const microseconds: Measure = {
  ...measures.seconds,
  name: "microseconds",
  title: "microseconds per peer and round",
  meaning: "time of a run on the machine it ran on, worlds and all, per peer and round",
  of: ({ row }) => (1e6 * row.secondsPerRun) / (row.peers * row.rounds),
};

/** "one taste, 100 peers" → "one taste". */
const tastes = ({ row }: CellView): string => row.world.replace(/, [^,]*$/, "");

const byPeers: Pick<LogLog, "kind" | "x" | "xTitle" | "panel"> = {
  kind: "loglog",
  panel: tastes,
  x: "row.peers",
  xTitle: "peers",
};

export const figures = (_run: Run): readonly Figure[] => [
  { id: "regret-per-peer", title: "Regret of a peer as the network grows", measure: regretPerPeer, ...byPeers },
  {
    id: "bytes-per-peer",
    title: "What a peer sends as the network grows",
    measure: "bytes",
    only: ({ kind }) => kind !== "solo",
    ...byPeers,
  },
  { id: "time-per-peer", title: "Time for a peer and round as the network grows", measure: microseconds, ...byPeers },
];
