import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { Hubs } from "./hubs.ts";
import { HUB_AGAIN_MS, HUB_HEDGE_MS, HUB_HOME_MS, LONELY_MOST_MS } from "./limits.ts";

const hubs = (list: string[][] = [["a", "a2"], ["b"], ["c"]]): Hubs => new Hubs(list, Random.seeded(1));
const LONG = 2 * LONELY_MOST_MS;

describe("a peer with several hubs", () => {
  it("keeps to the first, and calls it regularly", () => {
    const list = hubs();
    expect([list.due(0), list.due(1)]).toEqual([["a"], []]);
    expect(list.reached("a", "A", 2)).toBe(null);
    expect(list.due(3)).toEqual([]);
    expect(list.due(2 + 1.2 * HUB_AGAIN_MS)).toEqual(["a2"]);
    expect(hubs([]).due(0)).toEqual([]);
  });

  it("goes on to the next at once when one does not answer, is full, or is lost", () => {
    const list = hubs();
    list.due(0);
    list.missed("a", 1);
    expect(list.due(1)).toEqual(["b"]);
    list.reached("b", "B", 2);
    list.lost("C");
    expect(list.due(3)).toEqual([]);
    list.lost("B");
    // It may be back already; a is not yet to be called again.
    expect(list.due(3)).toEqual(["b"]);
    list.missed("b", 4);
    expect(list.due(4)).toEqual(["c"]);
    list.missed("c", 5);
    expect(list.due(5)).toEqual([]);
    expect(list.due(LONG)).toEqual(["a2"]);
  });

  it("asks another one where the first takes long, and the better of the two stays", () => {
    const list = hubs();
    expect(list.due(0)).toEqual(["a"]);
    expect(list.due(HUB_HEDGE_MS)).toEqual(["b"]);
    list.reached("b", "B", HUB_HEDGE_MS + 1);
    expect(list.reached("a", "A", HUB_HEDGE_MS + 2)).toBe("B");
    expect(list.reached("b", "B", HUB_HEDGE_MS + 3)).toBe(null);
    list.lost("B");
    expect(list.due(HUB_HEDGE_MS + 4)).toEqual([]);
  });

  it("comes back to the one before in the list when it answers again, and leaves the other", () => {
    const list = hubs();
    list.due(0);
    list.missed("a", 1);
    list.due(1);
    list.reached("b", "B", 2);
    const later = 2 + 1.2 * HUB_HOME_MS;
    expect(list.due(later)).toEqual(["b", "a2"]);
    expect(list.reached("a2", "A", later + 1)).toBe("B");
    list.reached("b", "B", later + 2);
    list.lost("A");
    expect(list.due(later + 3)).toEqual(["a"]);
  });

  it("waits ever longer where none answers, and takes a member at a hub's address for none", () => {
    const list = hubs([["a"]]);
    const calls: number[] = [];
    for (let now = 0; now < 200_000; now += 100) {
      for (const address of list.due(now)) {
        calls.push(now);
        list.reached(address, null, now);
      }
    }
    const gaps = calls.slice(1).map((at, k) => at - calls[k]!);
    expect(gaps[0]).toBeLessThan(1000);
    expect(gaps.at(-1)).toBeGreaterThan(0.8 * LONELY_MOST_MS - 100);
    expect(Math.max(...gaps)).toBeLessThan(1.2 * LONELY_MOST_MS + 100);
  });
});
