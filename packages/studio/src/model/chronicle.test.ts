import { describe, expect, it } from "vitest";
import type { Beat } from "../feed/format.ts";
import { HEADER, joined } from "../testing/run.ts";
import { Timeline } from "./timeline.ts";

const [UNLIKE, FOUND] = [4, 5];

/** Six peers of two kinds, and what is told of these beats, oldest first. */
function told(beats: readonly Beat[], until = Number.POSITIVE_INFINITY): string[] {
  const timeline = new Timeline(HEADER);
  timeline.push({ at: 0, joined: [0, 1, 2, 3, 4, 5].map((peer) => joined(peer)) });
  for (const beat of beats) timeline.push(beat);
  return timeline.chronicle
    .until(until)
    .reverse()
    .map(({ text }) => text)
    .slice(1);
}
const pools = (...pairs: [number, number][]): number[] => pairs.flatMap(([a, b]) => [a, b, 1, FOUND, b, a, 1, FOUND]);
const parts = (peer: number, other: number): number[] => [peer, other, 0, UNLIKE];
const earned = (peers: readonly number[], times: number): number[] =>
  peers.flatMap((peer) => Array.from({ length: times }, () => [peer, 0.5, 0.4, 0.1, 0.2]).flat());

describe("what happened", () => {
  it("is who found its kind: the first, half of them, all", () => {
    const beats = [
      { at: 1000, pool: pools([0, 2]) },
      { at: 2000, pool: pools([1, 3]) },
      { at: 3000, pool: pools([0, 4], [1, 5]) },
    ];
    expect(told(beats)).toEqual([
      "Peer 0 is the first to find one of its kind: Peer 2",
      "half of the peers, 4 of 6, have found their kind and pool with nobody else",
      "all 6 have found their kind and pool with nobody else",
    ]);
    expect(told(beats, 1500).length).toBe(1);
  });

  it("does not go on about pools that come and go", () => {
    const restless = Array.from({ length: 40 }, (_, k) => ({
      at: 1000 * k,
      pool: k % 2 === 0 ? [0, 1, 1, FOUND] : parts(0, 1),
    }));
    expect(told(restless)).toEqual([]);
  });

  it("is who set a liar aside, and when", () => {
    const all = pools([0, 2], [0, 4], [2, 4], [1, 3], [1, 5]);
    const lines = told([
      { at: 1000, pool: all },
      { at: 2000, faults: [{ what: "lie", peers: [0] }] },
      { at: 9000, pool: parts(2, 0) },
      { at: 12_000, pool: parts(4, 0) },
      // It is tried again for a moment, and dropped again.
      { at: 13_000, pool: [4, 0, 1, FOUND] },
      { at: 14_000, pool: parts(4, 0) },
      { at: 19_000 },
      { at: 20_500 },
      { at: 40_000 },
    ]);
    expect(lines.filter((line) => /lie$|lie;/.test(line))).toEqual([
      "Peer 0 was made to lie; 2 peers pool with it",
      "Peer 2 is the first to set Peer 0 aside, 7 s after it began to lie",
      "Peer 0 is set aside by all 2 that pooled with it, Peer 2 and Peer 4, 12 s after it began to lie",
    ]);
  });

  it("is how newcomers were served, beside the same choices alone", () => {
    const lines = told([
      { at: 60_000, joined: [joined(6), joined(7)] },
      { at: 60_500, faults: [{ what: "add", peers: [6, 7] }], earned: earned([6], 5) },
      { at: 61_000, earned: earned([6], 15) },
      { at: 62_000, earned: earned([7], 20) },
      { at: 63_000, earned: earned([6, 7], 9) },
    ]);
    expect(lines).toEqual([
      "2 peers were added: Peer 6 and Peer 7",
      "the first 20 choices of the 2 newcomers cost 50 % less regret than alone: 4.0 against 8.0",
    ]);
  });

  it("is who came and went, what was done to the network, and a trouble once", () => {
    const trouble = { troubles: [{ peer: 1, text: "the disk is full" }] };
    expect(
      told([
        { at: 30_000, joined: [joined(6, null)] },
        { at: 31_000, faults: [{ what: "kill", peers: [2] }], left: [2, 1] },
        { at: 32_000, faults: [{ what: "cut", peers: [1] }], ...trouble },
        { at: 33_000, faults: [{ what: "heal", peers: [] }], ...trouble },
      ]),
    ).toEqual([
      "Peer 6 joined",
      "Peer 2 was killed",
      "the network was cut in two: each half goes on by itself",
      "Peer 1: the disk is full",
      "the cut was healed",
    ]);
  });
});
