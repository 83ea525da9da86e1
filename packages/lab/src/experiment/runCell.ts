import { createFleet, type Fleet, Random, random } from "@coterie/core";
import { createLabFleet, type Engine } from "../engine/create.ts";
import { RandomPicks } from "../engine/random.ts";
import { borrowedShare, disagreement, foundShare } from "../results/measures.ts";
import { Recovery } from "../results/recovery.ts";
import type { Checkpoint, Result } from "../results/types.ts";
import type { World } from "../worlds/world.ts";
import type { Cell } from "./cells.ts";

export interface RunOptions {
  readonly checkpoints: number;
  /** Called after every round: among many peers one can take a minute. */
  readonly onRound?: () => void;
  /** Seconds, from anywhere; only their difference counts. */
  readonly clock: () => number;
  /** How peers are played; "auto" unless set. Changes nothing but the time it takes. */
  readonly engine?: Engine;
}

/** Plays one cell to its end. Everything but `secondsPerRun` depends on the cell alone, bit for bit. */
export function runCell(cell: Cell, world: World, options: RunOptions): Result {
  const started = options.clock();
  const run = new Run(cell, world, options.engine ?? "auto");
  const { rounds } = cell.world;
  const checkpoints: Checkpoint[] = [];
  for (let round = 1; round <= rounds; round++) {
    run.play();
    if (isCheckpoint(round, rounds, options.checkpoints)) checkpoints.push(run.look());
    options.onRound?.();
  }
  const last = checkpoints.at(-1)!; // the last round is always looked at
  return {
    cell: cell.index,
    row: {
      world: cell.world.name,
      policy: cell.policy.name,
      kind: cell.policy.policy.kind,
      seed: cell.seed,
      peers: world.peers,
      rounds,
      reward: last.reward,
      rewardOverRandom: last.rewardOverRandom,
      regret: last.regret,
      sentBytes: last.sentBytes,
      exchanges: last.exchanges,
      exactAtRound: run.recovery?.exactFrom ?? null,
      secondsPerRun: options.clock() - started,
    },
    checkpoints,
  };
}

/** `count` rounds evenly spaced, the last one among them; all of them where there are fewer. */
export function isCheckpoint(round: number, rounds: number, count: number): boolean {
  return Math.floor((round * count) / rounds) > Math.floor(((round - 1) * count) / rounds);
}

class Run {
  readonly recovery: Recovery | null;
  readonly #fleet: Fleet;
  /** The random policy beside it, in the same rounds: what its reward is compared with. */
  readonly #random: Pick<Fleet, "round" | "rewards">;
  readonly #world: World;
  #reward = 0;
  #regret = 0;
  #randomReward = 0;
  #randomSquares = 0;
  /** Where things stood at the checkpoint before. */
  #before = { round: 0, reward: 0, regret: 0 };

  constructor(cell: Cell, world: World, engine: Engine) {
    const { policy } = cell.policy;
    const { arms } = cell.world.config;
    const churn = "churn" in cell.world.config;
    const { peers, dimension, clusters } = world;
    // The same stream for every policy: those with the same pairing meet the same partners.
    const draws = Random.seeded(cell.seed).fork("policy");
    this.#world = world;
    const shape = { policy, dimension, peers, arms, rounds: cell.world.rounds, random: draws, clusters, churn };
    this.#fleet = createLabFleet(engine, shape);
    this.#random =
      churn || engine === "peers"
        ? createFleet({ policy: random(), dimension, peers, random: draws })
        : new RandomPicks(peers, arms, draws);
    this.recovery = Recovery.of(policy.kind, this.#fleet, clusters);
  }

  play(): void {
    const world = this.#world;
    world.advance();
    this.#fleet.round(world);
    this.#random.round(world);
    for (let peer = 0; peer < world.peers; peer++) {
      if (!world.present(peer)) continue;
      this.#reward += this.#fleet.rewards[peer]!;
      this.#regret += world.bestMean(peer) - world.mean(peer, this.#fleet.choices[peer]!);
      const paid = this.#random.rewards[peer]!;
      this.#randomReward += paid;
      this.#randomSquares += paid * paid;
    }
    this.recovery?.look(this.#fleet.rounds);
  }

  look(): Checkpoint {
    const fleet = this.#fleet;
    const { knowsMeans } = this.#world;
    const { round, reward, regret } = this.#before;
    const rounds = fleet.rounds - round;
    this.#before = { round: fleet.rounds, reward: this.#reward, regret: this.#regret };
    return {
      round: fleet.rounds,
      reward: this.#reward,
      rewardOverRandom: this.#overRandom(),
      regret: knowsMeans ? this.#regret : null,
      rewardPerRound: (this.#reward - reward) / rounds,
      regretPerRound: knowsMeans ? (this.#regret - regret) / rounds : null,
      sentBytes: fleet.traffic.bytes,
      exchanges: fleet.traffic.exchanges,
      pairsRight: this.recovery?.pairsRight ?? null,
      pairsWrong: this.recovery?.pairsWrong ?? null,
      disagreement: disagreement(fleet, this.#world.dimension, this.#world.clusters),
      borrowed: borrowedShare(fleet),
      found: foundShare(fleet, this.#world.clusters),
    };
  }

  /** Null unless the random policy's reward lies at least five standard errors above 0: a ratio to noise says nothing. */
  #overRandom(): number | null {
    if (this.#randomReward < 5 * Math.sqrt(this.#randomSquares) || this.#randomReward === 0) return null;
    return this.#reward / this.#randomReward;
  }
}
