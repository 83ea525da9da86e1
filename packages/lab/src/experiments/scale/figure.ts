import type { Figure, LogLog } from "../../report/figures/spec.ts";
import { type Measure, measures } from "../../report/measures.ts";
import type { Run } from "../../results/read.ts";
import { bytesPerPeer } from "./memory.ts";

const secondsPerRound: Measure = {
  ...measures.seconds,
  name: "secondsPerRound",
  title: "seconds per round",
  meaning: "processor time of a round of all peers on the machine it ran on, world included",
  of: ({ row }) => row.secondsPerRun / row.rounds,
};

const regretOfAPeer: Measure = {
  ...measures.regretPerRound,
  name: "regretOfAPeer",
  title: "regret per peer and round",
  meaning: "expected regret of one peer in a round since the checkpoint before, mean over peers",
  of: ({ row, checkpoints }) => {
    const last = checkpoints.at(-1)?.regretPerRound ?? null;
    return last === null ? null : last / row.peers;
  },
  at: ({ regretPerRound }, { peers }) => (regretPerRound === null ? null : regretPerRound / peers),
};

const memoryOf = (document: unknown): Measure => {
  const of = bytesPerPeer(document);
  return {
    ...measures.bytes,
    name: "memory",
    title: "bytes of memory per peer",
    meaning: "memory of the engine and the world for one peer",
    of: ({ row }) => of(row),
  };
};

const byPeers: Pick<LogLog, "kind" | "panel" | "x" | "xTitle"> = {
  kind: "loglog",
  panel: () => "all sizes",
  x: "row.peers",
  xTitle: "peers",
};

/** How time and regret go with the number of peers, whatever the policy. */
export const growth: readonly Figure[] = [
  { id: "seconds-per-round", title: "Time of a round as the network grows", measure: secondsPerRound, ...byPeers },
  {
    id: "regret-per-round",
    title: "Regret of a peer, round by round",
    kind: "curves",
    measure: regretOfAPeer,
    panel: () => "one taste",
    series: "row.world",
    yScale: "log",
  },
];

export const figures = (run: Run): readonly Figure[] => [
  ...growth,
  {
    id: "memory-per-peer",
    title: "Memory of a peer as the network grows",
    measure: memoryOf(run.experiment),
    ...byPeers,
  },
];
