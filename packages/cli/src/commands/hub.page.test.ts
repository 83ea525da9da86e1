import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import { scratch } from "../testing/coterie.ts";
import { NetworkPage, PATIENCE } from "../testing/demoPage.ts";
import { posterPeer } from "../testing/posters.ts";
import { endAll, launch, type Service } from "../testing/service.ts";
import { openTabs, type Tabs, watchTabToTab } from "../testing/tabs.ts";

const executable = process.env.COTERIE_CHROMIUM;
const LISTEN = ["--listen", "/ip4/127.0.0.1/tcp/0", "--listen", "/ip4/127.0.0.1/tcp/0/ws"];
const told = (tab: Page): Promise<string> => tab.locator(".told").innerText();
const meetings = async (tab: Page): Promise<number> => Number(/(\d+) exchange/.exec(await told(tab))?.[1] ?? -1);

describe.skipIf(!executable)("the pages of a hub", { timeout: 400_000 }, () => {
  const folder = scratch();
  let hub: Service;
  let node: Awaited<ReturnType<typeof posterPeer>>;
  let tabs: Tabs;
  let others: Tabs;
  let page: Page;
  let tab: Page;
  const verdicts = (): Promise<string> => page.locator(".verdicts").innerText();

  beforeAll(async () => {
    hub = await launch(["hub", "--key-file", folder.path("hub.key"), ...LISTEN]);
    tabs = await openTabs(executable!);
    others = await openTabs(executable!, 600);
    page = await tabs.open(`${hub.ready.http}/`);
  });

  afterAll(async () => {
    await Promise.all([tabs?.close(), others?.close(), node?.close()]);
    await endAll();
    folder.remove();
  });

  it("show who is there, and how to come", async () => {
    await expect.poll(verdicts, PATIENCE).toContain("Nobody yet");
    expect(await new NetworkPage(page).layoutShift()).toBeLessThan(0.05);
    expect(await page.locator(".addresses").innerText()).toContain(hub.ready.addresses[0]);
    node = await posterPeer(hub.ready.addresses.slice(0, 1));
    await node.use(1);
    await expect.poll(verdicts, PATIENCE).toContain("1 peer in 1 room");
    await expect.poll(() => page.getByRole("table", { name: "Peers" }).innerText(), PATIENCE).toContain("TCP");
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  it("ask for the token where there is one, and then show the same", async () => {
    const token = "0123456789abcdef";
    const guarded = await launch(["hub", "--key-file", folder.path("guarded.key"), ...LISTEN], {
      COTERIE_TOKEN: token,
    });
    const asked = await others.open(`${guarded.ready.http}/`);
    await expect.poll(() => asked.getByRole("alert").innerText(), PATIENCE).toContain("asks for its token");
    expect(await asked.locator(".verdicts").count()).toBe(0);
    await asked.goto(`${guarded.ready.http}/join#token=${token}`);
    await expect.poll(() => told(asked), PATIENCE).toContain("Nobody else is in sight");
    expect(asked.url()).toBe(`${guarded.ready.http}/join`);
    await asked.goto(`${guarded.ready.http}/`);
    await expect.poll(() => asked.locator(".verdicts").innerText(), PATIENCE).toContain("Anyone here?");
    await asked.close();
    await guarded.kill("SIGTERM");
    // A refusal is an error on the console, and was to be expected.
    expect(others.complaints.splice(0).every((complaint) => complaint.includes("401"))).toBe(true);
  });

  it("let a tab be a peer: it learns, remembers after a reload, and is one tab at a time", async () => {
    for (const { context } of [tabs, others]) await context.addInitScript(watchTabToTab);
    tab = await tabs.open(`${hub.ready.http}/join`);
    await expect.poll(() => told(tab), PATIENCE).toContain("In the room with 1 other peer");
    // Before the first rating nobody is called anybody's kind.
    await expect.poll(() => told(tab), PATIENCE).toContain("Nobody can know yet");
    expect(await told(tab)).not.toMatch(/your kind|borrow/i);
    const like = tab.getByRole("button", { name: "Like it" });
    for (let k = 1; k <= 4; k++) {
      await tab.locator("h2#title").waitFor();
      await like.focus();
      await tab.keyboard.press(k % 2 === 0 ? "Enter" : `${1 + k}`);
      await expect.poll(() => told(tab), PATIENCE).toContain(`${k} rating${k === 1 ? "" : "s"} of your own`);
    }
    // Whoever rates with keys keeps their place.
    expect(await like.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await told(tab)).toContain("3 of your first 4 were hits");
    await tab.reload();
    await expect.poll(() => told(tab), PATIENCE).toContain("it remembered 4 when it was opened");
    const second = await tabs.open(`${hub.ready.http}/join`);
    await expect.poll(() => told(second), PATIENCE).toContain("Another tab of this browser");
    await second.close();
    await expect.poll(verdicts, PATIENCE).toContain("2 peers in 1 room");
  });

  it("two tabs and a peer on Node meet each other", async () => {
    const other = await others.open(`${hub.ready.http}/join`);
    for (const one of [tab, other])
      await expect.poll(() => told(one), PATIENCE).toContain("In the room with 2 other peers");
    await expect.poll(() => node.met.size, PATIENCE).toBe(2);
    // Both must have agreed: a connection that only one side believes in does not outlive the hub.
    const isTabToTab = (one: Page): Promise<boolean> =>
      one.evaluate(() => (globalThis as unknown as { isTabToTab: () => Promise<boolean> }).isTabToTab());
    for (const one of [tab, other]) await expect.poll(() => isTabToTab(one), PATIENCE).toBe(true);
    expect(tabs.complaints).toEqual([]);
    expect(others.complaints).toEqual([]);
  });

  it("when the hub is killed its page says so, the tabs go on with each other, and each alone with what it knows", async () => {
    await hub.kill("SIGKILL");
    await expect.poll(() => page.getByRole("alert").innerText(), PATIENCE).toContain("The hub does not answer");
    await expect.poll(() => told(tab), PATIENCE).toContain("In the room with 1 other peer;");
    const before = await meetings(tab);
    await expect.poll(() => meetings(tab), PATIENCE).toBeGreaterThan(before + 1);
    await others.close();
    await expect.poll(() => told(tab), PATIENCE).toContain("Nobody else is in sight");
    await tab.keyboard.press("5");
    await expect.poll(() => told(tab), PATIENCE).toContain("5 ratings of your own");
    await node.use(1);
    expect(node.own()).toBe(2);
  });
});
