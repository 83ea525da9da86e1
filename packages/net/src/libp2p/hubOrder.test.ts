import { describe, expect, it } from "vitest";
import { hubsInOrder } from "./hubOrder.ts";

const hubs = ["a", "b", "c", "d"].map((name) => `/dns4/hub.example/tcp/443/wss/p2p/${name}`);
const peers = Array.from({ length: 2000 }, (_, k) => `peer ${k}`);
const firsts = (list: readonly string[], room = "room"): string[] =>
  peers.map((peer) => hubsInOrder(list, room, peer)[0]![0]!);
const counts = (names: readonly string[]): number[] => hubs.map((hub) => names.filter((name) => name === hub).length);

describe("the order of hubs", () => {
  it("spreads the peers of a room evenly, in another way in every room, wherever a hub stands in the list", () => {
    // 500 each, with a standard deviation of 19.
    expect(counts(firsts(hubs)).filter((count) => Math.abs(count - 500) > 95)).toEqual([]);
    expect(firsts([...hubs].reverse())).toEqual(firsts(hubs));
    expect(firsts(hubs, "another")).not.toEqual(firsts(hubs));
  });

  it("sends the peers of a hub that is gone to all others evenly, and leaves the others where they are", () => {
    const [before, after] = [firsts(hubs), firsts(hubs.slice(1))];
    const moved = peers.map((_, k) => k).filter((k) => before[k] !== after[k]);
    expect(moved.every((k) => before[k] === hubs[0])).toBe(true);
    const [none, ...others] = counts(moved.map((k) => after[k]!));
    expect(none).toBe(0);
    expect(others.filter((count) => Math.abs(count - 500 / 3) > 60)).toEqual([]);
  });

  it("takes addresses of one name for one hub", () => {
    const order = hubsInOrder([...hubs, "/ip4/192.0.2.1/tcp/4001/p2p/a", "/ip4/192.0.2.1/tcp/4001"], "room", "peer");
    expect(order.map(({ length }) => length).sort()).toEqual([1, 1, 1, 1, 2]);
  });
});
