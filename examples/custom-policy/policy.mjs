// ε-greedy: the arm that looks best, except that now and then, with probability epsilon, it is any arm.
import { check, Local, readLocal, Unsociable, writeLocal } from "@coterie/core";

export function greedy({ epsilon = 0.1 } = {}) {
  check.between("epsilon", epsilon, 0, 1);
  const create = (dimension) => new Greedy(dimension, epsilon);
  return { kind: "greedy", options: { epsilon }, pairing: "none", delivery: "none", codec: null, create };
}

/** What the policy does inside one peer. `Unsociable` is the half of it that would meet others. */
class Greedy extends Unsociable {
  constructor(dimension, epsilon) {
    super();
    this.epsilon = epsilon;
    this.local = new Local(dimension);
  }

  /** Changes nothing, and draws only from what it is handed: so it is the same in every run, and after every restart. */
  choose({ count, values }, _round, random) {
    if (random.uniform() < this.epsilon) return random.below(count);
    const { estimate } = this.local.ball;
    const worth = (arm) => estimate.reduce((sum, value, k) => sum + value * values[arm * estimate.length + k], 0);
    let best = 0;
    for (let arm = 1; arm < count; arm++) if (worth(arm) > worth(best)) best = arm;
    return best;
  }

  observe(vectors, from, reward) {
    this.local.observe(vectors, from, reward);
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
