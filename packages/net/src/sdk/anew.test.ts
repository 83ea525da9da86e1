import { dccb, kindred, Random } from "@coterie/core";
import { expect, it } from "vitest";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerOptions } from "./options.ts";
import type { RoomPeer } from "./roomPeer.ts";
import { TestClock } from "./testing/clock.ts";
import { articles, SCHEMA, type Schema, worth } from "./testing/room.ts";

const open = (options: Partial<PeerOptions<Schema>>): Promise<RoomPeer<Schema>> =>
  createPeer({
    room: "r",
    features: SCHEMA,
    policy: kindred(),
    tick: false,
    clock: new TestClock(),
    seed: 3,
    ...options,
  });

async function teach(peer: RoomPeer<Schema>, topic: "arts" | "sport", count: number): Promise<void> {
  const random = Random.seeded(count);
  for (let k = 0; k < count; k++) {
    const items = articles(random);
    await peer.observe(items, k % items.length, worth(topic, items[k % items.length]));
  }
}

it("a peer that starts anew counts nothing that it saw before, also after a crash", async () => {
  const disk = memoryDisk();
  const peer = await open({ store: memoryStore(disk) });
  await teach(peer, "arts", 40);
  expect(peer.state().own).toBe(40);
  await peer.startAnew();
  await teach(peer, "sport", 7);
  expect(peer.state().own).toBe(7);
  const again = await open({ store: memoryStore({ ...disk, pairs: new Map(disk.pairs), taken: false }) });
  expect(again.state().own).toBe(7);
});

it("a policy that cannot take back what it shared refuses, and goes on", async () => {
  const peer = await open({ policy: dccb() });
  await teach(peer, "arts", 5);
  await expect(peer.startAnew()).rejects.toThrow("change must be used with a policy that can restart: kindred");
  await teach(peer, "arts", 5);
  expect(peer.state().own).toBe(10);
});
