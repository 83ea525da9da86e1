import { Ball } from "./ball.ts";
import { Statistics } from "./statistics.ts";

/** What a peer has seen itself: the sums of its own observations and their ball. */
export class Local {
  readonly statistics: Statistics;
  readonly ball: Ball;
  /** Estimate and count as they stood when the round began: what others are shown and tests are made with. */
  readonly shown: Float64Array;
  shownCount = 0;

  constructor(readonly dimension: number) {
    this.statistics = new Statistics(dimension);
    this.ball = new Ball(dimension);
    this.shown = new Float64Array(dimension);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.statistics.add(vectors, from, reward);
    this.ball.include(this.statistics.slot, vectors, from);
  }

  /** The round is over: from now on its observations are shown. */
  show(): void {
    this.shown.set(this.ball.estimate);
    this.shownCount = this.statistics.count;
  }
}
