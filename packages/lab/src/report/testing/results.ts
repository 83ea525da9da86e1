import { Random } from "@coterie/core";
import { type Run, runOf } from "../../results/read.ts";
import type { Checkpoint, Manifest, Result } from "../../results/types.ts";

/** Made-up results whose numbers are known: regret = level · √round · (1 + 5 % noise of the seed). */

export interface MadePolicy {
  readonly kind: string;
  readonly name?: string;
  readonly level: number;
  readonly bytes?: number | null;
}

export interface MadeWorld {
  readonly name: string;
  readonly peers?: number;
  /** Whether regret is known; else there is only reward. */
  readonly regret?: boolean;
}

export interface Making {
  readonly worlds?: readonly MadeWorld[];
  readonly policies?: readonly MadePolicy[];
  readonly seeds?: readonly number[];
  readonly rounds?: number;
  readonly name?: string;
}

export const POLICIES: readonly MadePolicy[] = [
  { kind: "random", level: 60, bytes: 0 },
  { kind: "solo", level: 20, bytes: 0 },
  { kind: "dccb", name: "dccb, sum", level: 12, bytes: 4000 },
  { kind: "oracle", level: 6, bytes: null },
];

export function madeRun(making: Making = {}): Run {
  const manifest = madeManifest(making);
  return runOf([{ file: "made/manifest.json", manifest }], madeResults(making));
}

export function madeManifest(making: Making = {}): Manifest {
  const { worlds, policies, seeds, rounds, name } = whole(making);
  return {
    format: 1,
    version: "0.1.0",
    engine: { node: "v20.0.0", platform: "linux", arch: "x64" },
    created: "2026-01-02T03:04:05.000Z",
    name,
    experiment: {
      name,
      worlds: worlds.map((world) => ({ kind: "clusters", name: world.name, peers: world.peers ?? 40 })),
      policies: policies.map(({ kind, name: own }) => (own === undefined ? { kind } : { kind, name: own })),
      rounds,
      seeds,
    },
    cells: worlds.length * policies.length * seeds.length,
    shard: { index: 1, of: 1 },
  };
}

export function madeResults(making: Making = {}): Result[] {
  const { worlds, policies, seeds, rounds } = whole(making);
  const results: Result[] = [];
  for (const world of worlds) {
    for (const policy of policies) {
      for (const seed of seeds) results.push(madeResult(results.length, world, policy, seed, rounds));
    }
  }
  return results;
}

const whole = (making: Making) => ({
  worlds: making.worlds ?? [{ name: "four clusters" }],
  policies: making.policies ?? POLICIES,
  seeds: making.seeds ?? [1, 2, 3, 4, 5, 6, 7, 8],
  rounds: making.rounds ?? 1000,
  name: making.name ?? "made up",
});

function madeResult(cell: number, world: MadeWorld, policy: MadePolicy, seed: number, rounds: number): Result {
  const random = Random.seeded(seed).fork(world.name);
  const shared = random.normal();
  const own = random.fork(policy.name ?? policy.kind).normal();
  const factor = 1 + 0.05 * shared + 0.02 * own;
  const peers = world.peers ?? 40;
  const checkpoints = Array.from({ length: 20 }, (_, k) =>
    madeCheckpoint(Math.round(((k + 1) * rounds) / 20), factor, world, policy, peers),
  );
  const last = checkpoints.at(-1)!;
  return {
    cell,
    row: {
      world: world.name,
      policy: policy.name ?? policy.kind,
      kind: policy.kind,
      seed,
      peers,
      rounds,
      reward: last.reward,
      rewardOverRandom: last.rewardOverRandom,
      regret: last.regret,
      sentBytes: last.sentBytes,
      exchanges: last.exchanges,
      exactAtRound: policy.kind === "dccb" && seed !== 3 ? 150 + (seed % 10) : null,
      rightShare: last.rightChoices === null ? null : last.rightChoices / last.choices,
      newcomerRegret: null,
      stuck: null,
      secondsPerRun: 1 + seed / 10,
    },
    checkpoints,
  };
}

function madeCheckpoint(
  round: number,
  factor: number,
  world: MadeWorld,
  policy: MadePolicy,
  peers: number,
): Checkpoint {
  const regret = policy.level * Math.sqrt(round) * factor;
  const reward = peers * round * 0.5 - regret;
  const bytes = policy.bytes === undefined ? 1000 : policy.bytes;
  const finds = policy.kind === "dccb";
  const pairs = (peers * (peers - 1)) / 2;
  const right = finds ? Math.round(pairs * Math.min(1, 0.3 + round / 250)) : null;
  return {
    round,
    reward,
    rewardOverRandom: world.regret === false ? 1 + 5 / policy.level : null,
    regret: world.regret === false ? null : regret,
    rewardPerRound: reward / round,
    regretPerRound: world.regret === false ? null : regret / round,
    sentBytes: bytes === null ? null : bytes * peers * round,
    exchanges: finds ? round * 20 : 0,
    pairsRight: right,
    pairsWrong: right === null ? null : pairs - right,
    disagreement: 1 / Math.sqrt(round),
    borrowed: finds ? 0.9 : 0,
    found: null,
    choices: peers * round,
    rightChoices: world.regret === false ? null : Math.round((peers * round) / (1 + policy.level / 20)),
    newcomerRegret: null,
  };
}
