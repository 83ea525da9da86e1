import type { PeerRecord } from "@coterie/core/internal";
import { expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import type { HostEvent } from "../node/event.ts";
import { memoryDisk } from "../store/memory.ts";
import { held, live, open, pulled } from "./testing/records.ts";
import { tampering } from "./testing/tampering.ts";

const ARM = Float64Array.of(0.2, 0.1, 0);

/** a has lost all that it saw after its tenth observation; b holds a record of more than that. */
async function lossy(change: (records: readonly PeerRecord[]) => readonly PeerRecord[] = (records) => records) {
  const network = new MemoryNetwork();
  const disk = memoryDisk();
  const before = await open(network, "a", { disk });
  const b = await open(network, "b", { link: tampering(network.link("b"), change) });
  await live(before, 10);
  const stale = pulled(disk);
  await live(before, 30, 2);
  await b.tick("a");
  const record = held(b).get(before.origin!)!;
  expect(record.count).toBeGreaterThan(30);
  const told: HostEvent[] = [];
  const options = { disk: stale, onEvent: (event: HostEvent) => told.push(event), now: () => 5000 };
  const a = await open(network, "a", options);
  // As after a repair.
  await a.renew(100);
  return { network, b, record, stale, told, options, a };
}

it("what was seen since the loss is added; rewards of before it count once; all of it survives a restart", async () => {
  const { network, a, b, record, told, options, stale } = await lossy();
  await a.lost();
  expect(a.lostAt).toBe(5000);
  for (let k = 0; k < 3; k++) await a.observe(ARM, 0.1 * k);
  for (let k = 0; k < 2; k++) await a.observe(ARM, 0.5, [], true);
  expect(a.peer.learner.view.own).toBe(15);
  // Another start in between changes nothing.
  const again = await open(network, "a", { ...options, disk: pulled(stale) });
  await again.tick("b");
  expect(again.peer.learner.view.own).toBe(record.count + 3);
  expect(told).toContainEqual({ kind: "regained", own: record.count + 3, before: 15 });
  expect(held(again).get(again.origin!)).toMatchObject({ count: record.count + 3 });
  expect(held(again).get(again.origin!)!.version).toBeGreaterThan(record.version);
  // Its own later records come back too: they hold nothing that it lacks.
  await live(again, 40, 7);
  await b.tick("a");
  expect(held(b).get(again.origin!)!.count).toBeGreaterThan(record.count + 3);
  await again.tick("b");
  expect(again.peer.learner.view.own).toBe(record.count + 43);
});

it("a loss is in snapshots too; without one nobody is asked", async () => {
  const { network, a, record, options, stale } = await lossy();
  await a.tick("b");
  expect(a.peer.learner.view.own).toBe(10);
  await a.lost();
  const disk = pulled(stale);
  await live(await open(network, "a", { ...options, disk, snapshotEvery: 2 }), 6, 3);
  const last = await open(network, "a", { ...options, disk: pulled(disk) });
  expect(last.lostAt).toBe(5000);
  await last.tick("b");
  expect(last.peer.learner.view.own).toBe(record.count + 6);
});

it("a record that this peer did not sign changes nothing, and is held against who brought it", async () => {
  const longer = (record: PeerRecord): PeerRecord => {
    const body = record.body.slice();
    body[2 + record.origin.length]! ^= 2;
    return { ...record, body };
  };
  const { a } = await lossy((records) => records.map(longer));
  await a.lost();
  expect(await a.tick("b")).toBeNull();
  expect(a.peer.learner.view.own).toBe(10);
  expect(Object.fromEntries(a.violations)).toEqual({ forged: 1 });
  expect(a.lostAt).toBe(5000);
});

it("who has asked enough partners in vain asks no more", async () => {
  const { a } = await lossy((records) => records.filter(({ origin }) => origin !== a.origin));
  await a.lost();
  for (let k = 0; k < 40; k++) await a.tick("b");
  expect(a.lostAt).toBeNull();
  expect(a.peer.learner.view.own).toBe(10);
});
