// Forgetful: LinUCB whose old observations count less and less. It wins where tastes change (drift.json shows by how much).
import { Chooser, check, Local, radiusAt, readLocal, Unsociable, writeLocal } from "@coterie/core";

/** Each new observation multiplies the weight of all earlier ones by `keep`. Options come from an app or a file. */
export default function forgetful({ keep = 0.95, alpha = 0.3, ...unknown } = {}) {
  check.fields("", unknown, []);
  const radius = { kind: "practical", alpha: check.atLeast("alpha", alpha, 0) };
  const options = { keep: check.between("keep", keep, 0, 1), alpha };
  const alone = { pairing: "none", delivery: "none", codec: null, slots: 0, ownClock: true };
  const create = (dimension) => new Forgetful(dimension, keep, radius);
  return { kind: "forgetful", options, ...alone, propensity: "certain", create };
}

/** What the policy does inside one peer. `Unsociable` is the half of it that would meet others. */
class Forgetful extends Unsociable {
  constructor(dimension, keep, radius) {
    super();
    Object.assign(this, { keep, radius, local: new Local(dimension), chooser: new Chooser(dimension) });
  }

  /** The arm with the highest upper confidence bound. Changes nothing, so that a restart repeats it bit for bit. */
  choose(arms, round, random) {
    const { ball } = this.local;
    return this.chooser.pick("optimistic", ball, radiusAt(this.radius, round, ball.factor), arms, random);
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
