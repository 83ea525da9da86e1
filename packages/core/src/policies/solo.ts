import type { Arms } from "../bandit/arms.ts";
import { Chooser, propensityOf } from "../bandit/choice.ts";
import { Local } from "../bandit/local.ts";
import { type BallOptions, parseBallOptions } from "../bandit/options.ts";
import { radiusAt } from "../bandit/radius.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { Random } from "../numbers/random.ts";
import type { Heritage, Learner, LearnerView, Policy } from "../peer/learner.ts";
import { readLocal, writeLocal } from "../wire/state.ts";
import { Unsociable } from "./unsociable.ts";

/** The confidence ball alone (CB; the paper's CB-NoSharing): every peer for itself. */
export function solo(options: Partial<BallOptions> = {}): Policy {
  const checked = parseBallOptions("", options);
  return {
    kind: "solo",
    options: checked,
    pairing: "none",
    delivery: "none",
    codec: null,
    propensity: propensityOf(checked.choice),
    slots: 0,
    ownClock: true,
    create: (dimension) => new Solo(dimension, checked),
  };
}

class Solo extends Unsociable implements Learner {
  readonly #local: Local;
  readonly #chooser: Chooser;
  readonly view: LearnerView;

  constructor(
    dimension: number,
    readonly options: BallOptions,
  ) {
    super();
    const local = new Local(dimension);
    this.#local = local;
    const chooser = new Chooser(dimension);
    this.#chooser = chooser;
    this.view = {
      estimate: local.ball.estimate,
      active: local.statistics.slot,
      buffered: 0,
      pruned: new Set(),
      spread: (vectors, from, round) => chooser.spread(local.ball, options.radius, round, vectors, from),
      get evidence() {
        return local.statistics.count;
      },
      get own() {
        return local.statistics.count;
      },
    };
  }

  choose(arms: Arms, round: number, random: Random | undefined): number {
    const { ball } = this.#local;
    const radius = radiusAt(this.options.radius, round, ball.factor);
    return this.#chooser.pick(this.options.choice, ball, radius, arms, random);
  }

  score(arms: Arms, round: number, random: Random | undefined, out: Float64Array): void {
    const { ball } = this.#local;
    const radius = radiusAt(this.options.radius, round, ball.factor);
    this.#chooser.score(this.options.choice, ball, radius, arms, random, out);
  }

  observe(vectors: Float64Array, from: number, reward: number): void {
    this.#local.observe(vectors, from, reward);
  }

  heritage(): Heritage {
    const { slot, count } = this.#local.statistics;
    return { slot, squares: 0, count, era: 0, version: 0 };
  }

  inherit({ slot, count }: Heritage): void {
    const { statistics, ball } = this.#local;
    statistics.slot.set(slot);
    statistics.count = count;
    ball.refresh(statistics.slot);
  }

  write(out: Writer): void {
    writeLocal(out, this.#local);
  }

  read(from: Reader): void {
    readLocal(from, this.#local);
  }
}
