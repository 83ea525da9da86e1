import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../sha256.ts";
import type { Backend } from "./backend.ts";
import { durable } from "./durable.ts";
import { memoryBackend, memoryDisk, memoryStore } from "./memory.ts";
import { type Entry, STORE_LIMITS, type Store } from "./store.ts";
import { crash, type Fault, faulty, faultyStore } from "./testing/faults.ts";
import { entries, lengthOf, snapshotOf } from "./testing/history.ts";

/** A store on a new disk whose write of the given number goes wrong. The first write is the beginning itself. */
async function planned(fault: Fault, at: number) {
  const disk = memoryDisk();
  const store = faultyStore(disk, (write) => (write === at ? fault : null))();
  await store.open();
  await store.append(entries(0, 4));
  return { disk, store };
}

const restarted = async (disk: ReturnType<typeof memoryDisk>) => {
  crash(disk);
  const store = memoryStore(disk)();
  const told = await store.open();
  await store.close();
  return told;
};

describe("an append for later", () => {
  it("reaches the disk with the next call, in its order, and before the store closes", async () => {
    const disk = memoryDisk();
    const store = memoryStore(disk)();
    await store.open();
    const first = store.append(entries(0, 2), { later: true });
    await new Promise((resolve) => setTimeout(resolve));
    expect(store.size.entries).toBe(0);
    // One of nothing waits for it.
    await store.append([]);
    expect(store.size.entries).toBe(2);
    await first;
    const rest = [store.append(entries(2, 3), { later: true }), store.append(entries(3, 4))];
    await Promise.all(rest);
    const last = store.append(entries(4, 5), { later: true });
    await store.close();
    await last;
    expect((await store.open()).entries).toEqual(entries(0, 5));
  });

  it("is gone after a crash, with nothing of what came before", async () => {
    const disk = memoryDisk();
    const store = memoryStore(disk)();
    await store.open();
    await store.append(entries(0, 2));
    void store.append(entries(2, 4), { later: true });
    expect(lengthOf(await restarted(disk))).toBe(2);
  });
});

describe("a failed append", () => {
  it.each(["fail", "doubt"] as const)("(%s) is not there once a later one succeeds", async (fault) => {
    const { disk, store } = await planned(fault, 3);
    await expect(store.append(entries(100, 103))).rejects.toMatchObject({ name: "StoreError", reason: "failed" });
    expect(store.size.entries).toBe(4);
    await store.append(entries(4, 6));
    const told = await restarted(disk);
    expect(told.quarantined).toBeNull();
    expect(lengthOf(told)).toBe(6);
  });

  it("that arrived after all may be found by a restart", async () => {
    const { disk, store } = await planned("doubt", 3);
    await expect(store.append(entries(4, 6))).rejects.toThrow("made to doubt");
    expect(lengthOf(await restarted(disk))).toBe(6);
  });

  it("fails all that wait behind it, and none that come later", async () => {
    const { disk, store } = await planned("fail", 3);
    const first = store.checkpoint(snapshotOf(4));
    const behind = [store.append(entries(4, 5)), store.checkpoint(snapshotOf(5)), store.append(entries(5, 6))];
    await expect(first).rejects.toThrow("made to fail");
    for (const it of behind) await expect(it).rejects.toThrow("made to fail");
    await store.append(entries(4, 5));
    expect(lengthOf(await restarted(disk))).toBe(5);
  });

  it("that was torn is not written over: opening again recovers", async () => {
    const { disk, store } = await planned("tear", 3);
    await expect(store.append(entries(4, 8))).rejects.toThrow("made to tear");
    await expect(store.append(entries(4, 5))).rejects.toMatchObject({ reason: "damaged" });
    await store.close();
    const told = await store.open();
    expect(told.incarnation).toBe(2);
    expect(told.quarantined?.reason).toMatch(/^log record 8 /);
    // Two entries of the torn append arrived whole, and count for nothing without the others.
    expect(lengthOf(told)).toBe(4);
    await store.close();
    expect(disk.damaged.length).toBe(1);
  });
});

describe("a failed checkpoint", () => {
  it.each(["fail", "doubt"] as const)("(%s) loses nothing", async (fault) => {
    const { disk, store } = await planned(fault, 3);
    await expect(store.checkpoint(snapshotOf(4))).rejects.toThrow(`made to ${fault}`);
    await store.append(entries(4, 6));
    await store.checkpoint(snapshotOf(6));
    await store.append(entries(6, 7));
    const told = await restarted(disk);
    expect(told).toMatchObject({ incarnation: 1, quarantined: null, snapshot: snapshotOf(6) });
    expect(lengthOf(told)).toBe(7);
  });
});

it("erases even when the last write is in doubt", async () => {
  const { disk, store } = await planned("doubt", 3);
  await expect(store.append(entries(4, 6))).rejects.toThrow("made to doubt");
  await store.erase();
  expect(disk).toEqual(memoryDisk());
});

it("an erasure that fails gives the place back", async () => {
  const disk = memoryDisk();
  const stubborn: Backend = {
    ...faulty(memoryBackend(disk), () => null),
    erase: () => Promise.reject(new Error("no")),
  };
  const store = durable(stubborn, sha256);
  await store.open();
  await store.append(entries(0, 2));
  await expect(store.erase()).rejects.toThrow("no");
  await store.close();
  expect(lengthOf(await store.open())).toBe(2);
});

it("a log that nobody checkpoints is full one day, and a checkpoint helps", async () => {
  // Neither the disk nor the hash matter here, and so many of them would take their time.
  const backend = { ...faulty(memoryBackend(memoryDisk()), () => null), write: async () => {} };
  const digest = new Uint8Array(16);
  const store = durable(backend, () => digest);
  await store.open();
  const some = Array<Entry>(4000).fill({ kind: "e", body: new Uint8Array(0) });
  for (let n = 0; n < STORE_LIMITS.logEntries; n += some.length) await store.append(some);
  await expect(store.append(some.slice(0, 1))).rejects.toMatchObject({ name: "StoreError", reason: "log-full" });
  await store.checkpoint(new Uint8Array(1));
  await store.append(some);
  expect(store.size.entries).toBe(some.length);
});

it("a store whose first write fails can be opened later", async () => {
  const disk = memoryDisk();
  await expect(faultyStore(disk, () => "doubt")().open()).rejects.toThrow("made to doubt");
  await expect(faultyStore(disk, () => "fail")().open()).resolves.toMatchObject({ incarnation: 1, quarantined: null });
});

it("a crash is survived wherever it comes: all that was acknowledged is there, and nothing that was not meant", async () => {
  const fault = fc.constantFrom<(Fault | null)[]>(null, null, null, null, "fail", "doubt");
  const step = fc.constantFrom("append", "append", "checkpoint", "crash");
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 40 }), fc.array(step, { maxLength: 40 }), async (faults, steps) => {
      const disk = memoryDisk();
      let writes = 0;
      const factory = faultyStore(disk, () => faults[writes++] ?? null);
      let store: Store | null = null;
      /** Acknowledged, and what a failed append may have added to it. */
      let [least, most] = [0, 0];
      for (const it of [...steps, "crash"]) {
        if (store === null) {
          crash(disk);
          const next = factory();
          const told = await next.open().catch(() => null);
          if (told === null) continue;
          store = next;
          const length = lengthOf(told);
          expect(told).toMatchObject({ incarnation: 1, quarantined: null });
          expect(length).toBeGreaterThanOrEqual(least);
          expect(length).toBeLessThanOrEqual(most);
          [least, most] = [length, length];
        }
        const size = 1 + (writes % 4);
        const done = (write: Promise<void>) =>
          write.then(
            () => true,
            () => false,
          );
        if (it === "crash") store = null;
        else if (it === "checkpoint") await done(store.checkpoint(snapshotOf(least)));
        else if (await done(store.append(entries(least, least + size)))) [least, most] = [least + size, least + size];
        else most = Math.max(most, least + size);
      }
    }),
    { numRuns: 500 },
  );
});
