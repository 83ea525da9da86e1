import { type Fleet, parsePolicy, Random } from "@coterie/core";
import { ClustersWorld, createLabFleet, SphereDrawing } from "@coterie/lab";
import { type Setting, worldOf } from "./setting.ts";

/** How far a run has come: sums over all peers since its first round, a number for each policy. */
export interface Checkpoint {
  readonly round: number;
  readonly regret: readonly number[];
  readonly reward: readonly number[];
  /** Null for a policy with a centre. */
  readonly bytes: readonly (number | null)[];
}

/** All policies of a setting side by side, in the same world, round by round: what `coterie run` plays, bit for bit. */
export class LabRun {
  readonly #setting: Setting;
  readonly #world: ClustersWorld;
  readonly #fleets: readonly Fleet[];
  readonly #regret: number[];
  readonly #reward: number[];
  #round = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#world = new ClustersWorld(worldOf(setting), setting.seed, SphereDrawing.of);
    const { peers, dimension, arms, rounds, seed } = setting;
    const { clusters } = this.#world;
    // The same stream for every policy: those with the same pairing meet the same partners.
    const random = Random.seeded(seed).fork("policy");
    this.#fleets = setting.policies.map((kind) => {
      const policy = parsePolicy("policies", { kind });
      return createLabFleet("auto", { policy, dimension, peers, arms, rounds, random, clusters, steady: true });
    });
    this.#regret = this.#fleets.map(() => 0);
    this.#reward = this.#fleets.map(() => 0);
  }

  get done(): boolean {
    return this.#round >= this.#setting.rounds;
  }

  /** Plays one round. */
  step(): void {
    this.#round += 1;
    this.#world.advance();
    this.#fleets.forEach((fleet, k) => {
      fleet.round(this.#world);
      for (let peer = 0; peer < fleet.peers; peer++) {
        this.#regret[k] += this.#world.bestMean(peer) - this.#world.mean(peer, fleet.choices[peer]);
        this.#reward[k] += fleet.rewards[peer];
      }
    });
  }

  checkpoint(): Checkpoint {
    return {
      round: this.#round,
      regret: [...this.#regret],
      reward: [...this.#reward],
      bytes: this.#fleets.map(({ traffic }) => traffic.bytes),
    };
  }
}
