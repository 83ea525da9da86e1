import { kindred } from "@coterie/core";
import { afterEach, describe, expect, it } from "vitest";
import { vectors } from "../features/index.ts";
import { libp2p, startHub } from "../libp2p/index.ts";
import { LOCAL, until } from "../libp2p/testing/room.ts";
import { Places } from "../node/places.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { RoomPeer } from "./roomPeer.ts";

const features = vectors(2);
type Peer = RoomPeer<typeof features>;
const open: { close(): Promise<void> }[] = [];

async function start(disk: MemoryDisk, bootstrap: readonly string[]): Promise<Peer> {
  const network = libp2p({ listen: LOCAL, bootstrap });
  const peer = await createPeer({ room: "news", features, policy: kindred(), network, store: memoryStore(disk) });
  open.push(peer);
  return peer;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const allMet = (peers: readonly Peer[]): boolean =>
  peers.every((peer) => peer.state().alive.length === peers.length - 1);

describe("a restart while no hub is there", { timeout: 120_000 }, () => {
  it("peers that listen at any port find each other at the addresses of before", async () => {
    const hub = await startHub({ listen: LOCAL });
    const disks = Array.from({ length: 4 }, () => memoryDisk());
    const before = await Promise.all(disks.map((disk) => start(disk, hub.addresses)));
    await until(() => allMet(before), "all have met");
    // One that called all others may have been called by nobody: then it remembers them, and none of them remembers it.
    const names = before.map(({ self }) => self);
    await until(
      () => reaches(names, disks.map(placesOn)),
      "addresses are remembered that lead from each to every other",
    );
    await Promise.all(open.splice(0).map((one) => one.close()));
    await hub.close();
    const after = await Promise.all(disks.map((disk) => start(disk, hub.addresses)));
    await until(() => allMet(after), "all have met again");
    expect(after.map(({ self }) => self)).toEqual(before.map(({ self }) => self));
  });

  it("keeps ports by what is spoken there, the latest addresses first, and so many", () => {
    const places = new Places();
    expect(places.again("/ip4/0.0.0.0/tcp/0")).toBe("/ip4/0.0.0.0/tcp/0");
    expect(places.remember({ answered: ["/ip4/192.0.2.1/tcp/1"], own: ["/tcp/4001", "/tcp/4002/ws"] })).toBe(true);
    expect(places.remember({ answered: ["/ip4/192.0.2.1/tcp/1"], own: ["/tcp/4001", "/tcp/4002/ws"] })).toBe(false);
    expect(["/ip4/0.0.0.0/tcp/0", "/ip4/0.0.0.0/tcp/0/ws", "/ip6/::/tcp/7"].map((it) => places.again(it))).toEqual([
      ...["/ip4/0.0.0.0/tcp/4001", "/ip4/0.0.0.0/tcp/4002/ws", "/ip6/::/tcp/7"],
    ]);
    const many = Array.from({ length: 20 }, (_, k) => `/ip4/192.0.2.2/tcp/${k + 1}`);
    places.remember({ answered: many, own: [] });
    expect(places.answered).toEqual(many.slice(0, 16));
  });
});

/** Whether all of `names` hang together, where each knows those of `known` in its place. */
function reaches(names: readonly string[], known: readonly (readonly string[])[]): boolean {
  const found = new Set(names.slice(0, 1));
  for (let grew = true; grew; ) {
    const size = found.size;
    names.forEach((name, k) => {
      const near = [name, ...known[k]!];
      if (near.some((one) => found.has(one))) for (const one of near) found.add(one);
    });
    grew = found.size > size;
  }
  return names.every((name) => found.has(name));
}

/** The peer of every address in whatever was written, as it lies there. */
function placesOn(disk: MemoryDisk): string[] {
  const text = [...disk.pairs.values()]
    .map((bytes) => Buffer.from(bytes).toString("latin1").replaceAll("\0", ""))
    .join();
  return [...text.matchAll(/\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/(12D3[A-Za-z0-9]{48})/g)].map(([, peer]) => peer!);
}
