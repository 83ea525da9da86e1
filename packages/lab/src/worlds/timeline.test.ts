import { Random } from "@coterie/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CataloguePeer } from "../data/catalogue.ts";
import { type EventTimeline, timelineOf } from "./timeline.ts";

/** A peer per list; each number is the time of one item, whose place in the catalogue is that in the list. */
const peersOf = (times: readonly (readonly number[])[]): CataloguePeer[] =>
  times.map((own, userId) => ({
    userId,
    items: Int32Array.from(own.keys()),
    times: Int32Array.from(own),
  }));

interface Played {
  readonly round: number;
  readonly turn: number;
  readonly peer: number;
  readonly item: number;
}

/** The events as they are played; rounds and turns of a round counted from 1. */
function playedOf({ peers, items, turnStarts, endsRound }: EventTimeline): Played[] {
  const played: Played[] = [];
  let [round, turn] = [1, 1];
  endsRound.forEach((ends, k) => {
    for (let event = turnStarts[k]!; event < turnStarts[k + 1]!; event++) {
      played.push({ round, turn, peer: peers[event]!, item: items[event]! });
    }
    [round, turn] = ends ? [round + 1, 1] : [round, turn + 1];
  });
  return played;
}

const timeline = (times: readonly (readonly number[])[], rounds: number, seed = 1) =>
  playedOf(timelineOf(peersOf(times), rounds, Random.seeded(seed)));

const worlds = fc
  .array(fc.array(fc.integer({ min: -5, max: 20 }), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
  .chain((times) => fc.tuple(fc.constant(times), fc.integer({ min: 1, max: times.flat().length }), fc.nat()));

describe("a timeline", () => {
  it("plays the k-th event of each peer in a slice in turn k", () => {
    // By time: a b a a | c b a c, in slices of four.
    const events = timeline(
      [
        [1, 3, 4, 7],
        [2, 6],
        [5, 8],
      ],
      2,
    );
    expect(events).toEqual([
      { round: 1, turn: 1, peer: 0, item: 0 },
      { round: 1, turn: 1, peer: 1, item: 0 },
      { round: 1, turn: 2, peer: 0, item: 1 },
      { round: 1, turn: 3, peer: 0, item: 2 },
      { round: 2, turn: 1, peer: 2, item: 0 },
      { round: 2, turn: 1, peer: 1, item: 1 },
      { round: 2, turn: 1, peer: 0, item: 3 },
      { round: 2, turn: 2, peer: 2, item: 1 },
    ]);
  });

  it("has every item of every peer once, in slices of equal size, and in each turn a peer once at most", () => {
    fc.assert(
      fc.property(worlds, ([times, rounds, seed]) => {
        const events = timeline(times, rounds, seed);
        const names = events.map(({ peer, item }) => `${peer} ${item}`);
        expect(names.sort()).toEqual(times.flatMap((own, peer) => own.map((_, item) => `${peer} ${item}`)).sort());
        const sizes = Array.from({ length: rounds }, (_, r) => events.filter(({ round }) => round === r + 1).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        const turns = events.map(({ round, turn, peer }) => `${round} ${turn} ${peer}`);
        expect(new Set(turns).size).toBe(events.length);
        // A peer's turns of a round are 1, 2, … without a gap.
        for (const { round, turn, peer } of events)
          if (turn > 1) expect(turns).toContain(`${round} ${turn - 1} ${peer}`);
      }),
    );
  });

  it("goes forward in time, from round to round and for each peer from turn to turn", () => {
    fc.assert(
      fc.property(worlds, ([times, rounds, seed]) => {
        const events = timeline(times, rounds, seed);
        const timeOf = ({ peer, item }: Played): number => times[peer]![item]!;
        for (const a of events) {
          for (const b of events) {
            const before = a.round < b.round || (a.round === b.round && a.peer === b.peer && a.turn < b.turn);
            if (before) expect(timeOf(a)).toBeLessThanOrEqual(timeOf(b));
          }
        }
      }),
    );
  });

  it("depends on the seed where times are equal, and nowhere else", () => {
    const distinct = [
      [9, 1, 4],
      [3, 7, 8],
      [2, 5],
    ];
    const tied = [
      [1, 1, 1, 1],
      [1, 1, 1, 1],
      [0, 2],
    ];
    for (let seed = 2; seed < 20; seed++) expect(timeline(distinct, 4, seed)).toEqual(timeline(distinct, 4, 1));
    expect(timeline(tied, 5, 3)).toEqual(timeline(tied, 5, 3));
    const orders = new Set<string>();
    for (let seed = 0; seed < 200; seed++) {
      const events = timeline(tied, 10, seed);
      expect([events[0], events[9]].map((event) => [event!.peer, event!.item])).toEqual([
        [2, 0],
        [2, 1],
      ]);
      orders.add(`${events[1]!.peer} ${events[1]!.item}`);
    }
    // Each of the eight equals comes first with some seed.
    expect(orders.size).toBe(8);
  });

  it("has no more rounds than events", () => {
    expect(timeline([[1], [2, 3]], 3).map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(() => timeline([[1], [2, 3]], 4)).toThrow(
      "rounds must be at most 3, the items of all users together, but is 4",
    );
  });
});
