import { Ball } from "../bandit/ball.ts";
import type { Local } from "../bandit/local.ts";
import { Statistics } from "../bandit/statistics.ts";

/** Peers that a centre serves from one ball: Σ over them of their own sums, and one I. */
export class Pool {
  readonly sums: Statistics;
  readonly #ball: Ball;
  #stale = true;

  constructor(
    /** In ascending order. */
    readonly members: readonly number[],
    locals: readonly Local[],
    dimension: number,
  ) {
    this.sums = new Statistics(dimension);
    this.#ball = new Ball(dimension);
    for (const member of members) {
      this.sums.addAll(locals[member]!.statistics);
    }
  }

  /** A member's observation, x = vectors[from .. from+d). */
  observe(vectors: Float64Array, from: number, reward: number): void {
    this.sums.add(vectors, from, reward);
    this.#stale = true;
  }

  /** Made when somebody asks: a centre with many pools of one peer uses few of them before the peer's next observation. */
  get ball(): Ball {
    if (this.#stale) this.#ball.refresh(this.sums.slot);
    this.#stale = false;
    return this.#ball;
  }
}
