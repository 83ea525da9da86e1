import type { PeerRecord } from "@coterie/core/internal";
import { expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { gated } from "./testing/gated.ts";
import { held, live, open, pulled } from "./testing/records.ts";
import { tampering } from "./testing/tampering.ts";

it("a version that a crash can still undo is told to nobody, so no version has two contents", async () => {
  const network = new MemoryNetwork();
  const disk = memoryDisk();
  const store = memoryStore(disk)();
  const gate = gated(store);
  const origin = await open(network, "a", { store });
  const reader = await open(network, "b");
  await live(origin, 2);
  await reader.tick("a");
  const [{ version }] = [...held(reader).values()];
  // An observation makes a new version, and the disk takes its time.
  gate.open = new Promise(() => {});
  void origin.observe(Float64Array.of(0.1, 0.2, 0.3), 0.5);
  expect(held(origin).get(origin.origin!)!.version).toBe(version + 1);
  void reader.tick("a");
  await new Promise((resolve) => setImmediate(resolve));
  expect(held(reader).get(origin.origin!)!.version).toBe(version);
  // The power fails before it is written: the next one of that number has something else in it.
  const again = await open(network, "a", { disk: pulled(disk) });
  await live(again, 1, 9);
  const second = held(again).get(again.origin!)!;
  expect(second.version).toBe(version + 1);
  const other = await open(network, "c");
  await other.tick("a");
  expect(held(other).get(again.origin!)).toMatchObject({ version: second.version, count: second.count });
});

it("an answer without one's own record waits for nobody's disk", async () => {
  const network = new MemoryNetwork();
  const store = memoryStore()();
  const silent = await open(network, "a", { store });
  const reader = await open(network, "b");
  store.append = () => new Promise(() => {});
  void silent.tick(null);
  expect(await reader.tick("a")).toBe("mix");
});

/** A peer that told a reader something, and a copy of its disk of before that. */
async function copied(network: MemoryNetwork) {
  const disk = memoryDisk();
  const origin = await open(network, "a", { disk });
  await live(origin, 2);
  await origin.close();
  const copy = pulled(disk);
  const first = await open(network, "a", { disk: pulled(disk) });
  await live(first, 3);
  const reader = await open(network, "b");
  await reader.tick("a");
  await first.close();
  return { copy, reader, told: held(reader).get(origin.origin!)! };
}

it("a copy of the disk that is started again publishes above all that was told before, so nobody takes it for a cheat", async () => {
  const network = new MemoryNetwork();
  const { copy, reader, told } = await copied(network);
  const again = await open(network, "a", { disk: copy, now: () => 1_780_000_000_000 });
  await live(again, 9, 7);
  expect(await reader.tick("a")).toBe("mix");
  expect(held(reader).get(told.origin)!.version).toBeGreaterThan(told.version + 1000);
  expect(reader.violations.size).toBe(0);
});

it("a peer that tells two things under one version is caught by their signatures, dropped, and told of", async () => {
  const network = new MemoryNetwork();
  const { copy, reader, told } = await copied(network);
  // Without a clock nothing can be skipped: this is what a cheat would send.
  const cheat = await open(network, "a", { disk: copy });
  await live(cheat, 3, 7);
  let other: PeerRecord[] = [];
  const relay = await open(network, "r", { link: tampering(network.link("r"), () => other) });
  await relay.tick("a");
  other = [held(relay).get(told.origin)!];
  expect(other[0]!.version).toBe(told.version);
  expect(await reader.tick("r")).toBe("mix");
  expect(Object.fromEntries(reader.violations)).toEqual({ equivocation: 1 });
  expect(held(reader).has(told.origin)).toBe(false);
  // Who asks the reader learns of it.
  await relay.tick("b");
  expect(Object.fromEntries(relay.violations)).toEqual({ equivocation: 1 });
  expect(held(relay).has(told.origin)).toBe(false);
});
