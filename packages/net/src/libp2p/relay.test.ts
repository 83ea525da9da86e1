import { afterEach, describe, expect, it } from "vitest";
import { type Hub, type HubOptions, type Libp2pNetwork, type Libp2pOptions, startHub } from "./index.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";

const open: { close(): Promise<void> }[] = [];

async function hubHere(options: HubOptions = {}): Promise<Hub> {
  const hub = await startHub({ listen: [...LOCAL, `${LOCAL[0]}/ws`], ...options });
  open.push(hub);
  return hub;
}

async function member(options: Libp2pOptions): Promise<Libp2pNetwork> {
  const network = await join(options, ROOM);
  open.push(network);
  return network;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const body = Uint8Array.from({ length: 300_000 }, (_, k) => (k * 31) & 255);
const reversed = Buffer.from(body.slice().reverse());

async function asks(from: Libp2pNetwork, to: Libp2pNetwork): Promise<void> {
  expect(reversed.equals(await from.link.request(to.self, body))).toBe(true);
}

const overWebSockets = (hub: Hub): string[] => hub.addresses.filter((address) => address.includes("/ws/"));
const overTcp = (hub: Hub): string[] => hub.addresses.filter((address) => !address.includes("/ws/"));

async function met(...all: Libp2pNetwork[]): Promise<void> {
  await until(() => all.every((a) => all.every((b) => a === b || knows(a, b.self))), "all know all");
}

describe("WebSockets on Node", () => {
  it("a peer listens on one, another dials it", async () => {
    const a = await member({ listen: [`${LOCAL[0]}/ws`] });
    expect(a.addresses().every((address) => address.includes("/ws/"))).toBe(true);
    const b = await member({ listen: [], bootstrap: a.addresses() });
    await met(a, b);
    await asks(b, a);
    await asks(a, b);
  });
});

describe("through a hub", () => {
  it("two peers that listen nowhere exchange, and one that listens reaches them", async () => {
    const hub = await hubHere();
    const a = await member({ listen: [], bootstrap: overWebSockets(hub) });
    const b = await member({ listen: [], bootstrap: overTcp(hub) });
    await met(a, b);
    expect(a.addresses().every((address) => address.includes("/p2p-circuit/"))).toBe(true);
    await asks(a, b);
    await asks(b, a);
    const c = await member({ bootstrap: overTcp(hub) });
    await met(a, b, c);
    await asks(c, a);
    expect(hub.counts()).toMatchObject({ members: 3, reservations: 3 });
    expect(hub.counts().relayedBytes).toBeGreaterThan(2 * body.length);
    await a.close();
    await until(() => hub.counts().reservations === 2, "the slot is free again");
  });

  it("goes on after the hub was started anew, by itself", async () => {
    const privateKey = new Uint8Array(32).fill(11);
    const hub = await hubHere({ privateKey });
    const bootstrap = [...hub.addresses];
    const [a, b] = [await member({ listen: [], bootstrap }), await member({ listen: [], bootstrap })];
    await met(a, b);
    await hub.close();
    await until(() => !knows(a, b.self) && !knows(b, a.self), "they lose each other");
    const listen = bootstrap.map((address) => address.replace(/\/p2p\/.*/, ""));
    const again = await hubHere({ privateKey, listen });
    await until(() => again.counts().reservations === 2, "both have a slot again");
    await met(a, b);
    await asks(a, b);
  });

  it("peers that reach each other do without it when it is gone", async () => {
    const hub = await hubHere();
    const bootstrap = overTcp(hub);
    const [a, b, c] = [await member({ bootstrap }), await member({ bootstrap }), await member({ bootstrap })];
    await met(a, b, c);
    await hub.close();
    const before = Date.now();
    await until(() => Date.now() - before > 6000, "anybody silent would be suspected");
    await met(a, b, c);
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const) {
      await asks(from, to);
    }
  });

  it("relays for nobody who does not meet others there", async () => {
    const hub = await hubHere({ rooms: [{ name: "another" }] });
    const stranger = await member({ listen: [], bootstrap: [...hub.addresses] });
    await until(() => (hub.counts().violations.get("another-room") ?? 0) > 0, "it is refused");
    expect(stranger.addresses()).toEqual([]);
    expect(hub.counts().reservations).toBe(0);
  });
});
