import { dcb, dccb, type Learner, type Policy } from "@coterie/core";
import type { KindredOffer } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";
import type { Mutant } from "./mutant.ts";
import { replaceMethod } from "./replace.ts";

/** A policy whose learners have some of their methods changed. */
function changed(policy: Policy, change: (learner: Learner) => Partial<Learner>): Policy {
  return {
    ...policy,
    create: (dimension, peers, self) => {
      const learner = policy.create(dimension, peers, self);
      const methods = change(learner);
      return new Proxy(learner, {
        get(target, name) {
          const found: unknown = Reflect.get(name in methods ? methods : target, name);
          return typeof found === "function" ? found.bind(name in methods ? methods : target) : found;
        },
      });
    },
  };
}

/** Bugs in what a peer learns, in records, and in who is there. */
export const POLICY_MUTANTS: readonly Mutant[] = [
  {
    name: "version-not-raised",
    brief: "a new record goes out under the version of the one before",
    policy: (policy) => (policy.kind !== "kindred" ? policy : changed(policy, sameVersion)),
  },
  {
    name: "told-before-durable",
    brief:
      "a new record is told before the round that made it is on the disk, and a start does not go beyond the clock, so that a crash gives its version to another",
    // Either of the two is enough to keep versions apart: it takes both for the bug to show.
    plant: () => replaceMethod(parts.Keeper.prototype, "caughtUp", async () => {}),
    policy: (policy) => (policy.kind !== "kindred" ? policy : changed(policy, () => ({ renew: () => {} }))),
  },
  {
    name: "buffer-beyond-delay",
    brief: "what is due is promoted 20 rounds too late",
    policy: (policy) => (policy.kind === "kindred" ? policy : late(policy)),
  },
  {
    name: "membership-without-incarnation",
    brief: "a peer that starts again claims what it claimed before, and nobody believes it",
    plant: () =>
      replaceMethod(parts.Own.prototype, "beat", (_self, original, state) => {
        return { ...original(state), incarnation: 1 };
      }),
  },
];

function sameVersion(learner: Learner): Partial<Learner> {
  return {
    offer: () => {
      const offer = learner.offer() as KindredOffer;
      const recordsFor: KindredOffer["recordsFor"] = (to) =>
        offer
          .recordsFor(to)
          .map((record) => ({ ...record, slot: record.slot, version: Math.ceil(record.version / 2) }));
      return { ...offer, greeting: offer.greeting, recordsFor };
    },
  };
}

function late({ kind, options }: Policy): Policy {
  const { delay } = options as { readonly delay: { readonly rounds: number } };
  const later = { ...options, delay: { rounds: delay.rounds + 20 } };
  return kind === "dcb" ? dcb(later) : dccb(later);
}
