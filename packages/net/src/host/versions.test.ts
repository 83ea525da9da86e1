import { expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { gated } from "./testing/gated.ts";
import { held, live, open, pulled } from "./testing/records.ts";

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
