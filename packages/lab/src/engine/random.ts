import { Random } from "@coterie/core";
import { assert, type OfferedTurn } from "@coterie/core/internal";
import { createKernels, type Kernels } from "@coterie/kernels";

/**
 * The random policy for many peers: the picks of core's fleet of that policy, without a peer for each. It runs beside
 * every cell, so it should cost next to nothing.
 */
export class RandomPicks {
  readonly rewards: Float64Array;
  readonly choices: Int32Array;
  readonly #random: Random;
  readonly #round = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  readonly #kernels: Kernels | null;
  readonly #padded: number;
  #rounds = 0;

  constructor(
    readonly peers: number,
    readonly arms: number,
    random: Random,
  ) {
    this.#random = random.fork("choice");
    this.rewards = new Float64Array(peers);
    this.#padded = 4 * Math.ceil(peers / 4);
    this.#kernels = createKernels(256 + 4 * this.#padded);
    this.choices = this.#kernels ? new Int32Array(this.#kernels.memory.buffer, 256, peers) : new Int32Array(peers);
  }

  /** A world whose rounds have several turns is played peer by peer. */
  turn(): void {
    assert(false, "a round of many random picks at once has one turn");
  }

  round(offered: OfferedTurn): void {
    this.#rounds += 1;
    const round = this.#random.forkInto(this.#round, this.#rounds);
    const kernels = this.#kernels;
    if (kernels !== null) {
      round.copyKey(new Uint32Array(kernels.memory.buffer, 0, 4));
      kernels.drawBelow(0, 0, this.#padded, this.arms, 256, 64);
    } else {
      for (let peer = 0; peer < this.peers; peer++)
        this.choices[peer] = round.forkInto(this.#draw, peer).below(this.arms);
    }
    for (let peer = 0; peer < this.peers; peer++) this.rewards[peer] = offered.pay(peer, this.choices[peer]!);
  }
}
