import { describe, expect, it } from "vitest";
import type { Peer } from "../peer/peer.ts";
import { initialPeer, step } from "../peer/peer.ts";
import { fromSnapshot, snapshot } from "../peer/snapshot.ts";
import { dccb } from "./dccb.ts";

const policy = dccb({
  sharing: "mutual",
  delay: { rounds: 50 },
  threshold: { kind: "practical", factor: 0.5 },
  forgive: 2,
});
const peerOf = (id: string): Peer => initialPeer({ id, dimension: 1, peers: 2, policy });

function observe(peer: Peer, reward: number, times: number): void {
  for (let k = 0; k < times; k++) step(peer, { kind: "observe", arm: Float64Array.of(1), reward });
}

/** Both at once, each with the other as it was. */
function meet(a: Peer, b: Peer): void {
  const [mine, theirs] = [a.learner.copyOffer(), b.learner.copyOffer()];
  step(a, { kind: "meet", partner: b.config.id, offer: theirs });
  step(b, { kind: "meet", partner: a.config.id, offer: mine });
  for (const kind of ["settle", "close"] as const) for (const peer of [a, b]) step(peer, { kind });
}

/** Parted because one of them had a bad day. */
function parted(): [Peer, Peer] {
  const [a, b] = [peerOf("a"), peerOf("b")];
  observe(a, 1, 4);
  observe(b, -1, 4);
  for (const peer of [a, b]) step(peer, { kind: "close" });
  meet(a, b);
  expect([a.learner.view.pruned.has("b"), b.learner.view.pruned.has("a")]).toEqual([true, true]);
  return [a, b];
}

describe("a prune with `forgive`", () => {
  it("is looked at again once there are so many more observations, and undone where they agree", () => {
    const [a, b] = parted();
    expect(a.learner.near("b")).toBe(false);
    observe(a, 0.5, 60);
    observe(b, 0.5, 60);
    for (const peer of [a, b]) step(peer, { kind: "close" });
    expect([a.learner.near("b"), b.learner.near("a")]).toEqual([true, true]);
    meet(a, b);
    expect([...a.learner.view.pruned, ...b.learner.view.pruned]).toEqual([]);
    expect(a.learner.near("b")).toBe(true);
  });

  it("stays where they do not agree, without another reset, and waits twice as long", () => {
    const [a, b] = parted();
    observe(a, 1, 60);
    observe(b, -1, 60);
    for (const peer of [a, b]) step(peer, { kind: "close" });
    const held = a.learner.view.buffered;
    meet(a, b);
    expect(a.learner.view.pruned.has("b")).toBe(true);
    expect(a.learner.near("b")).toBe(false);
    // A reset would have emptied all slots but the newest.
    expect(a.learner.view.buffered).toBe(held + 1);
    const { slots } = a.learner.offer() as unknown as { slots: { count(k: number): number; length: number } };
    expect(Array.from({ length: slots.length }, (_, k) => slots.count(k)).filter((count) => count > 0)).toHaveLength(2);
    observe(a, 1, 40);
    step(a, { kind: "close" });
    expect(a.learner.near("b")).toBe(false);
    observe(a, 1, 40);
    step(a, { kind: "close" });
    expect(a.learner.near("b")).toBe(true);
  });

  it("is remembered with its date by a snapshot", () => {
    const [a] = parted();
    observe(a, 1, 60);
    step(a, { kind: "close" });
    const again = fromSnapshot(a.config, snapshot(a));
    expect(again.learner.near("b")).toBe(true);
    expect(snapshot(again)).toEqual(snapshot(a));
  });

  it("needs sharing that does not ask for equal neighbourhoods", () => {
    expect(() => dccb({ forgive: 2 })).toThrow(/forgive must be used with sharing: mutual/);
    expect(() => dccb({ forgive: 0.5, sharing: "mutual" })).toThrow(/forgive must/);
    // And is off unless it is asked for: a stranger stays one.
    expect(dccb().options).not.toHaveProperty("forgive");
  });
});
