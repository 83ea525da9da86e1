import { gzipSync } from "node:zlib";
import type * as entry from "@coterie/net/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createPeer,
  type Hub,
  type Libp2pNetwork,
  libp2p,
  number,
  type PeerEvent,
  startHub,
} from "../../net/src/index.ts";
import { type Browser, launch } from "../../net/src/testing/browser.ts";
import { bundle, scripts } from "../../net/src/testing/bundle.ts";
import type { webrtc } from "./index.ts";

/** Defined by the script that every tab begins with; `network` is the tab's own, `met` whom its peer exchanged with. */
declare const coterie: typeof entry & { webrtc: typeof webrtc };
declare global {
  var network: entry.Libp2pNetwork;
  var met: Record<string, number>;
}

const LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];
const SCRIPT = 'export * from "@coterie/net/browser"; export { webrtc } from "@coterie/webrtc";';
const ROOM = "tabs";
const TICK_MS = 250;
const PATIENCE = { timeout: 120_000 };

/** A real peer in a tab. */
function join(page: Page, bootstrap: string): Promise<string> {
  return page.evaluate(
    async ([address, room, periodMs]) => {
      const { createPeer, libp2p, number, webrtc } = coterie;
      globalThis.met = {};
      await createPeer({
        room,
        features: { size: number(0, 1) },
        network: async (joined) => {
          globalThis.network = await libp2p({ bootstrap: [address], transports: [webrtc()] })(joined);
          return globalThis.network;
        },
        tick: { periodMs },
        onEvent: (event) => {
          if (event.kind === "exchange" && (event.verdict === "mix" || event.verdict === "keep"))
            globalThis.met[event.partner] = (globalThis.met[event.partner] ?? 0) + 1;
        },
      });
      return globalThis.network.self;
    },
    [bootstrap, ROOM, TICK_MS] as const,
  );
}

const executable = process.env.COTERIE_CHROMIUM;

describe.skipIf(!executable)("two tabs and a peer on Node", { timeout: 120_000 }, () => {
  let browser: Browser;
  let hub: Hub;
  let pages: Page[];
  let names: string[];
  let node: { close(): Promise<void> };
  let network: Libp2pNetwork;
  const nodeMet: Record<string, number> = {};

  /** Whom each of the three exchanged with, how often, in the order of `names`. */
  const met = async (): Promise<Record<string, number>[]> => [
    ...(await Promise.all(pages.map((page) => page.evaluate(() => globalThis.met)))),
    { ...nodeMet },
  ];
  /** Whether each has had so many exchanges more with each other one. */
  const metSince = async (before: readonly Record<string, number>[], more: number): Promise<boolean> =>
    (await met()).every((mine, k) =>
      names.every((name) => name === names[k] || (mine[name] ?? 0) >= (before[k]?.[name] ?? 0) + more),
    );

  beforeAll(async () => {
    browser = await launch(executable!, await bundle(SCRIPT, "iife"));
    hub = await startHub({ listen: LISTEN });
    const heard = (event: PeerEvent): void => {
      if (event.kind === "exchange" && (event.verdict === "mix" || event.verdict === "keep"))
        nodeMet[event.partner] = (nodeMet[event.partner] ?? 0) + 1;
    };
    node = await createPeer({
      room: ROOM,
      features: { size: number(0, 1) },
      // A tab can dial no TCP; a WebSocket it can, and then needs no hub to reach this peer.
      network: async (joined) => {
        network = await libp2p({ listen: LISTEN, bootstrap: [...hub.addresses] })(joined);
        return network;
      },
      tick: { periodMs: TICK_MS },
      onEvent: heard,
    });
    pages = [await browser.tab(), await browser.tab()];
    const address = hub.addresses.find((it) => it.includes("/ws/"))!;
    names = [await join(pages[0]!, address), await join(pages[1]!, address), network!.self];
  });

  afterAll(async () => {
    await browser?.close();
    await node?.close();
    await hub?.close();
  });

  it("find each other through a hub, exchange, and then need it no more", async () => {
    await expect.poll(() => metSince([], 1), PATIENCE).toBe(true);
    const direct = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.network.directly().sort());
    const others = names.map((name) => names.filter((other) => other !== name).sort());
    // Two that call each other at once have two connections, and close one: only what lasts can do without the hub.
    const settled = async (): Promise<unknown> => {
      const seen: unknown[] = [];
      for (let looks = 0; looks < 4; looks++) {
        seen.push(await Promise.all(pages.map(direct)));
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return seen;
    };
    await expect.poll(settled, PATIENCE).toEqual(Array.from({ length: 4 }, () => others.slice(0, pages.length)));
  });

  it("and go on when the hub is gone", async () => {
    await hub.close();
    // Longer than it takes to suspect somebody silent.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const before = await met();
    await expect.poll(() => metSince(before, 3), PATIENCE).toBe(true);
    for (const [k, page] of pages.entries()) {
      const alive = await page.evaluate(() => globalThis.network.alive());
      expect(alive).toEqual(names.filter((name) => name !== names[k]).sort());
    }
  });

  it("with no request that leaves the machine, and nothing that went wrong unheard", () => {
    expect(browser.complaints).toEqual([]);
  });
});

describe("webrtc()", () => {
  it("keeps the whole under 279 kB, gzipped", async () => {
    const { first, later } = await scripts(SCRIPT);
    const code = first + later;
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(279_000);
  });
});
