import { initialPeer, type Peer, type Random, solo, step } from "@coterie/core";

/** The same peer alone: it meets nobody, and is offered the very same arms. */
export class Shadow {
  readonly #peer: Peer;
  readonly #random: Random;

  constructor(dimension: number, random: Random) {
    this.#peer = initialPeer({ id: "alone", dimension, policy: solo(), peers: 1 });
    this.#random = random;
  }

  /** Which of the arms it would choose. */
  choose(count: number, values: Float64Array): number {
    const effect = step(this.#peer, { kind: "choose", arms: { count, values }, random: this.#random })[0];
    return effect?.kind === "chosen" ? effect.arm : 0;
  }

  learn(reward: number): void {
    step(this.#peer, { kind: "reward", reward });
    step(this.#peer, { kind: "close" });
  }
}
