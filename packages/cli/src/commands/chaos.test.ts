import { describe, expect, it } from "vitest";
import { coterie, start } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

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
    // A sentence says why, where it is another loss than that of packets; the same for the ground.
    const { heard, dropped } = report.packets;
    if (report.loss === "stalls") expect(err).toMatch(/packets cannot be dropped here \(.+\)/);
    else expect(Math.abs(dropped / heard - 0.3)).toBeLessThan(0.1);
    if (report.ground === "loopback") expect(err).toMatch(/no network namespaces here \(.+\)/);
    else expect((await namespaces()).filter((name) => name.includes(`-${child.pid}-`))).toEqual([]);
  });

  it("notices processes that forget a reward now and then", async () => {
    // A file that a process loads first changes the store under it.
    const bug = new URL("../../../storm/src/chaos/testing/forgetful.mjs", import.meta.url).href;
    const args = ["chaos", "--peers", "3", "--seconds", "10", "--policy", "dcb", "--json"];
    const { code, out, err } = await coterie(args, { NODE_OPTIONS: `--import ${bug}` });
    expect(err).toMatch(/^coterie: /m);
    expect(code).toBe(3);
    const { failures }: { failures: string[] } = JSON.parse(out);
    expect(failures.filter((failure) => /\d+ rewards.*acknowledged \d+|on its disk/.test(failure))).not.toEqual([]);
  });

  it("refuses what makes no sense in one sentence", async () => {
    const ended = await refused(["chaos", "--peers", "2"]);
    expect(ended.code).not.toBe(0);
    expect(ended.err).toMatch(/--peers must be a whole number from 3 to 100/);
  });
});

async function namespaces(): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  return readdir("/run/netns").catch(() => []);
}
