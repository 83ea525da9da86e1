import type { Learner, LearnerView, Policy } from "@coterie/core";

/** A policy whose learner can be looked at, and made to lie. */
export class ObservedPolicy {
  readonly policy: Policy;
  /** A liar turns every reward round before it learns it: all it passes on from then on is false. */
  lies = false;
  #learner: Learner | null = null;

  constructor(policy: Policy) {
    this.policy = {
      ...policy,
      create: (dimension, peers, self) => {
        const learner = policy.create(dimension, peers, self);
        this.#learner = learner;
        const [observe, observing] = [learner.observe.bind(learner), learner.observing?.bind(learner)];
        const told = (reward: number): number => (this.lies ? -reward : reward);
        // Whoever observes in pieces does so for `observe` too.
        if (observing === undefined) learner.observe = (vectors, from, reward) => observe(vectors, from, told(reward));
        else learner.observing = (vectors, from, reward) => observing(vectors, from, told(reward));
        return learner;
      },
    };
  }

  get view(): LearnerView {
    if (this.#learner === null) throw new Error("no peer was made yet");
    return this.#learner.view;
  }
}
