import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindred, Random, solo } from "@coterie/core";
import { afterAll, describe, expect, it } from "vitest";
import { libp2p } from "../libp2p/index.ts";
import { memory } from "../link/memoryRoom.ts";
import { folderStore } from "../store/folder/folder.ts";
import { createPeer } from "./createPeer.ts";
import { articles, read, SCHEMA, TestRoom } from "./testing/room.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-identity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LISTEN = { listen: ["/ip4/127.0.0.1/tcp/0"] };
const options = { room: "r", features: SCHEMA, policy: solo(), tick: false } as const;

describe("a name", () => {
  it("lasts as long as the store, whatever was written meanwhile, and goes with it", async () => {
    const store = folderStore(join(folder, "peer"));
    const open = () => createPeer({ ...options, store, network: libp2p(LISTEN) });
    const first = await open();
    const { self } = first;
    expect(self).toMatch(/^12D3KooW/);
    const offered = articles(Random.seeded(1));
    // Beyond two snapshots: the log's beginning is gone by then.
    for (let k = 0; k < 300; k++) await first.choose(offered).reward(1);
    await first.close();
    const second = await open();
    expect(second.state()).toMatchObject({ self, own: 300 });
    await second.forget();
    const third = await open();
    expect(third.self).not.toBe(self);
    await third.close();
  });

  it("is drawn anew for every store, and is the origin of its records", async () => {
    const room = new TestRoom(kindred());
    const peers = [await room.open("a1"), await room.open("a2")];
    const origins = peers.map((peer) => peer.state().origin!);
    expect(new Set(origins).size).toBe(2);
    for (const origin of origins) expect(origin).toMatch(/^12D3KooW/);
    await read(room, 30, () => "arts");
    expect(peers[0].state().lenders).toEqual([origins[1]]);
    await room.close();
  });

  it("is that of the room too, where nobody gave another", async () => {
    const room = new TestRoom();
    const peer = await createPeer({ ...options, network: memory(room.network) });
    expect(peer.self).toMatch(/^12D3KooW/);
    await peer.close();
  });
});
