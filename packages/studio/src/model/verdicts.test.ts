import { describe, expect, it } from "vitest";
import type { Beat } from "../feed/format.ts";
import { HEADER, joined } from "../testing/run.ts";
import { groupsOf } from "./groups.ts";
import { headline } from "./headline.ts";
import { Timeline } from "./timeline.ts";
import { verdicts } from "./verdicts.ts";

const loaded = (beats: readonly Beat[]): Timeline => {
  const timeline = new Timeline(HEADER);
  for (const beat of beats) timeline.push(beat);
  return timeline;
};
const rows = (count: number, make: (k: number) => number[]): number[] =>
  Array.from({ length: count }, (_, k) => make(k)).flat();
const both = [0, 1].flatMap((side) =>
  [side, side + 2].flatMap((a) => [side, side + 2].filter((b) => b !== a).map((b) => [a, b])),
);

/** Four peers of two kinds that have found each other, and so many choices of this regret; alone it is 0.2. */
const network = (regret: number, outcome = 0, choices = 200): Timeline =>
  loaded([
    { at: 0, joined: [0, 1, 2, 3].map((peer) => joined(peer)), pool: both.flatMap(([a, b]) => [a, b, 1, 5]) },
    {
      at: 30_000,
      earned: rows(choices, (k) => [k % 4, 0.5, 0.3, regret, 0.2]),
      met: [0, 1, outcome, 9, 9, 2, 3, outcome, 9, 9],
    },
  ]);
const verdictsOf = ({ live, series, length }: Timeline) => verdicts(live, groupsOf(live), series, length);
const headlineOf = ({ live, series, length }: Timeline) => headline(series, length, live.present);

describe("the headline", () => {
  it("is the regret saved since the start, of all peers", () => {
    expect(headlineOf(network(0.112))).toEqual({
      state: "good",
      answer: "44 % less regret than alone",
      detail: "200 choices lost 22 rating points; alone 40",
    });
  });

  it("says so where company costs, once that is more than the price of the start", () => {
    expect(headlineOf(network(0.3))).toMatchObject({ state: "bad", answer: "50 % more regret than alone" });
    expect(headlineOf(network(0.3, 0, 80))).toMatchObject({ state: "wait", answer: "No gain yet" });
    expect(headlineOf(network(0.2))).toMatchObject({ state: "wait", answer: "No gain yet" });
    expect(headlineOf(network(0.1, 0, 19))).toMatchObject({ state: "wait", answer: "Too early to say" });
  });

  it("does not change when somebody joins who has not chosen yet, or leaves", () => {
    const timeline = network(0.112);
    const before = headlineOf(timeline);
    timeline.push({ at: 31_000, joined: [joined(4), joined(5)], left: [0, 1] });
    expect(headlineOf(timeline)).toEqual(before);
  });

  it("compares rewards where nobody knows the truth", () => {
    const timeline = loaded([
      { at: 0, joined: [joined(0)], earned: rows(20, () => [0, 0.5, 0.3, null as unknown as number, 0]) },
    ]);
    expect(headlineOf(timeline)).toMatchObject({ state: "good", answer: "+0.20 a choice beside alone" });
  });
});

describe("verdicts", () => {
  it("are good where all is well", () => {
    const list = verdictsOf(network(0.1));
    expect(list.map(({ state }) => state)).toEqual(["good", "good", "good"]);
    expect(list[0]).toMatchObject({ answer: "All 4 pool with their own kind only", detail: "2 groups of 2, 2" });
    expect(list[2].detail).toContain("learning, the rest is membership; 100 % of exchanges answered");
  });

  const found = (pairs: number[][], more: Beat[] = []) => {
    const peers = [0, 1, 2, 3].map((peer) => joined(peer, peer === 0 ? 1 : 0));
    const pool = pairs.flatMap(([a, b]) => [a, b, 1, 5, b, a, 1, 5]);
    return verdictsOf(loaded([{ at: 0, joined: peers, pool }, ...more]))[0];
  };

  it("never count a peer with a stranger in its pool among those with their own kind", () => {
    expect(found([[1, 2]])).toMatchObject({ state: "wait", answer: "2 of 4 pool with their own kind only" });
    expect(
      found([
        [0, 1],
        [2, 3],
      ]),
    ).toMatchObject({
      state: "wait",
      answer: "2 of 4 pool with their own kind only",
      detail: "2 groups of 2, 2; 2 pool with a stranger",
    });
  });

  it("never count one as found whom the picture shows alone: both must pool", () => {
    const half = found([[1, 2]], [{ at: 1, pool: [3, 1, 1, 5] }]);
    expect(half).toMatchObject({ answer: "2 of 4 pool with their own kind only", detail: "1 group of 2, 2 alone" });
  });

  it("name who lies, and how many still pool with it", () => {
    const lie = { at: 1, faults: [{ what: "lie", peers: [2] } as const] };
    expect(found([[1, 2]], [lie]).detail).toContain("Peer 2 lies, 1 pools with it");
    expect(found([[1, 3]], [lie]).detail).toContain("Peer 2 lies, nobody pools with it");
  });

  it("say how far a peer sees while the network is cut", () => {
    const peers = [0, 1, 2, 3].map((peer) => joined(peer));
    const cut = { at: 1, sees: [0, 1, 1, 1, 2, 1, 3, 1], faults: [{ what: "cut", peers: [2, 3] } as const] };
    expect(verdictsOf(loaded([{ at: 0, joined: peers }, cut]))[1]).toMatchObject({
      state: "wait",
      detail: "the network is cut in two, each sees 1 of 3 others; 4 peers, each met somebody within 15 s",
    });
  });

  it("say so where nobody answers", () => {
    const [, stuck, traffic] = verdictsOf(network(0.3, 8));
    expect(stuck).toMatchObject({ state: "bad", answer: "4 peers" });
    expect(traffic).toMatchObject({ state: "bad" });
    expect(traffic.detail).toContain("0 % of exchanges answered");
  });
});
