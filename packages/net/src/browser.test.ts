import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type * as entry from "./browser.ts";
import { createPeer, dccb, flag, type Hub, libp2p, oneHot, type RoomPeer, startHub } from "./index.ts";
import { Driver } from "./libp2p/driver.ts";
import { type Browser, launch } from "./testing/browser.ts";
import { bundle } from "./testing/bundle.ts";

/** Defined by the script that every tab begins with; `peer` is the tab's own. */
declare const coterie: typeof entry;
declare global {
  var peer: RoomPeer<ReturnType<typeof features>>;
}

const features = () => ({ topic: oneHot(["sport", "arts", "tech"]), fresh: flag() });
const LISTEN = ["/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/tcp/0/ws"];
const privateKey = new Uint8Array(32).fill(21);
const roomKey = "correct horse battery staple";
const room = "front-page";

const executable = process.env.COTERIE_CHROMIUM;
let browser: Browser;
let hub: Hub;
let peers: RoomPeer<ReturnType<typeof features>>[];

/** Opens the tab's peer; gives its name, or the name of the error. */
function join(page: Page): Promise<string> {
  const address = hub.addresses.find((it) => it.includes("/ws/"))!;
  return page.evaluate(
    async ([bootstrap, name, key]) => {
      const { createPeer, dccb, libp2p, indexed, oneHot, flag } = coterie;
      try {
        globalThis.peer = await createPeer({
          room: name!,
          features: { topic: oneHot(["sport", "arts", "tech"]), fresh: flag() },
          policy: dccb(),
          network: libp2p({ bootstrap: [bootstrap!], roomKey: key! }),
          store: indexed(name!),
          tick: { periodMs: 300 },
        });
        return globalThis.peer.self;
      } catch (error) {
        return (error as Error).name;
      }
    },
    [address, room, roomKey],
  );
}

const state = (page: Page) => page.evaluate(() => globalThis.peer.state());

/** Chooses and learns so many times. */
const learn = (page: Page, times: number): Promise<void> =>
  page.evaluate(async (count) => {
    const items = (["sport", "arts", "tech"] as const).map((topic) => ({ topic, fresh: topic === "arts" }));
    for (let k = 0; k < count; k++) {
      const choice = globalThis.peer.choose(items);
      await choice.reward(choice.item.topic === "arts" ? 1 : 0);
    }
  }, times);

describe.skipIf(!executable)("a tab as a peer", () => {
  let page: Page;
  let self: string;

  beforeAll(async () => {
    browser = await launch(executable!, await bundle('export * from "@coterie/net/browser";', "iife"));
    hub = await startHub({ listen: LISTEN, privateKey });
    const network = () => libp2p({ listen: LISTEN.slice(0, 1), bootstrap: [...hub.addresses], roomKey });
    const join = () =>
      createPeer({ room, features: features(), policy: dccb(), network: network(), tick: { periodMs: 300 } });
    peers = await Promise.all([join(), join()]);
    page = await browser.tab();
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([...(peers ?? []).map((peer) => peer.close()), hub?.close()]);
  });

  it("joins a room of Node peers over a hub's WebSocket, and exchanges with them", async () => {
    self = await join(page);
    expect(self).toMatch(/^12D3/);
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
    await learn(page, 20);
    await expect.poll(() => page.evaluate(() => globalThis.peer.state().exchanges.mix ?? 0)).toBeGreaterThan(3);
    expect(peers.every((peer) => peer.state().alive.includes(self))).toBe(true);
    expect(peers.every((peer) => (peer.state().exchanges.mix ?? 0) > 0)).toBe(true);
  });

  it("refuses a second tab of the same store, and goes on itself", async () => {
    const second = await browser.tab();
    expect(await join(second)).toBe("StoreBusy");
    await second.close();
    await learn(page, 1);
    expect((await state(page)).own).toBe(21);
  });

  it("closed and opened again it is who it was, and remembers", async () => {
    const before = await state(page);
    await page.evaluate(() => globalThis.peer.close());
    await page.reload();
    expect(await join(page)).toBe(self);
    const after = await state(page);
    expect(after.own).toBe(before.own);
    expect(after.round).toBeGreaterThanOrEqual(before.round);
    expect(after.incarnation).toBe(1);
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
  });

  it("put aside by the browser it says goodbye, though its sockets are open; shown again it goes on", async () => {
    const turn = (kind: "pagehide" | "pageshow"): Promise<boolean> =>
      page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), kind);
    const knowIt = (): boolean[] => peers.map((peer) => peer.state().alive.includes(self));
    await expect.poll(knowIt).toEqual([true, true]);
    const { connections } = hub.counts();
    await turn("pagehide");
    await expect.poll(knowIt).toEqual([false, false]);
    expect(hub.counts().connections).toBe(connections);
    await turn("pageshow");
    await expect.poll(knowIt).toEqual([true, true]);
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
  });

  it("a tab whose user goes elsewhere says goodbye while it still can", async () => {
    const heard = vi.spyOn(Driver.prototype, "tell");
    // Sockets outlive the word by a moment here. Where they do not, their end says as much; over WebRTC it may take half a minute.
    await page.evaluate(() => {
      addEventListener("pagehide", () => {
        const end = performance.now() + 2000;
        while (performance.now() < end);
      });
    });
    await page.goto("about:blank");
    await expect.poll(() => heard.mock.calls.flat()).toContainEqual({ kind: "goodbye", peer: self });
    await expect.poll(() => peers.map((peer) => peer.state().alive.includes(self))).toEqual([false, false]);
    heard.mockRestore();
    await page.goto(browser.origin);
    expect(await join(page)).toBe(self);
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
  });

  it("a tab that dies without a word leaves the store intact and free", async () => {
    await learn(page, 5);
    await page.close();
    page = await browser.tab();
    await expect.poll(() => join(page)).toBe(self);
    expect((await state(page)).own).toBe(26);
  });

  it("without its hub it still chooses and knows that it is alone; when the hub is back, so are the others", async () => {
    const addresses = [...hub.addresses];
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
    await hub.close();
    await expect.poll(async () => (await state(page)).alive.length).toBe(0);
    await learn(page, 3);
    expect((await state(page)).own).toBe(29);
    // Those who reach each other without it have not noticed.
    await expect.poll(() => peers.map((peer) => peer.state().alive.length)).toEqual([1, 1]);
    hub = await startHub({ listen: addresses.map((it) => it.replace(/\/p2p\/.*/, "")), privateKey });
    await expect.poll(async () => (await state(page)).alive.length).toBe(2);
    const mixed = async (): Promise<number> => (await state(page)).exchanges.mix ?? 0;
    const before = await mixed();
    await expect.poll(mixed).toBeGreaterThan(before);
  });

  it("chooses where the page's policy forbids WebAssembly too", async () => {
    const strict = await browser.tab();
    const told = await strict.evaluate(async () => {
      const policy = document.createElement("meta");
      policy.httpEquiv = "Content-Security-Policy";
      policy.content = "script-src 'self'";
      document.head.append(policy);
      const refused = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).catch((e) => e.name);
      const { createPeer, dccb, vectors } = coterie;
      const peer = await createPeer({ room: "strict", features: vectors(20), policy: dccb(), tick: false });
      const items = Array.from({ length: 10 }, (_, k) => Array.from({ length: 20 }, (_, i) => (i === k ? 0.5 : 0)));
      return { refused, index: peer.choose(items).index };
    });
    expect(told).toEqual({ refused: "CompileError", index: 0 });
    await strict.close();
  });

  it("needs nothing from outside this machine, and nothing went wrong unheard", () => {
    expect(browser.complaints).toEqual([]);
  });
});

describe("what a page may dial", () => {
  it.each([
    ["/dns4/hub.example/tcp/443/wss", true],
    ["/ip4/203.0.113.9/tcp/443/tls/ws", true],
    ["/ip4/127.0.0.1/tcp/4002/ws", true],
    ["/ip6/::1/tcp/4002/ws", true],
    ["/dns4/hub.localhost/tcp/4002/ws", true],
    ["/dns4/hub.example/tcp/80/ws", false],
    ["/ip4/192.168.1.7/tcp/443/wss", false],
    ["/ip4/10.0.0.1/tcp/4002/ws", false],
    ["/ip6/fd00::1/tcp/443/wss", false],
    ["/ip4/127.0.0.1/tcp/4001", false],
    ["nonsense", false],
  ])("%s: %s", async (address, may) => {
    const { mayDialFromPage } = await import("./libp2p/gate.ts");
    expect(mayDialFromPage(address, false)).toBe(may);
  });

  it("an app's own address that it may not is told of at once", async () => {
    const { libp2p } = await import("./browser.ts");
    expect(() => libp2p({ bootstrap: ["/ip4/127.0.0.1/tcp/4001"] })).toThrow(/bootstrap\[0\].*WebSocket/);
    expect(() => libp2p({ bootstrap: ["/ip4/10.0.0.1/tcp/4001/ws"] })).toThrow(/bootstrap\[0\].*insecure/);
    expect(() => libp2p({ bootstrap: ["/ip4/10.0.0.1/tcp/4001/ws"], insecure: true })).not.toThrow();
  });
});
