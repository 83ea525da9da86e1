import { gzipSync } from "node:zlib";
import type * as entry from "@coterie/net/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hub, libp2p, startHub } from "../../net/src/index.ts";
import { type Browser, launch } from "../../net/src/testing/browser.ts";
import { bundle } from "../../net/src/testing/bundle.ts";
import type { webrtc } from "./index.ts";

/** Defined by the script that every tab begins with; `network` is the tab's own. */
declare const coterie: typeof entry & { webrtc: typeof webrtc };
declare global {
  var network: entry.Libp2pNetwork;
}

const LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];
const SCRIPT = 'export * from "@coterie/net/browser"; export { webrtc } from "@coterie/webrtc";';
const ROOM = { name: "tabs", agreement: "a".repeat(64) };

const executable = process.env.COTERIE_CHROMIUM;
let browser: Browser;
let hub: Hub;
let script: string;

/** Joins the room from a tab, and answers what it is asked with its bytes reversed. */
function join(page: Page): Promise<string> {
  const address = hub.addresses.find((it) => it.includes("/ws/"))!;
  return page.evaluate(
    async ([bootstrap, room]) => {
      const { libp2p, webrtc } = coterie;
      globalThis.network = await libp2p({ bootstrap: [bootstrap], transports: [webrtc()] })(room);
      globalThis.network.link.serve(async (_, message) => message.slice().reverse());
      return globalThis.network.self;
    },
    [address, ROOM] as const,
  );
}

/** Asks another peer from a tab; says whether the answer was right. */
const asks = (page: Page, to: string): Promise<boolean> =>
  page.evaluate(async (peer) => {
    const body = Uint8Array.from({ length: 200_000 }, (_, k) => (k * 31) & 255);
    const answer = await globalThis.network.link.request(peer, body);
    return answer.length === body.length && answer.every((byte, k) => byte === body[body.length - 1 - k]);
  }, to);

const alive = (page: Page): Promise<readonly string[]> => page.evaluate(() => globalThis.network.alive());

describe.skipIf(!executable)("tab to tab", () => {
  let pages: Page[];
  let names: string[];

  beforeAll(async () => {
    script = await bundle(SCRIPT, "iife");
    browser = await launch(executable!, script);
    hub = await startHub({ listen: LISTEN });
    pages = [await browser.tab(), await browser.tab()];
    names = [await join(pages[0]!), await join(pages[1]!)];
  });

  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  it("two tabs find each other through a hub, and then speak without it", async () => {
    const node = await libp2p({ listen: LISTEN.slice(0, 1), bootstrap: [...hub.addresses] })(ROOM);
    node.link.serve(async (_, message) => message.slice().reverse());
    for (const page of pages) await expect.poll(() => alive(page), { timeout: 20_000 }).toHaveLength(2);
    // While two tabs are still about to connect, a request may get no answer; the next one does.
    const answered = (page: Page, to: string) =>
      expect.poll(() => asks(page, to).catch(() => false), { timeout: 30_000 }).toBe(true);
    await answered(pages[0]!, names[1]!);
    await answered(pages[1]!, names[0]!);
    // With Node there is no other way than through the hub.
    await answered(pages[0]!, node.self);
    const direct = (page: Page) => page.evaluate(() => globalThis.network.directly().length);
    for (const page of pages) await expect.poll(() => direct(page), { timeout: 40_000 }).toBeGreaterThan(0);
    await node.close();
  });

  it("and go on when the hub is gone", async () => {
    const before = hub.counts().relayedBytes;
    for (let round = 0; round < 3; round++) expect(await asks(pages[0]!, names[1]!)).toBe(true);
    expect(hub.counts().relayedBytes - before).toBeLessThan(200_000);
    await hub.close();
    const end = Date.now() + 6000;
    // Longer than it takes to suspect somebody silent.
    while (Date.now() < end) {
      expect(await asks(pages[0]!, names[1]!)).toBe(true);
      expect(await asks(pages[1]!, names[0]!)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(await alive(pages[0]!)).toEqual([names[1]]);
    expect(await alive(pages[1]!)).toEqual([names[0]]);
  });

  it("with no request that leaves the machine, and nothing that went wrong unheard", () => {
    expect(browser.complaints).toEqual([]);
  });
});

describe("webrtc()", () => {
  it("keeps the whole under 220 kB, gzipped", async () => {
    const code = await bundle(SCRIPT);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(220_000);
  });
});
