import { type Fleet, parsePolicy, Random } from "@coterie/core";
import { ClustersWorld, createLabFleet, SphereDrawing, type World } from "@coterie/lab";
import { type Setting, worldOf } from "./setting.ts";

/** How far a run has come: sums over all peers that tell the truth since its first round, a number for each policy. */
export interface RunSums {
  readonly round: number;
  readonly regret: readonly number[];
  readonly reward: readonly number[];
  /** Null for a policy with a centre. */
  readonly bytes: readonly (number | null)[];
}

/** All policies of a setting side by side, in the same world, round by round: what `coterie run` plays, bit for bit, where nobody lies. */
export class LabRun {
  readonly #setting: Setting;
  readonly #world: World;
  readonly #honest: number;
  readonly #fleets: readonly Fleet[];
  readonly #regret: number[];
  readonly #reward: number[];
  #round = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    const world = new ClustersWorld(worldOf(setting), setting.seed, SphereDrawing.of);
    this.#honest = setting.peers - setting.liars;
    this.#world = setting.liars === 0 ? world : withLiars(world, this.#honest);
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
      // The last ones lie: what they lose is no loss.
      for (let peer = 0; peer < this.#honest; peer++) {
        this.#regret[k] += this.#world.bestMean(peer) - this.#world.mean(peer, fleet.choices[peer]);
        this.#reward[k] += fleet.rewards[peer];
      }
    });
  }

  checkpoint(): RunSums {
    return {
      round: this.#round,
      regret: [...this.#regret],
      reward: [...this.#reward],
      bytes: this.#fleets.map(({ traffic }) => traffic.bytes),
    };
  }
}

/** The same world, in which all peers from `honest` on turn every reward round before they learn it. */
const withLiars = (world: World, honest: number): World => ({
  peers: world.peers,
  dimension: world.dimension,
  clusters: world.clusters,
  knowsMeans: world.knowsMeans,
  advance: () => world.advance(),
  present: (peer) => world.present(peer),
  arms: (peer) => world.arms(peer),
  pay: (peer, arm) => (peer < honest ? world.pay(peer, arm) : -world.pay(peer, arm)),
  mean: (peer, arm) => world.mean(peer, arm),
  bestMean: (peer) => world.bestMean(peer),
});

/** Plays a setting to its end, and keeps so many points of it, evenly spaced, the last round among them. */
export function playAll(setting: Setting, points: number): RunSums[] {
  const run = new LabRun(setting);
  const every = Math.max(1, Math.floor(setting.rounds / points));
  const kept: RunSums[] = [];
  for (let round = 1; !run.done; round++) {
    run.step();
    if (round % every === 0 || run.done) kept.push(run.checkpoint());
  }
  return kept;
}
