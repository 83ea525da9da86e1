import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { Bootstrap } from "./bootstrap.ts";
import { BOOTSTRAP_AGAIN_MS, HUB_AGAIN_MS, LONELY_FIRST_MS, LONELY_MOST_MS } from "./limits.ts";

const [overTcp, overWs, peer] = ["/ip4/1.2.3.4/tcp/1", "/ip4/1.2.3.4/tcp/2/ws", "/ip4/1.2.3.5/tcp/1"];
const STEP = 100;

/** The addresses that are due in each step, over a time. */
function run(bootstrap: Bootstrap, fromMs: number, toMs: number, lonely: boolean): { at: number; count: number }[] {
  const due = [];
  for (let at = fromMs; at < toMs; at += STEP) {
    const count = bootstrap.due(at, lonely).length;
    if (count > 0) due.push({ at, count });
  }
  return due;
}

const bootstrap = (addresses = [overTcp!, overWs!, peer!]): Bootstrap =>
  new Bootstrap(addresses, [], Random.seeded(1), (address) => (address === peer ? null : "hub"));

describe("bootstrap addresses", () => {
  it("all of them while nobody is there, at once and then ever less often", () => {
    const calls = run(bootstrap(), 0, 120_000, true);
    expect(calls[0]).toEqual({ at: 0, count: 3 });
    expect(calls.every(({ count }) => count === 3)).toBe(true);
    expect(calls[1]!.at).toBeLessThanOrEqual(1.2 * LONELY_FIRST_MS + STEP);
    const gaps = calls.slice(1).map(({ at }, k) => at - calls[k]!.at);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1.2 * LONELY_MOST_MS + STEP);
    expect(gaps.at(-1)).toBeGreaterThan(0.8 * LONELY_MOST_MS - STEP);
  });

  it("in company every hub once, regularly, and others now and then", () => {
    const company = bootstrap();
    const hubs = run(new Bootstrap([overTcp!, overWs!], [], Random.seeded(2), () => "hub"), 0, 200_000, false);
    expect(hubs.every(({ count }) => count === 1)).toBe(true);
    expect(hubs.length).toBeGreaterThan(200_000 / (1.3 * HUB_AGAIN_MS));
    expect(hubs.length).toBeLessThan(200_000 / (0.7 * HUB_AGAIN_MS));
    const all = run(company, 0, 600_000, false).reduce((sum, { count }) => sum + count, 0);
    expect(all).toBeLessThan(600_000 / (0.7 * HUB_AGAIN_MS) + 600_000 / (0.7 * BOOTSTRAP_AGAIN_MS));
  });

  it("a hub that was lost at once, then less often, also when the peer has just found company", () => {
    const lost = new Bootstrap([overTcp!], [], Random.seeded(3), () => "hub");
    lost.due(0, true);
    lost.lost();
    const calls = run(lost, 100, 60_000, false);
    expect(calls[0]!.at).toBe(100);
    expect(calls[1]!.at).toBeLessThanOrEqual(100 + 1.2 * LONELY_FIRST_MS + STEP);
    const soon = calls.filter(({ at }) => at < 20_000).length;
    lost.lost();
    expect(run(lost, 60_000, 80_000, false).length).toBeLessThan(soon);
    lost.found();
    lost.lost();
    expect(run(lost, 80_000, 80_100, false)).toHaveLength(1);
  });

  it("none where there are none", () => {
    expect(run(bootstrap([]), 0, 60_000, true)).toEqual([]);
  });
});
