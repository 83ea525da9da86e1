import type { Arms } from "../bandit/arms.ts";
import { ConfigError } from "../errors.ts";
import { slotSize } from "../numbers/packed.ts";
import type { Random } from "../numbers/random.ts";
import { fields } from "../options.ts";
import type { Learner, LearnerView, Policy } from "../peer/learner.ts";
import { Unsociable } from "./unsociable.ts";

/** Picks any arm, and learns nothing: what the others' reward is measured against. */
export function random(options: object = {}): Policy {
  fields("", options, []);
  return {
    kind: "random",
    options: {},
    pairing: "none",
    delivery: "none",
    codec: null,
    propensity: "uniform",
    slots: 0,
    ownClock: true,
    create: (dimension) => new Uniform(dimension),
  };
}

class Uniform extends Unsociable implements Learner {
  readonly view: LearnerView;

  constructor(dimension: number) {
    super();
    this.view = {
      estimate: new Float64Array(dimension),
      active: new Float64Array(slotSize(dimension)),
      buffered: 0,
      pruned: new Set(),
      evidence: 0,
      own: 0,
    };
  }

  choose(arms: Arms, _round: number, draw: Random | undefined): number {
    if (draw === undefined) throw new ConfigError("random", draw, "be given if the policy is random");
    return draw.below(arms.count);
  }

  /** A rank drawn for each arm; not the draw of `choose`, but the same chances. */
  score(arms: Arms, _round: number, draw: Random | undefined, out: Float64Array): void {
    if (draw === undefined) throw new ConfigError("random", draw, "be given if the policy is random");
    for (let arm = 0; arm < arms.count; arm++) out[arm] = draw.uniform();
  }

  observe(): void {}
  write(): void {}
  read(): void {}
}
