import { describe, expect, it } from "vitest";
import { coterie } from "../testing/coterie.ts";

const LEAKING = ["soak", "--rounds", "200", "--peers", "2", "--flood", "0", "--leak", "50000", "--json"];

describe("coterie soak", { timeout: 300_000 }, () => {
  it("a room in a flood goes on meeting, loses no reward, and its memory does not grow", async () => {
    const { code, out } = await coterie(["soak", "--rounds", "600", "--peers", "3", "--json"]);
    const report = JSON.parse(out);
    expect(report.failures).toEqual([]);
    expect(code).toBe(0);
    expect(report.flooded.messages).toBeGreaterThan(0);
    expect(report.violations).toBeGreaterThan(0);
  });

  it("notices a leak of 50 kB a round, and ends with 3", async () => {
    const { code, out, err } = await coterie(LEAKING);
    expect(code).toBe(3);
    expect(JSON.parse(out).failures).toEqual([expect.stringMatching(/memory grows by \d/)]);
    expect(err).toMatch(/^coterie: memory grows by/m);
  });
});
