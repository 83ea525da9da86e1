import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { parseBeat, parseHeader, Timeline } from "@coterie/studio";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { coterie, scratch, start } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);

/** Whatever becomes of a test, no demo outlives it. */
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGINT");
});

function begin(args: readonly string[]): ReturnType<typeof start> {
  const started = start(args);
  running.push(started.child);
  return started;
}

/** The first address on a stream. */
function address(stream: NodeJS.ReadableStream | null): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stream?.on("data", (part: string) => {
      text += part;
      const found = /http:\/\/\S+/.exec(text);
      if (found !== null) resolve(found[0]);
    });
  });
}

/** Processes that a process started, as Linux tells it. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /, "")
          .split(" ")[1] === `${parent}`
      );
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("coterie demo", () => {
  const recording = folder.path("run.jsonl");

  it("runs real peers for so many rounds, prints one document and keeps the recording", async () => {
    const { code, out, err } = await coterie([
      "demo",
      "--peers",
      "6",
      "--rounds",
      "12",
      "--json",
      "--record",
      recording,
    ]);
    expect(err).toContain("6 of 6 peers are up");
    expect(code).toBe(0);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({ policy: "kindred", peers: 6, clusters: 2, troubles: 0 });
    expect(summary.choices).toBeGreaterThanOrEqual(72);
    expect(summary.exchanges.mix).toBeGreaterThan(6);
    expect(summary.sentBytes).toBeGreaterThan(1000);
    expect(summary.aloneRegret).toBeGreaterThan(0);
    const [first, ...beats] = readFileSync(recording, "utf8").trimEnd().split("\n");
    const timeline = new Timeline(parseHeader(first));
    for (const beat of beats) timeline.push(parseBeat(beat));
    // What the page shows is what the command says.
    expect(timeline.series.get("choices").at(timeline.length - 1)).toBeGreaterThanOrEqual(summary.choices);
    expect(timeline.live.present).toBe(6);
  });

  it("shows a recording again, with nothing to be done to it", async () => {
    const { child, ended } = begin(["demo", "--replay", recording]);
    const url = await address(child.stdout);
    expect(await (await fetch(`${url}feed`)).text()).toBe(readFileSync(recording, "utf8"));
    expect((await fetch(`${url}control`, { method: "POST" })).status).toBe(404);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });

  it("does nothing to the network without the token, and ends all of it when it is interrupted", async () => {
    const { child, ended } = begin(["demo", "--peers", "4", "--policy", "dccb"]);
    const url = new URL(await address(child.stdout));
    const token = new URLSearchParams(url.hash.slice(1)).get("token");
    const control = (body: object, bearer: string | null): Promise<Response> =>
      fetch(new URL("/control", url), {
        method: "POST",
        headers: { "content-type": "application/json", ...(bearer !== null && { authorization: `Bearer ${bearer}` }) },
        body: JSON.stringify(body),
      });
    expect((await control({ action: "cut" }, null)).status).toBe(401);
    expect((await control({ action: "cut" }, "0".repeat(32))).status).toBe(401);
    expect((await control({ action: "explode" }, token)).status).toBe(400);
    expect((await control({ action: "kill", peer: 99 }, token)).status).toBe(400);
    expect((await control({ action: "cut" }, token)).status).toBe(200);
    const pids = await vi.waitUntil(() => (childrenOf(child.pid!).length > 1 ? childrenOf(child.pid!) : null), 30_000);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.each([
    [["--peers", "1"], "--peers"],
    [["--policy", "club"], "--policy"],
    [["--policy", "nonsense"], "--policy"],
    [["--json"], "--json"],
    [["--replay", "nowhere.jsonl"], "--replay"],
    [["--replay", recording, "--peers", "3"], "--peers"],
  ])("refuses %j", async (args, named) => {
    const { code, err } = await refused(["demo", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(named);
  });
});
