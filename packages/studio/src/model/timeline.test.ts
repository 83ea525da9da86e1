import { describe, expect, it } from "vitest";
import type { Beat } from "../feed/format.ts";
import { HEADER, joined, madeUp } from "../testing/run.ts";
import { groupsOf, Truth } from "./groups.ts";
import { driftOf, exchangesOf, poolHistory, sentTo } from "./history.ts";
import { COLUMNS, NetworkModel } from "./network.ts";
import { Timeline } from "./timeline.ts";

const loaded = (beats: readonly Beat[]): Timeline => {
  const timeline = new Timeline(HEADER);
  for (const beat of beats) timeline.push(beat);
  return timeline;
};

/** Everything a model says. */
const told = (model: NetworkModel): unknown => ({
  at: model.at,
  present: model.present,
  cut: model.cut === null ? null : [...model.cut],
  peers: model.peers.map(({ peer }) => ({
    columns: COLUMNS.map((name) => model.value(peer, name)),
    pool: [...model.pool(peer)],
    lent: [...model.lent(peer)].sort(),
  })),
});

describe("a timeline", () => {
  const beats = madeUp(3, 150);
  const timeline = loaded(beats);

  it("shows any moment as if it had been played up to there, in whatever order one asks", () => {
    const order = [149, 0, 33, 32, 31, 64, 10, 11, 12, 148, 96, 95, 5];
    for (const index of order) {
      const played = new NetworkModel();
      for (const beat of beats.slice(0, index + 1)) played.apply(beat);
      expect(told(timeline.after(index))).toEqual(told(played));
    }
  });

  it("does so too where beats are so heavy that copies are kept more often", () => {
    // A network's columns hold some thousand numbers at first; a hundred exchanges a beat outweigh them in a few beats.
    const heavy = beats.map((beat) => ({ ...beat, met: Array.from({ length: 100 }, () => beat.met!).flat() }));
    const busy = loaded(heavy);
    for (const index of [140, 3, 4, 8, 9, 70, 69, 147, 0, 31, 32]) {
      const played = new NetworkModel();
      for (const beat of heavy.slice(0, index + 1)) played.apply(beat);
      expect(told(busy.after(index))).toEqual(told(played));
    }
  });

  it("finds the beat of a time", () => {
    expect([0, 249, 250, 251, 1e9].map((ms) => timeline.indexAt(ms))).toEqual([0, 0, 1, 1, 149]);
  });

  it("leaves a peer that was made to lie out of what was earned, from then on", () => {
    const earned = [0, 0.5, 0.5, 1, 2, 1, 0.5, 0.5, 1, 2];
    const { series } = loaded([
      { at: 0, joined: [joined(0), joined(1)], earned },
      { at: 1, faults: [{ what: "lie", peers: [0] }], earned },
      { at: 2, faults: [{ what: "truth", peers: [0] }], earned },
    ]);
    const sum = (name: "choices" | "regret" | "aloneRegret"): number[] => [...series.get(name).view()];
    expect([sum("choices"), sum("regret"), sum("aloneRegret")]).toEqual([
      [2, 3, 4],
      [2, 3, 4],
      [4, 6, 8],
    ]);
  });

  it("has sums of everything, a value a beat", () => {
    const { series } = timeline;
    expect(series.length).toBe(150);
    expect(series.get("choices").at(149)).toBe(150);
    expect(series.within("choices", 150, 10)).toBe(10);
    expect(series.within("choices", 5, 10)).toBe(5);
    const reward = beats.reduce((sum, beat) => sum + beat.earned![1], 0);
    expect(series.get("reward").at(149)).toBeCloseTo(reward, 9);
    expect(series.get("exchangeBytes").at(149)).toBe(150 * 300);
    expect(series.get("peers").at(29)).toBe(8);
    expect(series.get("peers").at(30)).toBe(7);
  });

  it("knows what each peer did", () => {
    const mine = beats.filter(({ met }) => met!.slice(0, 2).includes(2));
    const all = exchangesOf(timeline, 2, 149, 1000);
    expect(all.length).toBe(mine.length);
    expect(all[0].at).toBe(mine.at(-1)!.at);
    const sent = mine.reduce((sum, { met }) => sum + (met![0] === 2 ? 100 : 200), 0);
    expect(sentTo(timeline, 2, 149).reduce((sum, [, bytes]) => sum + bytes, 0)).toBe(sent);
    expect(poolHistory(timeline, 2, 149, 1000).length).toBe(beats.filter(({ pool }) => pool![0] === 2).length);
    expect(driftOf(timeline, 2, 149).every((value) => value === 0.5)).toBe(true);
  });
});

describe("groups", () => {
  const pools = (rows: number[][]): NetworkModel => {
    const model = new NetworkModel();
    model.apply({ at: 0, joined: [0, 1, 2, 3, 4, 5].map((peer) => joined(peer)) });
    model.apply({ at: 1, pool: rows.flatMap(([peer, partner]) => [peer, partner, 1, 5]) });
    return model;
  };

  it("are those who pool both ways, named by the smallest", () => {
    const model = pools([
      [0, 2],
      [2, 0],
      [2, 4],
      [4, 2],
      [1, 3],
      [5, 0],
    ]);
    const groups = groupsOf(model);
    expect(groups.list).toEqual([[0, 2, 4]]);
    expect([...groups.of]).toEqual([0, -1, 0, -1, 0, -1]);
  });

  it("lose who left", () => {
    const model = pools([
      [0, 2],
      [2, 0],
      [2, 4],
      [4, 2],
    ]);
    model.apply({ at: 2, left: [2, 1] });
    expect(groupsOf(model).list).toEqual([]);
    expect([...model.pool(2)]).toEqual([]);
  });

  it("are compared with the truth", () => {
    const model = pools([
      [0, 2],
      [0, 1],
    ]);
    expect(new Truth(model).misplaced(0)).toEqual({ mutual: 0, missing: 1, strange: 1 });
    expect(new Truth(model).misplaced(3)).toEqual({ mutual: 0, missing: 2, strange: 0 });
    // A liar is of nobody's kind, and who lies still has a kind to find.
    model.apply({ at: 2, faults: [{ what: "lie", peers: [2] }] });
    expect(new Truth(model).misplaced(0)).toEqual({ mutual: 0, missing: 1, strange: 2 });
    expect(new Truth(model).misplaced(2)).toEqual({ mutual: 0, missing: 2, strange: 0 });
  });
});
