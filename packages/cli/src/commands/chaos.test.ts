import { describe, expect, it } from "vitest";
import { coterie, start } from "../testing/coterie.ts";

/** Real processes take the time they take; the command itself is bounded. */
describe("coterie chaos", { timeout: 300_000 }, () => {
  it("kills, pauses and cuts off real processes: no reward is lost, everybody meets again, nothing is left behind", async () => {
    const { child, ended } = start(["chaos", "--peers", "6", "--seconds", "20", "--policy", "dcb", "--json"]);
    const { code, out, err } = await ended;
    expect(err).not.toMatch(/^coterie: /m);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ seed: 1, peers: 6, failures: [] });
    expect(code).toBe(0);
    expect(report.rewards).toBeGreaterThan(50);
    expect(report.restarts).toBeGreaterThanOrEqual(3);
    expect(report.heal.count).toBe(6);
    // A sentence says why, where it is another ground than namespaces.
    if (report.ground === "loopback") expect(err).toMatch(/no network namespaces here \(.+\)/);
    else expect((await namespaces()).filter((name) => name.includes(`-${child.pid}-`))).toEqual([]);
  });

  it("refuses what makes no sense in one sentence", async () => {
    const ended = await coterie(["chaos", "--peers", "2"]);
    expect(ended.code).not.toBe(0);
    expect(ended.err).toMatch(/--peers must be a whole number from 3 to 100/);
  });
});

async function namespaces(): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  return readdir("/run/netns").catch(() => []);
}
