import { multiaddr } from "@multiformats/multiaddr";
import { expect, it } from "vitest";
import { Names } from "./names.ts";
import { createNode } from "./node.ts";
import { checkOptions } from "./options.ts";
import { LOCAL } from "./testing/room.ts";

const ZONE: Record<string, readonly string[]> = {
  "hub.example": ["203.0.113.7", "2001:db8::7"],
  "inside.example": ["192.168.1.7"],
  "both.example": ["203.0.113.7", "127.0.0.1"],
  "home.example": ["10.0.0.1"],
};

it("a name of somebody else that leads to a private host is not dialled", async () => {
  const names = new Names([multiaddr("/dns4/home.example/tcp/443/wss")], async (host) => {
    const found = ZONE[host];
    if (found === undefined) throw new Error("ENOTFOUND");
    return found.map((address) => ({ address }));
  });
  const denied = async (address: string): Promise<boolean> => names.denies(multiaddr(address));
  expect(await Promise.all(Object.keys(ZONE).map((host) => denied(`/dns4/${host}/tcp/443/wss`)))).toEqual([
    ...[false, true, true, false],
  ]);
  expect(await Promise.all(["/dns/nowhere.example/tcp/1", "/ip4/10.0.0.1/tcp/1"].map(denied))).toEqual([false, false]);
});

it("a node asks before it dials, unless its app gave the name", async () => {
  const there = await createNode(checkOptions({ listen: LOCAL }), "a");
  const port = /tcp\/(\d+)/.exec(there.libp2p.getMultiaddrs()[0]!.toString())![1];
  const address = `/dns4/localhost/tcp/${port}`;
  const wary = await createNode(checkOptions({ listen: [] }), "b");
  const told = await createNode(checkOptions({ listen: [], bootstrap: [address] }), "c");
  try {
    await expect(wary.libp2p.dial(multiaddr(address))).rejects.toThrow("denied");
    expect((await told.libp2p.dial(multiaddr(address))).status).toBe("open");
  } finally {
    await Promise.all([there, wary, told].map(({ libp2p }) => libp2p.stop()));
  }
});
