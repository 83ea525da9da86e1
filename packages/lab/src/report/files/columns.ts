import type { Checkpoint, Result, Row } from "../../results/types.ts";
import type { CsvValue } from "./csv.ts";

/** The two tables that a run is exported as. Their columns bear the names of the fields they come from. */

export interface FileColumn<T> {
  readonly name: string;
  readonly type: "text" | "whole" | "large" | "real";
  readonly nullable: boolean;
  readonly of: (item: T) => CsvValue;
}

/** One row of the second table: a checkpoint and the run it belongs to. */
export interface CheckpointRow {
  readonly result: Result;
  readonly checkpoint: Checkpoint;
}

export const momentsOf = (results: readonly Result[]): CheckpointRow[] =>
  results.flatMap((result) => result.checkpoints.map((checkpoint) => ({ result, checkpoint })));

type Kind = readonly [type: FileColumn<unknown>["type"], nullable?: "nullable"];

const ROW: Readonly<Record<keyof Row, Kind>> = {
  world: ["text"],
  policy: ["text"],
  kind: ["text"],
  // Any whole number up to 2^53 may be a seed.
  seed: ["large"],
  peers: ["whole"],
  rounds: ["whole"],
  reward: ["real"],
  rewardOverRandom: ["real", "nullable"],
  regret: ["real", "nullable"],
  sentBytes: ["real", "nullable"],
  exchanges: ["real"],
  exactAtRound: ["whole", "nullable"],
  rightShare: ["real", "nullable"],
  newcomerRegret: ["real", "nullable"],
  stuck: ["whole", "nullable"],
  secondsPerRun: ["real"],
};

const CHECKPOINT: Readonly<Record<keyof Checkpoint, Kind>> = {
  round: ["whole"],
  reward: ["real"],
  rewardOverRandom: ["real", "nullable"],
  regret: ["real", "nullable"],
  rewardPerRound: ["real"],
  regretPerRound: ["real", "nullable"],
  sentBytes: ["real", "nullable"],
  exchanges: ["real"],
  pairsRight: ["real", "nullable"],
  pairsWrong: ["real", "nullable"],
  disagreement: ["real"],
  borrowed: ["real"],
  found: ["real", "nullable"],
  choices: ["real", "nullable"],
  rightChoices: ["real", "nullable"],
  newcomerRegret: ["real", "nullable"],
};

const IDENTITY: readonly (keyof Row)[] = ["world", "policy", "kind", "seed", "peers"];

/** One row for each run. */
export const runColumns: readonly FileColumn<Result>[] = [
  { name: "cell", type: "whole", nullable: false, of: ({ cell }) => cell },
  ...namesOf(ROW).map((name) => column<Result>(name, ROW[name], ({ row }) => row[name] ?? null)),
];

/** One row for each checkpoint. */
export const checkpointColumns: readonly FileColumn<CheckpointRow>[] = [
  { name: "cell", type: "whole", nullable: false, of: ({ result }) => result.cell },
  ...IDENTITY.map((name) => column<CheckpointRow>(name, ROW[name], ({ result }) => result.row[name])),
  ...namesOf(CHECKPOINT).map((name) =>
    column<CheckpointRow>(name, CHECKPOINT[name], ({ checkpoint }) => checkpoint[name] ?? null),
  ),
];

function namesOf<Name extends string>(kinds: Readonly<Record<Name, Kind>>): Name[] {
  return Object.keys(kinds) as Name[];
}

function column<T>(name: string, [type, nullable]: Kind, of: (item: T) => CsvValue): FileColumn<T> {
  return { name, type, nullable: nullable === "nullable", of };
}
