import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Beat, eachRow, FEED_VERSION, type NetworkModel, toLine } from "@coterie/studio";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import { deedIn, exchangesIn, isAnswered, partedFrom, type SeenExchange } from "../testing/beats.ts";
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
  /** Who was made to lie, and who pooled with it then. */
  let liar = -1;
  let kin: number[] = [];

  const text = (selector: string): Promise<string> => page.locator(selector).innerText();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** All beats the page has. */
  const beats = (): Promise<Beat[]> =>
    page.evaluate(() => {
      const { coterie } = globalThis as unknown as { coterie: { moment: { value: { timeline: { beats: Beat[] } } } } };
      return coterie.moment.value.timeline.beats;
    });
  /** Whom each peer pools with. */
  const pools = (): Promise<{ peer: number; name: string; pool: number[] }[]> =>
    page.evaluate(() => {
      const { coterie } = globalThis as unknown as { coterie: { moment: { value: { model: NetworkModel } } } };
      const { model } = coterie.moment.value;
      return model.peers.map(({ peer, name }) => ({ peer, name, pool: [...model.pool(peer)] }));
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
    await expect.poll(() => text("#peer")).not.toBe(first);
    await page.keyboard.press("Escape");
    expect(await text("#story")).toBe("What happened");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.getByRole("slider", { name: "Moment shown" }).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => text(".state")).toContain("showing the past");
    await expect.poll(() => button("Add 5 peers").isDisabled()).toBe(true);
    await button("Live").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => text(".state")).toContain("Live · policy");
  });

  it("finds and sorts peers", async () => {
    await page.getByRole("searchbox").fill("wren");
    await expect.poll(() => page.locator("tbody tr th").allInnerTexts()).toContain("Wren");
    await page.getByRole("searchbox").fill("");
    const names = (): Promise<string[]> => page.locator("tbody tr th").allInnerTexts();
    await expect.poll(async () => (await names()).length).toBe(8);
    await button("Peer").click();
    const sorted = [...(await names())].sort();
    await expect.poll(names).toEqual(sorted.reverse());
    await button("Peer").click();
  });

  it("cuts the network in two, really, and heals it", async () => {
    const answered = async (): Promise<number> => exchangesIn(await beats()).filter(isAnswered).length;
    await expect.poll(answered, PATIENCE).toBeGreaterThan(15);
    await button("Cut the network in two").click();
    await expect.poll(() => button("Heal the cut").count(), PATIENCE).toBe(1);
    await expect.poll(() => text(".side .body"), PATIENCE).toContain("the network was cut in two");
    await expect.poll(() => text(".verdicts")).toContain("the network is cut in two");
    const cut = deedIn(await beats(), "cut");
    const beyond = new Set(cut.peers);
    expect(beyond.size).toBe(4);
    const isAcross = ({ peer, partner }: SeenExchange): boolean => beyond.has(peer) !== beyond.has(partner);
    const acrossFrom = async (from: number, end?: number): Promise<SeenExchange[]> =>
      exchangesIn((await beats()).slice(from, end)).filter(isAcross);
    expect((await acrossFrom(0, cut.place)).some(isAnswered)).toBe(true);
    // What was under way when it was cut may still be told a moment later.
    const from = cut.place + 8;
    await expect.poll(async () => (await acrossFrom(from)).length, PATIENCE).toBeGreaterThan(5);
    // Each half goes on for itself.
    const isWithin = (one: SeenExchange): boolean => !isAcross(one) && isAnswered(one);
    await expect.poll(async () => exchangesIn((await beats()).slice(from)).some(isWithin), PATIENCE).toBe(true);
    await button("Heal the cut").click();
    await expect.poll(() => button("Cut the network in two").count(), PATIENCE).toBe(1);
    const heal = deedIn(await beats(), "heal").place;
    const during = await acrossFrom(from, heal);
    expect(during.filter((one) => isAnswered(one) || one.receivedBytes > 0)).toEqual([]);
    const back = async (): Promise<number> => (await acrossFrom(heal + 1)).filter(isAnswered).length;
    await expect.poll(back, PATIENCE).toBeGreaterThan(2);
    expect(await text(".side .body")).toContain("the cut was healed");
    expect(await text(".verdicts")).not.toContain("cut in two");
  });

  it("kills a peer, adds five", async () => {
    await page.locator("tbody tr th button").nth(2).click();
    await button("Kill this peer").click();
    await expect.poll(() => text(".side .body"), PATIENCE).toContain("was killed");
    await expect.poll(states).toContain("gone");
    await page.getByRole("button", { name: "Close" }).click();
    await button("Add 5 peers").click();
    await expect.poll(async () => (await states()).filter((state) => state === "there").length, PATIENCE).toBe(12);
    await expect.poll(() => text(".side .body"), PATIENCE).toContain("5 peers were added");
    const [newest] = deedIn(await beats(), "add").peers.slice(-1);
    const { place, peers } = deedIn(await beats(), "kill");
    const since = async (): Promise<SeenExchange[]> => exchangesIn((await beats()).slice(place + 8));
    const takesPart = async (): Promise<boolean> =>
      (await since()).some((one) => one.peer === newest && isAnswered(one));
    await expect.poll(takesPart, PATIENCE).toBe(true);
    const killed = (await since()).filter(({ peer, partner }) => peer === peers[0] || partner === peers[0]);
    expect(killed.filter((one) => one.peer === peers[0] || isAnswered(one))).toEqual([]);
    expect((await pools()).filter(({ pool }) => pool.includes(peers[0]))).toEqual([]);
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

  it("can be used by everybody, in light and dark, on every page: axe finds no fault", async () => {
    expect(await faultsOf(page)).toEqual([]);
    await page.locator("tbody tr th button").first().click();
    await page.locator("#peer").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    for (const path of ["", "join", "lab"]) {
      const other = await tabs.open(`${plain}${path}`);
      await other.locator("main button, main input").first().waitFor();
      if (path !== "") expect(await faultsOf(other)).toEqual([]);
      expect(await other.locator("h1").count()).toBe(1);
      await other.setViewportSize({ width: 360, height: 740 });
      await expect.poll(() => other.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await other.close();
    }
  });

  it("makes a peer lie that others pool with", async () => {
    const believed = async (): Promise<number | undefined> => {
      const all = await pools();
      const kinOf = (peer: number) => all.filter(({ pool }) => pool.includes(peer)).map((one) => one.peer);
      const found = all.find(({ peer }) => kinOf(peer).length > 1)?.peer;
      if (found !== undefined) [liar, kin] = [found, kinOf(found)];
      return found;
    };
    await expect.poll(believed, { timeout: 60_000 }).toBeDefined();
    const { name } = (await pools()).find(({ peer }) => peer === liar)!;
    await page.locator("tbody").getByRole("button", { name, exact: true }).click();
    await button("Make this peer lie").click();
    await expect.poll(states, PATIENCE).toContain("lies");
    await expect.poll(() => text(".side .body")).toContain("It was made to lie.");
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

  it("lets a liar's kin find out: none of them pools with it any more", async () => {
    // A pool may falter for a moment without a lie; this lasts.
    const parted = async (): Promise<boolean> => {
      const all = await beats();
      const since = partedFrom(all, liar);
      return kin.every((peer) => all[all.length - 1].at - (since.get(peer) ?? Number.POSITIVE_INFINITY) > 6000);
    };
    await expect.poll(parted, { timeout: 90_000 }).toBe(true);
    await button("Let it tell the truth").click();
    await expect.poll(states, PATIENCE).not.toContain("lies");
    await page.getByRole("button", { name: "Close" }).click();
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
      // The first channel is for the handshake; there are more only when both sides have agreed.
      const isAgreed = async (one: RTCPeerConnection): Promise<boolean> => {
        if (one.connectionState !== "connected") return false;
        const stats = [...((await one.getStats()) as unknown as Map<string, { dataChannelsOpened?: number }>).values()];
        return stats.some(({ dataChannelsOpened = 0 }) => dataChannelsOpened > 2);
      };
      Object.assign(globalThis, { isTabToTab: async () => (await Promise.all(made.map(isAgreed))).includes(true) });
    });
    const [tab, other] = await Promise.all([tabs.open(`${plain}join`), others.open(`${plain}join`)]);
    const told = (): Promise<string> => tab.locator(".told").innerText();
    const meetings = async (): Promise<number> => Number(/(\d+) exchange/.exec(await told())?.[1] ?? -1);
    await expect.poll(told, PATIENCE).toContain("In the room with 13 other peers");
    await expect.poll(() => other.locator(".told").innerText(), PATIENCE).toContain("In the room with 13 other peers");
    const isTabToTab = (): Promise<boolean> =>
      tab.evaluate(() => (globalThis as unknown as { isTabToTab: () => Promise<boolean> }).isTabToTab());
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
