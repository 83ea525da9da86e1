import type { Arms } from "../bandit/arms.ts";
import { Ball } from "../bandit/ball.ts";
import { type ChoiceRule, Chooser } from "../bandit/choice.ts";
import { type Radius, radiusAt } from "../bandit/radius.ts";
import { Statistics } from "../bandit/statistics.ts";
import { assert } from "../errors.ts";
import type { Random } from "../numbers/random.ts";
import { type Buffer, type BufferKind, EpochBuffer, RoundBuffer } from "./buffer.ts";
import { type Delay, delayAt } from "./delay.ts";
import type { Weight } from "./weight.ts";

export interface DiffusionOptions {
  readonly radius: Radius;
  readonly choice: ChoiceRule;
  readonly delay: Delay;
  readonly weight: Weight;
  readonly buffer: BufferKind;
  /** Own observations that still wait in the buffer count, once and unmixed, in one's own choices. */
  readonly bridge: boolean;
  /** How far one exchange may move a slot (clip.ts): not in the paper, and off when left out. */
  readonly clip?: number;
  /** Own observations leave in one slot once there are so many (batch.ts): not in the paper, and off when left out. */
  readonly batch?: number;
}

/**
 * Statistics that spread by averaging: this round's sums (open), the buffer in which slots are mixed with partners,
 * and the active sums, to which a slot is promoted once it is well mixed and from which alone the peer chooses.
 */
export class Diffusion {
  readonly open: Statistics;
  readonly active: Statistics;
  readonly buffer: Buffer;
  readonly ball: Ball;
  /** Active plus own waiting observations; only with `bridge`. */
  readonly #bridged: Statistics | null;
  /** What leaves in a round in which the batch is not full; only with `batch`. */
  readonly #nothing: Statistics | null;
  readonly #chooser: Chooser;

  constructor(
    readonly dimension: number,
    readonly options: DiffusionOptions,
  ) {
    this.open = new Statistics(dimension);
    this.active = new Statistics(dimension);
    this.buffer =
      options.buffer === "slots"
        ? new RoundBuffer(dimension, options.bridge)
        : new EpochBuffer(dimension, options.bridge);
    this.ball = new Ball(dimension);
    this.#bridged = options.bridge ? new Statistics(dimension) : null;
    this.#nothing = options.batch === undefined ? null : new Statistics(dimension);
    this.#chooser = new Chooser(dimension);
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    const radius = radiusAt(this.options.radius, round, this.ball.factor);
    return this.#chooser.pick(this.options.choice, this.ball, radius, arms, random);
  }

  /** See `Learner.score`. */
  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    const radius = radiusAt(this.options.radius, round, this.ball.factor);
    this.#chooser.score(this.options.choice, this.ball, radius, arms, random, out);
  }

  /** See `LearnerView.spread`. */
  spread(vectors: Float64Array, from: number, round: number): number {
    return this.#chooser.spread(this.ball, this.options.radius, round, vectors, from);
  }

  /**
   * The round's sums become the newest slot; the oldest one is promoted if its time has come. While a batch is not full
   * the slot is empty, and the sums stay open.
   */
  close(round: number, peers: number, weight: number): void {
    const { batch = 0 } = this.options;
    if (this.#nothing !== null && this.open.count < batch) this.buffer.append(round, this.#nothing);
    else {
      this.buffer.append(round, this.open);
      this.open.clear();
    }
    this.#promote(round, peers, weight, this.options.bridge);
  }

  /**
   * As `close`, for a peer that parted from another this round: the buffer forgets all but the peer's own sums, and so
   * do the active ones (algorithms.md, section 4).
   */
  closeReset(round: number, peers: number, weight: number, local: Statistics): void {
    const { bridge } = this.options;
    // Without an observation of its own a peer hands on nothing, not even I: a slot of count 0 is all zeros.
    this.buffer.reset(round, local, bridge || local.count === 0 ? 0 : 1);
    if (bridge) this.active.clear();
    else this.active.copyFrom(local);
    // They are among the local ones.
    this.open.clear();
    this.#promote(round, peers, weight, true);
  }

  /** Others are in `round` already: what waits here is dated anew, so that it is mixed before it counts. */
  catchUp(round: number): void {
    this.buffer.redate(round - 1);
    this.refresh();
  }

  #promote(round: number, peers: number, weight: number, changed: boolean): void {
    const limit = delayAt(this.options.delay, peers, round);
    const promoted = this.buffer.promote(this.active, limit, this.options.weight === "sum" ? weight : 1);
    assert(this.buffer.held <= Math.max(limit + 1, 2), "the buffer holds no more than its delay");
    if (promoted || changed) this.refresh();
  }

  /** Makes the ball anew from the sums it stands on. */
  refresh(): void {
    if (this.#bridged === null) {
      this.ball.refresh(this.active.slot);
      return;
    }
    this.#bridged.copyFrom(this.active);
    this.buffer.addOwn(this.#bridged);
    if (this.#nothing !== null) this.#bridged.addAll(this.open);
    this.ball.refresh(this.#bridged.slot);
  }

  /** How many observations the choice rests on, and how many of them are the peer's own waiting ones. */
  get evidence(): number {
    return this.#bridged === null ? this.active.count : this.#bridged.count;
  }
}
