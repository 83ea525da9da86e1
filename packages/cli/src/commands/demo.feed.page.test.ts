import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { FEED_VERSION, toLine } from "@coterie/studio";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import { coterie, scratch, start } from "../testing/coterie.ts";
import { address, NetworkPage, PATIENCE } from "../testing/demoPage.ts";
import { openTabs, type Tabs } from "../testing/tabs.ts";

const executable = process.env.COTERIE_CHROMIUM;
const HEADER = {
  coterie: "feed",
  version: FEED_VERSION,
  policy: "kindred",
  periodMs: 1,
  startedMs: 0,
  source: "live",
} as const;
const NASTY = "<img src=x onerror=globalThis.hacked=1>";

describe.skipIf(!executable)("pages without a live network", { timeout: 300_000 }, () => {
  const folder = scratch();
  let replay: ChildProcess;
  let ended: Promise<{ err: string }>;
  let plain: string;
  let tabs: Tabs;

  beforeAll(async () => {
    const joined = [0, 1, 2].map((peer) => ({ peer, id: `id${peer}`, name: `Peer ${peer}`, cluster: 0 }));
    const beats = Array.from({ length: 40 }, (_, k) => ({
      at: 250 * k,
      ...(k === 0 && { joined }),
      ...(k === 8 && { pool: [0, 1, 1, 5, 1, 0, 1, 5] }),
      ...(k === 20 && { left: [2, 1], faults: [{ what: "kill", peers: [2] } as const] }),
      earned: [k % 3, 0.5, 0.25, 0.1, 0.2],
      met: [k % 3, (k + 1) % 3, 0, 100, 200],
    }));
    const recording = folder.path("run.jsonl");
    writeFileSync(recording, [HEADER, ...beats].map(toLine).join(""));
    const started = start(["demo", "--replay", recording]);
    [replay, ended] = [started.child, started.ended];
    plain = await address(replay, ended);
    tabs = await openTabs(executable!);
  });

  afterAll(async () => {
    await tabs?.close();
    replay?.kill("SIGINT");
    await ended;
    folder.remove();
  });

  it("a recording is shown again, at any moment of it, and nothing can be done to it", async () => {
    const shown = new NetworkPage(await tabs.open(plain));
    await expect.poll(() => shown.text(".state"), PATIENCE).toContain("Recording");
    expect(await shown.states()).toEqual(["there", "there", "gone"]);
    expect(await shown.button("Add 5 peers").isDisabled()).toBe(true);
    await shown.page.getByRole("slider", { name: "Moment shown" }).fill("1000");
    await expect.poll(() => shown.states(), PATIENCE).toEqual(["there", "there", "there"]);
    expect(await shown.text(".verdicts")).toContain("nobody pools yet");
    await shown.button("End").click();
    await expect.poll(() => shown.text(".verdicts"), PATIENCE).toContain("1 group of 2");
    expect(await faultsOf(shown.page)).toEqual([]);
    await shown.page.close();
  });

  it("the lab runs in the page; its address is the setting, and coterie run gives the same numbers, bit for bit", async () => {
    const lab = await tabs.open(`${plain}lab#peers=8&clusters=2&rounds=60&policies=random,kindred,oracle`);
    const [download] = await Promise.all([lab.waitForEvent("download"), lab.getByText("Save as file").click()]);
    // A finished run is there before anything is computed, and every policy says what it is to who goes to it.
    expect(await lab.locator(".caption").innerText()).toMatch(/kindred has \d+ % less regret than learning alone/);
    await lab.getByRole("checkbox", { name: "dccb" }).focus();
    await expect.poll(() => lab.locator(".about").innerText()).toContain("The paper's second");
    await lab.locator(".policies label", { hasText: "oracle" }).hover();
    await expect.poll(() => lab.locator(".about").innerText()).toContain("Knows from the start");
    await lab.getByRole("button", { name: "Run" }).click();
    await lab.getByText("Done.").waitFor(PATIENCE);
    const last = await lab.evaluate(() => {
      type Points = readonly { readonly regret: number[]; readonly reward: number[] }[];
      const { coterie } = globalThis as unknown as { coterie: { points: { value: Points } } };
      return coterie.points.value.at(-1);
    });
    const { code, out } = await coterie(["run", await download.path(), "--jobs", "1", "--json"]);
    expect(code).toBe(0);
    const { rows } = JSON.parse(out) as { rows: { regret: number; reward: number }[] };
    expect(last?.regret).toEqual(rows.map(({ regret }) => regret));
    expect(last?.reward).toEqual(rows.map(({ reward }) => reward));
    expect(rows[2].regret).toBeLessThan(0.5 * rows[0].regret);
    expect(await faultsOf(lab)).toEqual([]);
    await lab.getByRole("button", { name: "Liars" }).click();
    await expect.poll(() => lab.locator(".finding h2").innerText()).toContain("Liars");
    expect(await lab.getByRole("button", { name: "Save as file" }).isDisabled()).toBe(true);
    await lab.getByRole("button", { name: "Four tastes" }).click();
    await lab.getByLabel("Peers").fill("");
    await expect.poll(() => lab.getByRole("alert").innerText()).toContain("peers must be a number from 1 to 400");
    await lab.getByLabel("Peers").fill("9");
    await expect.poll(() => lab.url()).toContain("peers=9");
    await lab.getByLabel("Clusters").fill("10");
    await expect.poll(() => lab.getByRole("alert").innerText()).toContain("clusters");
    await lab.close();
  });

  it("until here nothing went wrong, and nothing left this machine", () => {
    expect(tabs.complaints).toEqual([]);
  });

  describe("a bad feed", () => {
    const bad = async (body: string): Promise<Page> => {
      const other = await tabs.context.newPage();
      await other.route("**/feed", (route) => route.fulfill({ body, contentType: "application/x-ndjson" }));
      await other.goto(plain);
      await other.getByRole("alert").waitFor(PATIENCE);
      return other;
    };

    it("of another version is said to be one", async () => {
      const other = await bad(JSON.stringify({ ...HEADER, version: FEED_VERSION + 1 }));
      expect(await other.getByRole("alert").innerText()).toContain(
        `The feed has version ${FEED_VERSION + 1}, this page reads ${FEED_VERSION}`,
      );
      await other.close();
    });

    it("that is no feed at all is said to be none", async () => {
      const other = await bad("<!doctype html><p>Not found");
      expect(await other.getByRole("alert").innerText()).toContain("not JSON");
      await other.close();
    });

    it("loses the lines that cannot be read, and the page goes on; a name is only ever text", async () => {
      const joined = [{ peer: 0, id: "x", name: NASTY, cluster: 0 }];
      const lines = [
        toLine(HEADER),
        toLine({ at: 1, joined }),
        "{nonsense}\n",
        '{"at":2,"met":[1]}\n',
        toLine({ at: 3 }),
      ];
      const other = await bad(lines.join(""));
      await expect.poll(() => new NetworkPage(other).names(), PATIENCE).toEqual([NASTY]);
      expect(await other.evaluate(() => "hacked" in globalThis)).toBe(false);
      await expect.poll(() => other.getByRole("alert").innerText(), PATIENCE).toContain("The feed stopped");
      await other.close();
    });
  });

  it("a page that is not there says so to a person, and to a program in JSON", async () => {
    const other = await tabs.open(`${plain}nowhere`);
    expect(await other.locator("h1").innerText()).toBe("There is no such page");
    expect(await faultsOf(other)).toEqual([]);
    await other.getByRole("link", { name: "Network", exact: true }).click();
    await other.locator(".figure").waitFor();
    await other.close();
    const answer = await fetch(`${plain}nowhere`);
    expect([answer.status, await answer.json()]).toEqual([404, { error: "there is nothing at /nowhere" }]);
  });

  it("a page runs no script but its own", async () => {
    const other = await tabs.open(plain);
    await other.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "globalThis.hacked = 1";
      document.body.append(script);
    });
    expect(await other.evaluate(() => "hacked" in globalThis)).toBe(false);
    const policy = (await fetch(plain)).headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    await other.close();
  });
});
