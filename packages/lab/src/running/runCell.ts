import { createFleet, type Fleet, Random, random } from "@coterie/core";
import { createLabFleet, type Engine } from "../engine/create.ts";
import { RandomPicks } from "../engine/random.ts";
import { borrowedShare, disagreement, foundShare } from "../results/disagreement.ts";
import { Recovery } from "../results/recovery.ts";
import { RunTally } from "../results/tally.ts";
import type { Checkpoint, Result } from "../results/types.ts";
import { hasVisitors, isSteady } from "../worlds/steady.ts";
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
      rightShare: last.rightChoices === null ? null : last.rightChoices / Math.max(1, last.choices),
      newcomerRegret: last.newcomerRegret,
      stuck: run.stuck,
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
  readonly #random: Pick<Fleet, "turn" | "round" | "rewards">;
  readonly #world: World;
  readonly #tally: RunTally;
  #randomReward = 0;
  #randomSquares = 0;
  /** Where things stood at the checkpoint before. */
  #before = { round: 0, reward: 0, regret: 0 };

  constructor(cell: Cell, world: World, engine: Engine) {
    const { policy } = cell.policy;
    const { config, rounds } = cell.world;
    const { arms } = config;
    const { peers, dimension, clusters, late } = world;
    const steady = isSteady(config);
    // The same stream for every policy: those with the same pairing meet the same partners.
    const draws = Random.seeded(cell.seed).fork("policy");
    this.#world = world;
    this.#tally = new RunTally(world, arms, rounds);
    const shape = { policy, dimension, peers, arms, rounds, random: draws, clusters, steady, late };
    this.#fleet = createLabFleet(engine, shape);
    this.#random =
      !steady || engine === "peers"
        ? createFleet({ policy: random(), dimension, peers, random: draws })
        : new RandomPicks(peers, arms, draws);
    // Of a place that several peers have had nobody can say whom it parted from.
    this.recovery = hasVisitors(config) ? null : Recovery.of(policy.kind, this.#fleet, clusters);
  }

  get stuck(): number | null {
    return this.#tally.stuck;
  }

  play(): void {
    const world = this.#world;
    let last = false;
    while (!last) {
      world.advance();
      last = world.lastTurn ?? true;
      for (const fleet of [this.#fleet, this.#random]) {
        if (last) fleet.round(world);
        else fleet.turn(world);
      }
      this.#tally.count(this.#fleet, last ? this.#fleet.rounds : this.#fleet.rounds + 1);
      for (const paid of this.#random.rewards) {
        this.#randomReward += paid;
        this.#randomSquares += paid * paid;
      }
    }
    this.recovery?.look(this.#fleet.rounds);
  }

  look(): Checkpoint {
    const fleet = this.#fleet;
    const { knowsMeans } = this.#world;
    const { reward, regret, choices, right, newcomerRegret } = this.#tally;
    const before = this.#before;
    const rounds = fleet.rounds - before.round;
    this.#before = { round: fleet.rounds, reward, regret };
    return {
      round: fleet.rounds,
      reward,
      rewardOverRandom: this.#overRandom(),
      regret: knowsMeans ? regret : null,
      rewardPerRound: (reward - before.reward) / rounds,
      regretPerRound: knowsMeans ? (regret - before.regret) / rounds : null,
      sentBytes: fleet.traffic.bytes,
      exchanges: fleet.traffic.exchanges,
      pairsRight: this.recovery?.pairsRight ?? null,
      pairsWrong: this.recovery?.pairsWrong ?? null,
      disagreement: disagreement(fleet, this.#world.dimension, this.#world.clusters),
      borrowed: borrowedShare(fleet),
      found: foundShare(fleet, this.#world.clusters),
      choices,
      rightChoices: knowsMeans ? right : null,
      newcomerRegret: knowsMeans ? newcomerRegret : null,
    };
  }

  /** Null unless the random policy's reward lies at least five standard errors above 0: a ratio to noise says nothing. */
  #overRandom(): number | null {
    if (this.#randomReward < 5 * Math.sqrt(this.#randomSquares) || this.#randomReward === 0) return null;
    return this.#tally.reward / this.#randomReward;
  }
}
