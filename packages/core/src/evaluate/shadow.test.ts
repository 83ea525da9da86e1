import { describe, expect, it } from "vitest";
import type { LogEntry } from "./entry.ts";
import { shadowReport } from "./shadow.ts";
import { visits, worthOf } from "./testing/shop.ts";

/** A peer that watches the shop and would have shown the last item. */
const watched = (floor: number): LogEntry[] =>
  visits({ choices: 2000, seed: 5, floor }).map((entry) => (entry.kind === "choice" ? { ...entry, would: 2 } : entry));

describe("a shadow's report", () => {
  it("says what the peer would have earned where the app gave its propensities", () => {
    const { choices, agreed, earned, would, why } = shadowReport(watched(0.3));
    const truth = worthOf(() => [0, 0, 1]);
    expect(Math.abs(would!.dr.value - truth)).toBeLessThan(4 * would!.dr.error);
    expect([choices, why]).toEqual([2000, null]);
    // The shop shows the last item by its rule in one menu of four.
    expect(Math.abs(agreed - (0.25 * 0.8 + 0.75 * 0.1))).toBeLessThan(0.05);
    expect(earned.error).toBeGreaterThan(0);
  });

  it("without them says how often both agreed and what that earned, and why it cannot say more", () => {
    const { agreed, earnedWhereAgreed, would, why } = shadowReport(watched(0));
    expect(agreed).toBeCloseTo(0.25, 1);
    // Where both agree, 0.9 is earned: far above what the peer would have earned in all menus.
    expect(earnedWhereAgreed!.value).toBeGreaterThan(worthOf(() => [0, 0, 1]) + 0.2);
    expect(would).toBeNull();
    expect(why).toContain("give the app's own propensities to watch()");
  });

  it("needs something watched", () => {
    expect(() => shadowReport(visits({ choices: 10, seed: 1 }))).toThrow(
      "no rewarded choice that a peer in shadow mode watched",
    );
  });
});
