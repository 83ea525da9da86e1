import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Beat, NetworkModel } from "@coterie/studio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import { address, NetworkPage, PATIENCE } from "../testing/demoPage.ts";
import { openTabs, type Tabs } from "../testing/tabs.ts";

const executable = process.env.COTERIE_CHROMIUM;
const root = fileURLToPath(new URL("../../../..", import.meta.url));
/** What `npm start` brings up. */
const PEERS = 24;
const CLUSTERS = 4;
/** A minute of the demo, in choices of a person: one every half second. */
const MINUTE = 120;
/** What may move of a page while it loads and lives, in the browser's own measure. */
const MOST_SHIFT = 0.05;

/** How often each person had chosen, at most, when the clusters were there to be seen; null where they are not yet. */
function choicesUntilFound(beats: readonly Beat[]): number | null {
  const model = new NetworkModel();
  for (const beat of beats) {
    model.apply(beat);
    if (isFound(model)) return Math.max(...model.column("choices").subarray(0, model.peers.length));
  }
  return null;
}

/** Regret of all choices in some beats, and of the twins'. */
function regretIn(beats: readonly Beat[]): { regret: number; alone: number } {
  let [regret, alone] = [0, 0];
  for (const { earned = [] } of beats) {
    for (let at = 0; at < earned.length; at += 5) {
      regret += earned[at + 3];
      alone += earned[at + 4];
    }
  }
  return { regret, alone };
}

/** Most peers pool with somebody and with none but their own kind, of every kind. Guests are of no known kind. */
function isFound(model: NetworkModel): boolean {
  const kindOf = (peer: number): number | null => model.peers[peer]?.cluster ?? null;
  const right = model.peers.filter(({ peer, cluster }) => {
    const pool = [...model.pool(peer)].filter((other) => kindOf(other) !== null);
    return cluster !== null && pool.length > 0 && pool.every((other) => kindOf(other) === cluster);
  });
  return right.length > 0.8 * PEERS && new Set(right.map(({ cluster }) => cluster)).size === CLUSTERS;
}

describe.skipIf(!executable)("npm start", { timeout: 400_000 }, () => {
  let npm: ChildProcess;
  let ended: Promise<{ err: string }>;
  let tabs: Tabs;
  let plain: string;
  let shown: NetworkPage;
  let began: number;

  beforeAll(async () => {
    tabs = await openTabs(executable!);
    began = performance.now();
    // A group of its own, so that it can be interrupted as a terminal does it.
    npm = spawn("npm", ["start"], { cwd: root, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let err = "";
    npm.stderr?.setEncoding("utf8").on("data", (part: string) => (err += part));
    npm.stdout?.setEncoding("utf8");
    ended = new Promise((resolve) => npm.on("close", () => resolve({ err })));
    const url = await address(npm, ended);
    plain = url.split("#")[0] ?? url;
    shown = new NetworkPage(await tabs.open(url));
  });

  afterAll(async () => {
    await tabs?.close();
    if (npm?.pid !== undefined) process.kill(-npm.pid, "SIGINT");
    await ended;
  });

  it("shows a live network at once, and its numbers move", async () => {
    await expect.poll(() => shown.text(".state"), PATIENCE).toContain("Live");
    await expect.poll(async () => (await shown.names()).length, PATIENCE).toBeGreaterThan(0);
    // Ten seconds are promised where nothing else runs; here other tests do.
    console.info(`live ${((performance.now() - began) / 1000).toFixed(1)} s after npm start`);
    expect(await shown.page.locator(".verdicts li").count()).toBe(3);
    // The token is out of sight.
    expect(shown.page.url()).toBe(plain);
    const choices = async (): Promise<number> => (await shown.peers()).reduce((sum, peer) => sum + peer.choices, 0);
    await expect.poll(choices, PATIENCE).toBeGreaterThan(10);
    const before = await choices();
    await expect.poll(choices, PATIENCE).toBeGreaterThan(before);
    await expect.poll(async () => (await shown.beats()).some(({ met }) => met !== undefined), PATIENCE).toBe(true);
    await expect.poll(async () => (await shown.peers()).length, PATIENCE).toBe(PEERS);
    // All of that came about without anything moving under the reader's eyes.
    expect(await shown.layoutShift()).toBeLessThan(MOST_SHIFT);
  });

  it("shows the figure, its curve, the picture and its legend on the first screen, above the bar of time", async () => {
    const { page } = shown;
    const bottom = async (selector: string): Promise<number> => {
      const box = (await page.locator(selector).first().boundingBox())!;
      return box.y + box.height;
    };
    await page.setViewportSize({ width: 1280, height: 860 });
    const bar = (await page.locator(".transport").boundingBox())!.y;
    for (const part of [".figure", ".curve", ".legend"]) expect(await bottom(part), part).toBeLessThanOrEqual(bar);
    await page.setViewportSize({ width: 390, height: 844 });
    // On a phone the picture comes before the verdicts.
    expect(await bottom(".stage")).toBeLessThan((await page.locator(".verdicts").boundingBox())!.y);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("offers a tour of three steps to a first visitor, by keys alone, and not again", async () => {
    const { page } = shown;
    const tour = page.getByRole("region", { name: "What sharing earns" });
    await tour.waitFor();
    await page.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Who learns from whom" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Try to break it" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await page.locator(".tour").count()).toBe(0);
    await shown.button("Tour").focus();
    await page.keyboard.press("Enter");
    await tour.waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator(".tour").count()).toBe(0);
  });

  it("can be used with keys alone", async () => {
    const { page } = shown;
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    const first = await shown.text("#peer");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shown.text("#peer")).not.toBe(first);
    await page.keyboard.press("Escape");
    expect(await shown.text("#story")).toBe("What happened");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByRole("slider", { name: "Moment shown" }).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => shown.text(".state")).toContain("showing the past");
    await expect.poll(() => shown.button("Add 5 peers").isDisabled()).toBe(true);
    await shown.button("Live").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => shown.text(".state")).toContain("Live · policy");
  });

  it("finds and sorts peers", async () => {
    const { page } = shown;
    await page.getByRole("searchbox").fill("wren");
    await expect.poll(() => shown.names()).toEqual(["Wren"]);
    await page.getByRole("searchbox").fill("");
    await expect.poll(async () => (await shown.names()).length).toBeGreaterThan(10);
    await shown.button("Peer").click();
    await expect.poll(async () => (await shown.names())[0]).toBe("Wren");
    await shown.button("Peer").click();
    await expect.poll(async () => (await shown.names())[0]).toBe("Avocet");
  });

  it("hands out what it shows", async () => {
    for (const [name, file, begins] of [
      ["Peers as CSV", "coterie-peers.csv", "Id,Peer,Group"],
      ["Curves as CSV", "coterie-series.csv", "seconds,peers"],
      ["Network as SVG", "coterie-network.svg", "<svg"],
      ["Network as PNG", "coterie-network.png", "\u{fffd}PNG"],
      ["Recording", "coterie-recording.jsonl", '{"coterie":"feed"'],
    ] as const) {
      await shown.page.locator("summary", { hasText: "Export" }).click();
      const [download] = await Promise.all([shown.page.waitForEvent("download"), shown.button(name).click()]);
      expect(download.suggestedFilename()).toBe(file);
      expect(readFileSync(await download.path(), "utf8").startsWith(begins)).toBe(true);
    }
  });

  it("can be used by everybody, in light and dark, wide and narrow, on every page: axe finds no fault", async () => {
    expect(await faultsOf(shown.page)).toEqual([]);
    await shown.page.locator(".table tbody tr th button").first().click();
    await shown.page.locator("#peer").waitFor();
    expect(await faultsOf(shown.page)).toEqual([]);
    await shown.page.getByRole("button", { name: "Close" }).click();
    for (const path of ["", "join", "lab"]) {
      const other = await tabs.open(`${plain}${path}`);
      await other.locator("main button, main input").first().waitFor();
      if (path !== "") expect(await faultsOf(other)).toEqual([]);
      expect(await new NetworkPage(other).layoutShift(), path).toBeLessThan(MOST_SHIFT);
      expect(await other.locator("h1").count()).toBe(1);
      await other.setViewportSize({ width: 360, height: 740 });
      await expect.poll(() => other.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await other.close();
    }
  });

  it("shows the clusters within a minute: four groups, each of one kind", async () => {
    // Looked for in all that the page has seen. Counted in choices, not in seconds: a machine that is busy with other tests
    // makes fewer of them in a minute.
    let choices: number | null = null;
    const look = async (): Promise<boolean> => {
      choices = choicesUntilFound(await shown.beats());
      return choices !== null;
    };
    await expect.poll(look, { timeout: 180_000, interval: 2000 }).toBe(true);
    expect(choices).toBeLessThanOrEqual(MINUTE);
    console.info(`clusters found after ${choices} choices, ${((performance.now() - began) / 1000).toFixed(0)} s`);
    await expect.poll(() => shown.text(".verdicts"), PATIENCE).toMatch(/4 groups? of \d, \d, \d, \d/);
    const earned = async (): Promise<string> => `${await shown.text(".figure")} ${await shown.text(".earned .number")}`;
    await expect.poll(earned, { timeout: 180_000, interval: 1000 }).toMatch(/^\d+ % less regret than alone/);
    // What it says is what the page was told, summed by another hand.
    await shown.button("Pause").click();
    await shown.page.getByRole("button", { name: "Play" }).waitFor();
    const { regret, alone } = regretIn(await shown.shownBeats());
    const [, percent, lost, twins] = /(\d+) % .* ([\d,]+) rating points; alone ([\d,]+)/.exec(await earned()) ?? [];
    expect([percent, lost, twins]).toEqual([
      `${Math.round(100 * (1 - regret / alone))}`,
      Math.round(regret).toLocaleString("en"),
      Math.round(alone).toLocaleString("en"),
    ]);
    await shown.button("Live").click();
  });

  it("all without an error on a console, and no request left this machine", () => {
    expect(tabs.complaints).toEqual([]);
  });
});
