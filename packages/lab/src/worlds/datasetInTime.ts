import { ConfigError, Random } from "@coterie/core";
import type { DatasetCatalogue } from "../data/catalogue.ts";
import type { DatasetConfig } from "./dataset.ts";
import { Offers } from "./offers.ts";
import { type EventTimeline, timelineOf } from "./timeline.ts";
import type { World } from "./world.ts";

/**
 * Real users as peers, each of whose items is offered once, in the order in which the user had them. A peer comes with
 * its first item and stays; in turns in which it has none it is idle.
 */
export class DatasetInTimeWorld extends Offers implements World {
  readonly #timeline: EventTimeline;
  readonly #random: Random;
  readonly #turnDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** [peer]: has it come, and does it choose in this turn? */
  readonly #present: Uint8Array;
  readonly #acts: Uint8Array;
  readonly #rounds: number;
  /** The turn that was drawn last, counted over all rounds. */
  #turn = -1;

  constructor(config: DatasetConfig, catalogue: DatasetCatalogue, seed: number, rounds: number) {
    super(catalogue, config.arms);
    const { dataset, peers } = catalogue;
    if (peers.some(({ times }) => times === undefined)) {
      throw new ConfigError("order", "time", `be drawn for ${dataset}, whose times are not known`);
    }
    const random = Random.seeded(seed).fork("dataset world in time");
    this.#timeline = timelineOf(peers, rounds, random.fork("ties"));
    this.#random = random.fork("items");
    this.#present = new Uint8Array(config.peers);
    this.#acts = new Uint8Array(config.peers);
    this.#rounds = rounds;
  }

  get lastTurn(): boolean {
    return this.#timeline.endsRound[this.#turn] === 1;
  }

  advance(): void {
    const { turnStarts, endsRound, peers, items } = this.#timeline;
    if (this.#turn + 1 === endsRound.length) {
      throw new ConfigError("rounds", this.#rounds, "be at least as many as are played");
    }
    this.#turn += 1;
    this.#acts.fill(0);
    const turn = this.#random.forkInto(this.#turnDraw, this.#turn);
    for (let event = turnStarts[this.#turn]!; event < turnStarts[this.#turn + 1]!; event++) {
      const peer = peers[event]!;
      this.#present[peer] = 1;
      this.#acts[peer] = 1;
      this.offer(peer, items[event]!, turn.forkInto(this.#draw, peer));
    }
  }

  present(peer: number): boolean {
    return this.#present[peer] === 1;
  }

  acts(peer: number): boolean {
    return this.#acts[peer] === 1;
  }
}
