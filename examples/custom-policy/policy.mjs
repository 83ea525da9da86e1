// Forgetful: LinUCB whose old observations count less and less. It wins where tastes change (drift.json shows by how much).
import { check, Local, readLocal, Unsociable, writeLocal } from "@coterie/core";

/** Each new observation multiplies the weight of all earlier ones by `keep`. Options come from an app or a file. */
export default function forgetful({ keep = 0.95, alpha = 0.3, ...unknown } = {}) {
  check.fields("", unknown, []);
  const options = { keep: check.between("keep", keep, 0, 1), alpha: check.atLeast("alpha", alpha, 0) };
  const alone = { pairing: "none", delivery: "none", codec: null, slots: 0, ownClock: true };
  const create = (dimension) => new Forgetful(dimension, keep, alpha);
  return { kind: "forgetful", options, ...alone, propensity: "certain", create };
}

/** What the policy does inside one peer. `Unsociable` is the half of it that would meet others. */
class Forgetful extends Unsociable {
  constructor(dimension, keep, alpha) {
    super();
    Object.assign(this, { dimension, keep, alpha, local: new Local(dimension), work: new Float64Array(dimension) });
  }

  /** The arm with the highest upper confidence bound. Changes nothing, so that a restart repeats it bit for bit. */
  choose({ count, values }, round) {
    const bounds = Array.from({ length: count }, (_, arm) => this.bound(values, arm * this.dimension, round));
    return bounds.indexOf(Math.max(...bounds));
  }

  /** x·θ̂ + α √ln(t + 1) ‖x‖ in the norm of A⁻¹, for x = values[from .. from + d). */
  bound(values, from, round) {
    const { estimate, factor } = this.local.ball;
    const mean = estimate.reduce((sum, weight, k) => sum + weight * values[from + k], 0);
    return mean + this.alpha * Math.sqrt(Math.log(round + 1) * factor.quadratic(values, from, this.work));
  }

  /** Σ x xᵀ and Σ r x fade before x and r are added; then the estimate is made anew. */
  observe(vectors, from, reward) {
    const { statistics, ball } = this.local;
    for (let k = 0; k < statistics.slot.length; k++) statistics.slot[k] *= this.keep;
    statistics.add(vectors, from, reward);
    ball.refresh(statistics.slot);
  }

  write(out) {
    writeLocal(out, this.local);
  }

  read(from) {
    readLocal(from, this.local);
  }

  get view() {
    const { statistics, ball } = this.local;
    const { count, slot } = statistics;
    return { estimate: ball.estimate, active: slot, evidence: count, own: count, buffered: 0, pruned: new Set() };
  }
}
