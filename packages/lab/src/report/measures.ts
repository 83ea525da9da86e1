import type { Checkpoint, Result, Row } from "../results/types.ts";
import type { Unit } from "./numbers.ts";

/** Something a run is judged by. */
export interface Measure {
  readonly name: string;
  /** As it stands in a sentence and on an axis: "regret". */
  readonly title: string;
  /** What exactly, for a caption. */
  readonly meaning: string;
  readonly unit: Unit;
  /** Which way is good; null where more or less is neither. */
  readonly better: "less" | "more" | null;
  /** How the best is called in a sentence; "lowest" or "highest" if not said. */
  readonly superlative?: string;
  /** At the end of the run; null where there is none. */
  readonly of: (result: Result) => number | null;
  /** After some rounds; absent where it is known only at the end. */
  readonly at?: (checkpoint: Checkpoint, row: Row) => number | null;
}

export type MeasureName =
  | "regret"
  | "reward"
  | "rewardOverRandom"
  | "bytes"
  | "exchanges"
  | "exactAtRound"
  | "regretPerRound"
  | "rewardPerRound"
  | "pairsRight"
  | "disagreement"
  | "borrowed"
  | "found"
  | "rightShare"
  | "newcomerRegret"
  | "stuck"
  | "seconds";

type Unnamed = Omit<Measure, "name">;

const perPeerRound = (sum: number | null, peers: number, rounds: number): number | null =>
  sum === null ? null : sum / (peers * rounds);

const pairsShare = ({ pairsRight, pairsWrong }: Checkpoint): number | null => {
  if (pairsRight === null || pairsWrong === null) return null;
  const pairs = pairsRight + pairsWrong;
  return pairs === 0 ? null : pairsRight / pairs;
};

/** A measure that only checkpoints carry: its end is the last of them. */
function fromCheckpoints(
  about: Omit<Unnamed, "of" | "at">,
  at: (checkpoint: Checkpoint, row: Row) => number | null,
): Unnamed {
  const of = ({ checkpoints, row }: Result): number | null => {
    const last = checkpoints.at(-1);
    return last === undefined ? null : at(last, row);
  };
  return { ...about, of, at };
}

const unnamed: Readonly<Record<MeasureName, Unnamed>> = {
  regret: {
    title: "regret",
    meaning: "expected regret, sum over peers and rounds",
    unit: "number",
    better: "less",
    superlative: "least",
    of: ({ row }) => row.regret,
    at: ({ regret }) => regret,
  },
  reward: {
    title: "reward",
    meaning: "reward, sum over peers and rounds",
    unit: "number",
    better: "more",
    superlative: "most",
    of: ({ row }) => row.reward,
    at: ({ reward }) => reward,
  },
  rewardOverRandom: {
    title: "reward over random",
    meaning: "reward as a multiple of what random picks earn in the same world and seed",
    unit: "number",
    better: "more",
    of: ({ row }) => row.rewardOverRandom,
    at: ({ rewardOverRandom }) => rewardOverRandom,
  },
  bytes: {
    title: "bytes per peer and round",
    meaning: "bytes sent, both ways, per peer and round",
    unit: "bytes",
    better: null,
    of: ({ row }) => perPeerRound(row.sentBytes, row.peers, row.rounds),
    at: ({ sentBytes, round }, { peers }) => perPeerRound(sentBytes, peers, round),
  },
  exchanges: {
    title: "exchanges",
    meaning: "how often a peer took in another's statistics",
    unit: "number",
    better: null,
    of: ({ row }) => row.exchanges,
    at: ({ exchanges }) => exchanges,
  },
  exactAtRound: {
    title: "exact at round",
    meaning: "round from which on every neighbourhood equals its cluster",
    unit: "number",
    better: "less",
    of: ({ row }) => row.exactAtRound,
  },
  rightShare: {
    title: "share of right choices",
    meaning: "choices than which no arm offered had a higher mean, of all choices",
    unit: "share",
    better: "more",
    of: ({ row }) => row.rightShare ?? null,
    at: ({ choices, rightChoices }) => (choices > 0 && rightChoices !== null ? rightChoices / choices : null),
  },
  newcomerRegret: {
    title: "regret of newcomers",
    meaning: "expected regret of peers that joined late, sum over them and their rounds",
    unit: "number",
    better: "less",
    superlative: "least",
    of: ({ row }) => row.newcomerRegret ?? null,
    at: ({ newcomerRegret }) => newcomerRegret ?? null,
  },
  stuck: {
    title: "stuck peers",
    meaning: "peers whose most frequent choice of the last tenth of the rounds is not the best item",
    unit: "number",
    better: "less",
    superlative: "fewest",
    of: ({ row }) => row.stuck ?? null,
  },
  seconds: {
    title: "seconds per run",
    meaning: "processor time of one run on the machine it ran on",
    unit: "number",
    better: null,
    of: ({ row }) => row.secondsPerRun,
  },
  regretPerRound: fromCheckpoints(
    {
      title: "regret a round",
      meaning: "expected regret a round since the checkpoint before, sum over peers",
      unit: "number",
      better: "less",
      superlative: "least",
    },
    ({ regretPerRound }) => regretPerRound,
  ),
  rewardPerRound: fromCheckpoints(
    {
      title: "reward a round",
      meaning: "reward a round since the checkpoint before, sum over peers",
      unit: "number",
      better: "more",
      superlative: "most",
    },
    ({ rewardPerRound }) => rewardPerRound,
  ),
  pairsRight: fromCheckpoints(
    {
      title: "share of pairs judged rightly",
      meaning: "pairs of peers rightly joined or rightly kept apart, of all pairs",
      unit: "share",
      better: "more",
    },
    pairsShare,
  ),
  disagreement: fromCheckpoints(
    {
      title: "disagreement",
      meaning: "root mean square distance of a peer's estimate from its cluster's mean",
      unit: "number",
      better: null,
    },
    ({ disagreement }) => disagreement,
  ),
  borrowed: fromCheckpoints(
    {
      title: "share of evidence from others",
      meaning: "share of the evidence behind a peer's estimate that is not its own, mean over peers",
      unit: "share",
      better: null,
    },
    ({ borrowed }) => borrowed,
  ),
  found: fromCheckpoints(
    {
      title: "share of peers that have found their own kind",
      meaning: "peers that borrow at least half as much as they have seen, 95 % of it from their own cluster",
      unit: "share",
      better: "more",
    },
    ({ found }) => found ?? null,
  ),
};

export const measures = Object.fromEntries(
  Object.entries(unnamed).map(([name, measure]) => [name, { name, ...measure }]),
) as Readonly<Record<MeasureName, Measure>>;

/** A name of the list above, or a measure of one's own. */
export const measureOf = (measure: MeasureName | Measure): Measure =>
  typeof measure === "string" ? measures[measure] : measure;
