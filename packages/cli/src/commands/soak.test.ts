import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { coterie, start } from "../testing/coterie.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-soak-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

  it("that is interrupted reports what it has measured until then", async () => {
    const args = ["soak", "--rounds", "100000", "--peers", "2", "--pace", "50", "--json"];
    const file = join(folder, "early.jsonl");
    const { child, ended } = start([...args, "--samples", file]);
    await vi.waitFor(() => expect(readFileSync(file, "utf8").split("\n").length).toBeGreaterThan(1), 60_000);
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    expect([code, err]).toEqual([130, expect.stringContaining("interrupted")]);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ asked: 100_000, slopeMbPerHour: null, floodRate: null, failures: [] });
    expect(report.rounds).toBeGreaterThan(0);
    expect(report.rounds).toBeLessThan(10_000);
    expect(report.calmRate).toBeGreaterThan(0.5);
  });

  it("notices a leak of 50 kB a round at any pace, and ends with 3; every sample has the growth so far", async () => {
    const file = join(folder, "samples.jsonl");
    const { code, out, err } = await coterie([...LEAKING, "--pace", "20", "--samples", file]);
    expect(code).toBe(3);
    expect(JSON.parse(out).failures).toEqual([expect.stringMatching(/memory grows by \d/)]);
    expect(err).toMatch(/^coterie: memory grows by/m);
    const samples = readFileSync(file, "utf8").trim().split("\n");
    const last = JSON.parse(samples.at(-1) ?? "");
    expect(samples.length).toBeGreaterThan(80);
    expect(last.mbPerHour).toBeGreaterThan(5);
    // 200 rounds of 20 ms.
    expect(last.seconds).toBeGreaterThanOrEqual(3);
  });
});
