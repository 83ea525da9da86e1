import { initialPeer, kindred, type Policy, solo, step } from "@coterie/core";
import { expect, it } from "vitest";
import { relive } from "./journal.ts";
import { Loss } from "./loss.ts";
import { Places } from "./places.ts";
import { renew } from "./renew.ts";
import { ReportQueue } from "./reportQueue.ts";

const DATE = Date.UTC(2026, 5, 1);

function peerOf(policy: Policy) {
  const peer = initialPeer({ id: "a", dimension: 2, policy, peers: 1 });
  step(peer, { kind: "observe", arm: Float64Array.of(0.6, 0.2), reward: 1 });
  step(peer, { kind: "close" });
  return peer;
}

it("the next record is above all that a clock allows, or so many versions on where there is no clock", () => {
  const [dated, undated] = [peerOf(kindred()), peerOf(kindred())];
  const before = undated.learner.heritage!().version;
  renew(dated, 0, DATE);
  renew(undated, 5, 0);
  const next = (peer: typeof dated): number => {
    for (let k = 0; k < 20; k++) step(peer, { kind: "observe", arm: Float64Array.of(0.1, 0.7), reward: 0 });
    step(peer, { kind: "close" });
    return peer.learner.heritage!().version;
  };
  expect(next(dated)).toBeGreaterThan((DATE - Date.UTC(2026, 0, 1)) / 62.5);
  expect(next(undated)).toBeGreaterThan(before + 5);
});

it("is an entry that is lived through again, and none where nothing is published", () => {
  const [peer, again] = [peerOf(kindred()), peerOf(kindred())];
  const entries = renew(peer, 3, 0);
  for (const entry of entries) {
    relive(entry, { peer: again, exchange: null, loss: new Loss(), places: new Places(), queue: new ReportQueue() });
  }
  expect(entries.map(({ kind }) => kind)).toEqual(["renew"]);
  expect(again.learner.heritage!()).toEqual(peer.learner.heritage!());
  expect(renew(peerOf(solo()), 3, DATE)).toEqual([]);
});
