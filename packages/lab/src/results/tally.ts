import type { Fleet } from "@coterie/core";
import type { World } from "../worlds/world.ts";
import { Stuck } from "./stuck.ts";

/** What the peers of a run chose and were paid, summed turn by turn. */
export class RunTally {
  reward = 0;
  regret = 0;
  choices = 0;
  /** Choices than which no arm offered had a higher mean. */
  right = 0;
  /** The regret of newcomers alone; null where there are none. */
  newcomerRegret: number | null;
  readonly #world: World;
  readonly #newcomers: Uint8Array;
  readonly #stuck: Stuck | null;

  constructor(world: World, arms: number, rounds: number) {
    this.#world = world;
    this.#newcomers = Uint8Array.from({ length: world.peers }, (_, peer) => (world.newcomer?.(peer) ? 1 : 0));
    this.newcomerRegret = this.#newcomers.includes(1) ? 0 : null;
    this.#stuck = world.fixedMenu ? new Stuck(world.peers, arms, rounds) : null;
  }

  /** After a turn of `round`. */
  count(fleet: Fleet, round: number): void {
    const world = this.#world;
    for (let peer = 0; peer < world.peers; peer++) {
      const arm = fleet.choices[peer]!;
      if (arm < 0) continue;
      const [mean, best] = [world.mean(peer, arm), world.bestMean(peer)];
      this.reward += fleet.rewards[peer]!;
      this.regret += best - mean;
      this.choices += 1;
      if (mean === best) this.right += 1;
      if (this.#newcomers[peer] === 1) this.newcomerRegret! += best - mean;
      this.#stuck?.count(peer, arm, round);
    }
  }

  /** Peers that chose another arm than the best one most often of late; null where the menu changes. */
  get stuck(): number | null {
    return this.#stuck?.peers((peer, arm) => this.#world.mean(peer, arm) < this.#world.bestMean(peer)) ?? null;
  }
}
