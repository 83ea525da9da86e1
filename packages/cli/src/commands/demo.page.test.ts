import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Beat, eachRow, FEED_VERSION, OUTCOMES, toLine } from "@coterie/studio";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "../testing/coterie.ts";
import { openTabs, type Tabs } from "../testing/tabs.ts";

const executable = process.env.COTERIE_CHROMIUM;
const PATIENCE = { timeout: 45_000 };
const HEADER = {
  coterie: "feed",
  version: FEED_VERSION,
  policy: "kindred",
  periodMs: 1,
  startedMs: 0,
  source: "live",
} as const;

describe.skipIf(!executable)("the page of a demo", { timeout: 120_000 }, () => {
  let demo: ChildProcess;
  let ended: Promise<unknown>;
  let url: string;
  let plain: string;
  let tabs: Tabs;
  let page: Page;

  const text = (selector: string): Promise<string> => page.locator(selector).innerText();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** All beats the page has. */
  const beats = (): Promise<Beat[]> =>
    page.evaluate(() => {
      const { coterie } = globalThis as unknown as { coterie: { moment: { value: { timeline: { beats: Beat[] } } } } };
      return coterie.moment.value.timeline.beats;
    });
  const states = (): Promise<string[]> => page.locator("tbody tr td:last-child").allInnerTexts();

  beforeAll(async () => {
    execFileSync(process.execPath, [fileURLToPath(new URL("../../../studio/build.mjs", import.meta.url))]);
    ({ child: demo, ended } = start(["demo", "--peers", "8"]));
    url = await new Promise<string>((resolve) => {
      let out = "";
      demo.stdout?.on("data", (part: string) => {
        out += part;
        if (out.includes("\n")) resolve(out.trim());
      });
    });
    plain = url.split("#")[0];
    tabs = await openTabs(executable!);
    page = await tabs.open(url);
  });

  afterAll(async () => {
    await tabs?.close();
    demo?.kill("SIGINT");
    await ended;
  });

  it("is live, shows every peer, and its numbers move", async () => {
    await expect.poll(() => page.locator("tbody tr th").count(), PATIENCE).toBe(8);
    expect(await text(".state")).toContain("Live");
    expect(await page.locator(".verdicts li").count()).toBe(4);
    // The token is out of sight.
    expect(page.url()).toBe(plain);
    const choices = async (): Promise<number> =>
      Number(await page.locator("tbody tr td:nth-child(3)").first().innerText());
    await expect.poll(choices, PATIENCE).toBeGreaterThan(3);
    const before = await choices();
    await expect.poll(choices, PATIENCE).toBeGreaterThan(before);
    await expect.poll(async () => (await beats()).some(({ met }) => met !== undefined), PATIENCE).toBe(true);
  });

  it("can be used with keys alone", async () => {
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    const first = await text("#peer");
    await page.keyboard.press("ArrowRight");
    expect(await text("#peer")).not.toBe(first);
    await page.keyboard.press("Escape");
    expect(await text("#story")).toBe("What happened");
    await page.keyboard.press("Space");
    expect(await page.getByRole("button", { name: "Play" }).count()).toBe(1);
    await page.getByRole("slider", { name: "Moment shown" }).focus();
    await page.keyboard.press("Home");
    expect(await text(".state")).toContain("showing the past");
    expect(await button("Add 5 peers").isDisabled()).toBe(true);
    await button("Live").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => text(".state")).toContain("Live · policy");
  });

  it("finds and sorts peers", async () => {
    await page.getByRole("searchbox").fill("wren");
    await expect.poll(() => page.locator("tbody tr th").allInnerTexts()).toContain("Wren");
    await page.getByRole("searchbox").fill("");
    await button("Peer").click();
    const names = await page.locator("tbody tr th").allInnerTexts();
    expect(names).toEqual([...names].sort().reverse());
    await button("Peer").click();
  });

  it("cuts the network in two, really, and heals it", async () => {
    await button("Cut the network in two").click();
    await expect.poll(() => button("Heal the cut").count(), PATIENCE).toBe(1);
    const across = async (): Promise<Record<string, number>> => {
      const all = await beats();
      const from = all.findIndex(({ faults }) => faults?.some(({ what }) => what === "cut"));
      const beyond = new Set(all[from].faults?.find(({ what }) => what === "cut")?.peers);
      const found: Record<string, number> = {};
      // What was under way when it was cut may still be told a moment later.
      for (const beat of all.slice(from + 8)) {
        eachRow(beat, "met", (rows, at) => {
          const outcome = OUTCOMES[rows[at + 2]];
          if (beyond.has(rows[at]) !== beyond.has(rows[at + 1])) found[outcome] = (found[outcome] ?? 0) + 1;
        });
      }
      return found;
    };
    await expect.poll(async () => (await across())["given-up"] ?? 0, PATIENCE).toBeGreaterThan(3);
    expect(Object.keys(await across())).toEqual(["given-up"]);
    await button("Heal the cut").click();
    await expect.poll(() => button("Cut the network in two").count(), PATIENCE).toBe(1);
    await expect
      .poll(async () => (await beats()).slice(-4).flatMap(({ met }) => met ?? []).length, PATIENCE)
      .toBeGreaterThan(0);
  });

  it("kills a peer, makes one lie, adds five", async () => {
    await page.locator("tbody tr th button").nth(2).click();
    const victim = await text("#peer");
    await button("Kill this peer").click();
    await expect.poll(() => text(".side .body"), PATIENCE).toContain("was killed");
    await expect.poll(states).toContain("gone");
    await page.locator("tbody tr th button").nth(3).click();
    expect(await text("#peer")).not.toBe(victim);
    await button("Make this peer lie").click();
    await expect.poll(states, PATIENCE).toContain("lies");
    expect(await text(".side .body")).toContain("It was made to lie.");
    await button("Let it tell the truth").click();
    await expect.poll(states, PATIENCE).not.toContain("lies");
    await button("Add 5 peers").click();
    await expect.poll(async () => (await states()).filter((state) => state === "there").length, PATIENCE).toBe(12);
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => text(".side .body"), PATIENCE).toContain("5 peers were added");
  });

  it("hands out what it shows", async () => {
    for (const [name, file, begins] of [
      ["Peers as CSV", "coterie-peers.csv", "Id,Peer,Group"],
      ["Curves as CSV", "coterie-series.csv", "seconds,peers"],
      ["Network as SVG", "coterie-network.svg", "<svg"],
      ["Network as PNG", "coterie-network.png", "\u{fffd}PNG"],
      ["Recording", "coterie-recording.jsonl", '{"coterie":"feed"'],
    ]) {
      await page.locator("summary", { hasText: "Export" }).click();
      const [download] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
      expect(download.suggestedFilename()).toBe(file);
      expect(readFileSync(await download.path(), "utf8").startsWith(begins)).toBe(true);
    }
  });

  it("has a name for everything that can be used, on every page", async () => {
    for (const path of ["", "join", "lab"]) {
      const other = await tabs.open(`${plain}${path}`);
      await other.locator("main button, main input").first().waitFor();
      const nameless = await other.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>(
            "button, input, select, summary, a, [role=application], svg[role=img], table",
          ),
        ]
          .filter((one) => {
            const labelled = one.getAttribute("aria-label") ?? one.getAttribute("aria-labelledby") ?? one.textContent;
            return !(labelled?.trim() || (one instanceof HTMLInputElement && one.labels?.length));
          })
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      expect(nameless).toEqual([]);
      expect(await other.evaluate(() => document.documentElement.lang)).toBe("en");
      expect(await other.locator("h1").count()).toBe(1);
      await other.setViewportSize({ width: 360, height: 740 });
      await expect.poll(() => other.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await other.close();
    }
  });

  it("without the token only looks", async () => {
    const strangers = await openTabs(executable!, 600);
    const other = await strangers.open(plain);
    const add = other.getByRole("button", { name: "Add 5 peers" });
    await expect.poll(() => other.locator("tbody tr th").count(), PATIENCE).toBeGreaterThan(8);
    expect(await add.isDisabled()).toBe(true);
    expect(await add.getAttribute("title")).toContain("token");
    await strangers.close();
  });

  it("lets a tab be a peer: it learns, is seen by the others, remembers, and is one tab at a time", async () => {
    const tab = await tabs.open(`${plain}join`);
    const told = (): Promise<string> => tab.locator(".told").innerText();
    await expect.poll(told, PATIENCE).toContain("In the room with 12 other peers");
    for (let k = 1; k <= 6; k++) {
      await tab.locator("h2#title").waitFor();
      await tab.keyboard.press(`${1 + (k % 5)}`);
      await expect.poll(told, PATIENCE).toContain(`${k} rating${k === 1 ? "" : "s"} of your own`);
    }
    await expect
      .poll(async () => (await page.locator("tbody tr th").allInnerTexts()).join(), PATIENCE)
      .toContain("Guest 1");
    const guest = async (): Promise<number> => {
      const all = await beats();
      const { peer } = all.flatMap(({ joined }) => joined ?? []).find(({ name }) => name === "Guest 1")!;
      let met = 0;
      for (const beat of all)
        eachRow(beat, "met", (rows, at) => (met += rows[at + 1] === peer && rows[at + 2] < 3 ? 1 : 0));
      return met;
    };
    await expect.poll(guest, PATIENCE).toBeGreaterThan(0);
    const second = await tabs.open(`${plain}join`);
    await expect.poll(() => second.locator(".told").innerText(), PATIENCE).toContain("Another tab of this browser");
    await tab.close();
    await expect
      .poll(() => second.locator(".told").innerText(), PATIENCE)
      .toContain("it remembered 6 when it was opened");
    await second.close();
  });

  it("runs the lab in the page, and its address is the setting", async () => {
    const lab = await tabs.open(`${plain}lab#peers=8&clusters=2&rounds=60&policies=random,oracle`);
    await lab.getByRole("button", { name: "Run" }).click();
    await lab.getByText("Done.").waitFor(PATIENCE);
    const rows = await lab.locator(".answers tbody tr").allInnerTexts();
    const [random, oracle] = rows.map((row) => Number(row.split("\t")[1]));
    expect(oracle).toBeLessThan(0.5 * random);
    await lab.getByLabel("Peers").fill("9");
    await expect.poll(() => lab.url()).toContain("peers=9");
    await lab.getByLabel("Clusters").fill("10");
    await expect.poll(() => lab.getByRole("alert").innerText()).toContain("clusters");
    await lab.close();
  });

  it("until here nothing went wrong, and nothing left this machine", () => {
    expect(tabs.complaints).toEqual([]);
  });

  describe("with a bad feed", () => {
    const joined = [{ peer: 0, id: "x", name: "<img src=x onerror=globalThis.hacked=1>", cluster: 0 }];
    const bad = async (body: string): Promise<Page> => {
      const other = await tabs.context.newPage();
      await other.route("**/feed", (route) => route.fulfill({ body, contentType: "application/x-ndjson" }));
      await other.goto(plain);
      await other.getByRole("alert").waitFor(PATIENCE);
      return other;
    };

    it("says that it comes from another version", async () => {
      const other = await bad(JSON.stringify({ ...HEADER, version: 2 }));
      expect(await other.getByRole("alert").innerText()).toContain("The feed has version 2, this page reads 1");
      await other.close();
    });

    it("leaves out what it cannot read and goes on; a name is only ever text", async () => {
      const lines = [
        toLine(HEADER),
        toLine({ at: 1, joined }),
        "{nonsense}\n",
        '{"at":2,"met":[1]}\n',
        toLine({ at: 3 }),
      ];
      const other = await bad(lines.join(""));
      await expect.poll(() => other.locator("tbody tr th").allInnerTexts(), PATIENCE).toEqual([joined[0].name]);
      expect(await other.evaluate(() => "hacked" in globalThis)).toBe(false);
      await expect.poll(() => other.getByRole("alert").innerText(), PATIENCE).toContain("The feed stopped");
      await other.close();
    });

    it("runs no script but its own", async () => {
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

  it("says when the feed is lost; two tabs that are peers go on without the hub, and one goes on alone", async () => {
    const others = await openTabs(executable!, 600);
    // The tab's own connections to other tabs, to see when one stands.
    await tabs.context.addInitScript(() => {
      const made: RTCPeerConnection[] = [];
      const Real = RTCPeerConnection;
      globalThis.RTCPeerConnection = class extends Real {
        constructor(configuration?: RTCConfiguration) {
          super(configuration);
          made.push(this);
        }
      };
      Object.assign(globalThis, { isTabToTab: () => made.some((one) => one.connectionState === "connected") });
    });
    const [tab, other] = await Promise.all([tabs.open(`${plain}join`), others.open(`${plain}join`)]);
    const told = (): Promise<string> => tab.locator(".told").innerText();
    const meetings = async (): Promise<number> => Number(/(\d+) exchange/.exec(await told())?.[1] ?? -1);
    await expect.poll(told, PATIENCE).toContain("In the room with 13 other peers");
    await expect.poll(() => other.locator(".told").innerText(), PATIENCE).toContain("In the room with 13 other peers");
    const isTabToTab = (): Promise<boolean> =>
      tab.evaluate(() => (globalThis as unknown as { isTabToTab: () => boolean }).isTabToTab());
    await expect.poll(isTabToTab, PATIENCE).toBe(true);
    demo.kill("SIGINT");
    await ended;
    await expect.poll(() => page.getByRole("alert").innerText(), PATIENCE).toContain("The feed stopped");
    await expect.poll(told, PATIENCE).toContain("In the room with 1 other peer;");
    const before = await meetings();
    await expect.poll(meetings, PATIENCE).toBeGreaterThan(before + 1);
    await others.close();
    await expect.poll(told, PATIENCE).toContain("Nobody else is in sight");
    await tab.keyboard.press("5");
    await expect.poll(told, PATIENCE).toContain("7 ratings of your own");
  });
});
