import { ConfigError } from "@coterie/core";
import { afterEach, describe, expect, it } from "vitest";
import { hubsInOrder } from "./hubOrder.ts";
import { type Hub, type HubOptions, type Libp2pNetwork, type Libp2pOptions, startHub } from "./index.ts";
import { roomDigest } from "./proof.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function hubHere(options: HubOptions = {}): Promise<Hub> {
  const hub = await startHub({ listen: LOCAL, ...options });
  open.push(hub);
  return hub;
}

/** The same name at every run, so that the same hub is the first of its list. */
const keyOf = (k: number): Uint8Array => new Uint8Array(32).fill(k + 1);

const addressesOf = (...hubs: readonly Hub[]): string[] => hubs.flatMap(({ addresses }) => addresses);

async function member(k: number, hubs: readonly string[], options: Libp2pOptions = {}): Promise<Libp2pNetwork> {
  const network = await join({ hubs, privateKey: keyOf(k), ...options });
  open.push(network);
  return network;
}

/** Hubs that know of each other. A port must be known before it is taken, so each is started twice. */
async function linkedHubs(): Promise<[Hub, Hub]> {
  const keys = [keyOf(100), keyOf(101)];
  const first = await Promise.all(keys.map((privateKey) => startHub({ listen: LOCAL, privateKey })));
  const hubs = first.flatMap(({ addresses }) => addresses);
  await Promise.all(first.map((hub) => hub.close()));
  const again = hubs.map((address, k) =>
    hubHere({ hubs, privateKey: keys[k]!, listen: [address.replace(/\/p2p\/.*/, "")] }),
  );
  return [await again[0]!, await again[1]!];
}

/** From now on each comes to know each, on a busy machine not all at one moment. */
async function met(...all: Libp2pNetwork[]): Promise<void> {
  const missing = new Map(all.map((a) => [a, new Set(all.filter((b) => b !== a).map(({ self }) => self))]));
  await until(() => {
    for (const [a, others] of missing) for (const peer of others) if (knows(a, peer)) others.delete(peer);
    return [...missing.values()].every(({ size }) => size === 0);
  }, "each has met each");
}

describe("a room with several hubs", () => {
  it("peers at different hubs find each other, because hubs tell each other of their guests, also of those who go", async () => {
    const [one, two] = await linkedHubs();
    const a = await member(0, addressesOf(one), { listen: [] });
    await until(() => two.counts().traded === 1, "the other hub has heard of it");
    const b = await member(1, addressesOf(two), { listen: [] });
    await met(a, b);
    expect(two.counts()).toMatchObject({ members: 1, traded: 1, hubs: 1, rooms: 1 });
    expect(await a.link.request(b.self, Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1));
    await a.abandon();
    await until(() => two.counts().traded === 0, "it has heard that it is gone");
  });

  it("peers spread over them, and when one dies nobody is lost and newcomers still come in", async () => {
    const [one, two] = await linkedHubs();
    const addresses = addressesOf(one, two);
    const first = ({ self }: Libp2pNetwork): string =>
      hubsInOrder(addresses, String(roomDigest(ROOM.name)), self)[0]![0]!;
    // Two listen nowhere, and are reached through a hub alone.
    const peers = await Promise.all([0, 1, 2, 3].map((k) => member(k, addresses, k % 2 === 0 ? { listen: [] } : {})));
    const homes = (hub: Hub): string[] =>
      peers.filter((peer) => first(peer) === hub.addresses[0]).map(({ self }) => self);
    const at = (hub: Hub): string[] => hub.members(10).map(({ peer }) => peer);
    expect([homes(one).length, homes(two).length]).not.toContain(0);
    // Where the first is slow to answer, the other one is asked as well.
    for (const hub of [one, two]) await until(() => homes(hub).every((peer) => at(hub).includes(peer)), "all are home");
    await met(...peers);
    await one.close();
    const newcomers = [await member(6, addresses, { listen: [] }), await member(7, addresses)];
    await until(() => [...peers, ...newcomers].every(({ self }) => at(two).includes(self)), "all are at the other hub");
    await met(...peers, ...newcomers);
  });

  it("a peer that one hub has no space for goes to the other", async () => {
    const [full, free] = [await hubHere({ limits: { members: 1 } }), await hubHere()];
    const first = await member(0, addressesOf(full));
    await until(() => full.counts().members === 1, "it is full");
    const others = await Promise.all([1, 2, 3, 4].map((k) => member(k, addressesOf(full, free))));
    await until(() => free.counts().members === 4, "the others are at the free one");
    await met(...others);
    expect(full.members(2).map(({ peer }) => peer)).toEqual([first.self]);
  });

  it("a hub hears only those it was told to", async () => {
    const one = await hubHere();
    // Whom it does not know is one that it knows nothing of.
    const two = await hubHere({ hubs: [...one.addresses] });
    const a = await member(0, addressesOf(two));
    await until(() => two.counts().members === 1, "it has something to tell");
    await until(() => one.counts().connections > 0, "it has come");
    expect([one.counts().traded, one.counts().hubs]).toEqual([0, 0]);
    expect(knows(a, one.self)).toBe(false);
    await expect(startHub({ hubs: ["/ip4/127.0.0.1/tcp/1"] })).rejects.toThrow(ConfigError);
    await expect(startHub({ hubs: ["/ip4/127.0.0.1/tcp/1"] })).rejects.toThrow("hubs[0] must end in /p2p/");
  });
});
