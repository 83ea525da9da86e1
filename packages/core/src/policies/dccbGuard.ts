import type { Arms } from "../bandit/arms.ts";
import type { Ball } from "../bandit/ball.ts";
import { Chooser } from "../bandit/choice.ts";
import type { Local } from "../bandit/local.ts";
import type { BallOptions } from "../bandit/options.ts";
import { radiusAt } from "../bandit/radius.ts";
import type { Random } from "../numbers/random.ts";
import type { LearnerView } from "../peer/learner.ts";

/**
 * Never much worse than alone: what was shared counts while it agrees with what the peer has seen itself. Where the shared
 * estimate lies outside the peer's own ball,
 *
 *     ‖θ̂ − θ̂_own‖ in the norm of A_own = L Lᵀ, that is ‖Lᵀ(θ̂ − θ̂_own)‖,  > ρ
 *
 * it is set aside, and the peer chooses from its own ball as if alone, until the two agree again. The radius ρ is the one
 * that choices are made with. Not in the paper; whoever lies, or is of another kind, can slow a peer down by no more than
 * it takes to find that out.
 */
export class DccbGuard {
  /** Whether the last choice set aside what was shared. */
  aside = false;
  readonly #chooser: Chooser;

  constructor(
    readonly local: Local,
    readonly options: BallOptions,
  ) {
    this.#chooser = new Chooser(local.dimension);
  }

  /** The arm that own observations alone speak for; null where what was shared agrees with them. */
  choose(shared: Ball, arms: Arms, round: number, random: Random | undefined): number | null {
    const { ball } = this.local;
    const radius = radiusAt(this.options.radius, round, ball.factor);
    this.aside = distanceIn(ball, shared.estimate) > radius;
    return this.aside ? this.#chooser.pick(this.options.choice, ball, radius, arms, random) : null;
  }

  /** Scores from own observations alone; false, and nothing written, where what was shared agrees with them. */
  score(shared: Ball, arms: Arms, round: number, random: Random | undefined, out: Float64Array): boolean {
    const { ball } = this.local;
    const radius = radiusAt(this.options.radius, round, ball.factor);
    if (!(distanceIn(ball, shared.estimate) > radius)) return false;
    this.#chooser.score(this.options.choice, ball, radius, arms, random, out);
    return true;
  }

  /** What is seen of the peer: while it sets aside what was shared, what it has seen itself. */
  over(view: LearnerView): LearnerView {
    const guard = this;
    const { local, options } = this;
    return {
      pruned: view.pruned,
      get estimate() {
        return guard.aside ? local.ball.estimate : view.estimate;
      },
      get active() {
        return guard.aside ? local.statistics.slot : view.active;
      },
      get evidence() {
        return guard.aside ? local.statistics.count : view.evidence;
      },
      get own() {
        return view.own;
      },
      get buffered() {
        return view.buffered;
      },
      get aside() {
        return guard.aside ? 1 : 0;
      },
      spread: (vectors, from, round) =>
        guard.aside
          ? guard.#chooser.spread(local.ball, options.radius, round, vectors, from)
          : view.spread!(vectors, from, round),
    };
  }
}

/** ‖Lᵀ(estimate − own estimate)‖, A = L Lᵀ: how far off an estimate is, in the widths of one's own ball. */
function distanceIn({ factor, estimate: own, dimension }: Ball, estimate: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < dimension; j++) {
    let part = 0;
    for (let i = j, at = (j * (j + 1)) / 2 + j; i < dimension; at += i + 1, i++) {
      part += factor.lower[at]! * (estimate[i]! - own[i]!);
    }
    sum += part * part;
  }
  return Math.sqrt(sum);
}
