import { ConfigError, check } from "@coterie/core";
import { type Experiment, type NamedPolicy, type NamedWorld, plays } from "./parse.ts";

/** One run: a world, a policy and a seed. */
export interface Cell {
  /** Position among worlds × the policies of each × seeds, the last running fastest. */
  readonly index: number;
  readonly world: NamedWorld;
  readonly policy: NamedPolicy;
  readonly seed: number;
}

export function cellsOf(experiment: Experiment): Cell[] {
  const cells: Cell[] = [];
  for (const world of experiment.worlds) {
    for (const policy of experiment.policies) {
      if (!plays(world, policy)) continue;
      for (const seed of experiment.seeds) cells.push({ index: cells.length, world, policy, seed });
    }
  }
  return cells;
}

/** Part `index` of `of`, counted from 1: every of-th cell. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The only shard of one. */
export const WHOLE: Shard = { index: 1, of: 1 };

export const cellsOfShard = (cells: readonly Cell[], shard: Shard): Cell[] =>
  cells.filter(({ index }) => index % shard.of === shard.index - 1);

/** "2/4", or "auto" for what a Slurm array or a Kubernetes Indexed Job says of itself. */
export function parseShard(text: string, environment: Readonly<Record<string, string | undefined>>): Shard {
  if (text === "auto") return shardOf(environment);
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match === null) throw new ConfigError("--shard", text, "be auto, or like 2/4");
  const of = check.whole("--shard", Number(match[2]), 1, 1_000_000);
  return { index: check.whole("--shard", Number(match[1]), 1, of), of };
}

function shardOf(environment: Readonly<Record<string, string | undefined>>): Shard {
  const number = (name: string): number => {
    const value = environment[name];
    if (value === undefined || !/^\d+$/.test(value))
      throw new ConfigError(name, value, "be a whole number for --shard auto");
    return Number(value);
  };
  if (environment.SLURM_ARRAY_TASK_ID !== undefined) {
    const first = environment.SLURM_ARRAY_TASK_MIN === undefined ? 0 : number("SLURM_ARRAY_TASK_MIN");
    return shardNumbered(number("SLURM_ARRAY_TASK_ID") - first, number("SLURM_ARRAY_TASK_COUNT"));
  }
  if (environment.JOB_COMPLETION_INDEX !== undefined) {
    return shardNumbered(number("JOB_COMPLETION_INDEX"), number("COTERIE_SHARDS"));
  }
  throw new ConfigError(
    "--shard",
    "auto",
    "run inside a Slurm array (SLURM_ARRAY_TASK_ID) or a Kubernetes Indexed Job (JOB_COMPLETION_INDEX and COTERIE_SHARDS)",
  );
}

function shardNumbered(zeroBased: number, of: number): Shard {
  if (zeroBased < 0 || zeroBased >= of) throw new ConfigError("--shard auto", zeroBased, `lie from 0 to ${of - 1}`);
  return { index: zeroBased + 1, of };
}
