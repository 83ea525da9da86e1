import { initialPeer, kindred, solo, step } from "@coterie/core";
import { begin } from "@coterie/core/internal";
import { expect, it } from "vitest";
import { ObservedPolicy } from "./observedPolicy.ts";

it.each([
  [solo(), step],
  [kindred(), step],
  [kindred(), begin],
])("a liar learns, and so passes on, the opposite: all at once, or in pieces", (policy, put) => {
  const estimates = [false, true].map((lies) => {
    const witness = new ObservedPolicy(policy);
    witness.lies = lies;
    const peer = initialPeer({ id: "a", dimension: 2, policy: witness.policy, peers: 1 });
    for (let k = 0; k < 30; k++) {
      put(peer, { kind: "observe", arm: Float64Array.of(1, 0), reward: 0.8 });
      put(peer, { kind: "close" });
    }
    expect(witness.view).toBe(peer.learner.view);
    return witness.view.estimate[0];
  });
  expect(estimates[0]).toBeGreaterThan(0.5);
  expect(estimates[1]).toBeCloseTo(-estimates[0], 9);
});
