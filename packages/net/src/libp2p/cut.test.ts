import { afterAll, expect, it } from "vitest";
import { type Hub, type Libp2pNetwork, startHub } from "./index.ts";
import { join, LOCAL, until } from "./testing/room.ts";

const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

const ping = Uint8Array.of(1, 2, 3);

it("a network that is cut in two becomes two, the hub on one side, and one again when it is healed", async () => {
  const hub: Hub = await startHub({ listen: LOCAL });
  const all: Libp2pNetwork[] = [];
  open.push(hub);
  for (let k = 0; k < 4; k++) {
    all.push(await join({ bootstrap: hub.addresses }));
    open.push(all[k]!);
  }
  const [a, b, c, d] = all as [Libp2pNetwork, Libp2pNetwork, Libp2pNetwork, Libp2pNetwork];
  await until(() => all.every((one) => one.alive().length === 3), "all know all");
  await a.link.request(d.self, ping);
  const beyond = new Set([c.self, d.self]);
  for (const one of all) one.cut((peer) => beyond.has(peer) !== beyond.has(one.self));
  // At once: nothing passes, whoever asks. And those who are not heard any more are soon not believed alive.
  await expect(a.link.request(d.self, ping)).rejects.toThrow();
  await expect(d.link.request(a.self, ping)).rejects.toThrow();
  expect(await c.link.request(d.self, ping)).toEqual(Uint8Array.of(3, 2, 1));
  const sees = (one: Libp2pNetwork, other: Libp2pNetwork): boolean => one.alive().join() === other.self;
  const halved = (): boolean => sees(a, b) && sees(b, a) && sees(c, d) && sees(d, c);
  await until(halved, "each half sees itself alone");
  // To d alone: twice where both dialled at the same time.
  expect([1, 2]).toContain(c.connections);
  for (const one of all) one.cut(() => false);
  await until(() => all.every((one) => one.alive().length === 3), "all know all again");
  expect(await d.link.request(a.self, ping)).toEqual(Uint8Array.of(3, 2, 1));
});
