import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../sha256.ts";
import { logKey, snapshotKey } from "./backend.ts";
import { type MemoryDisk, memoryDisk, memoryStore } from "./memory.ts";
import { LINK_BYTES } from "./record.ts";
import type { Recovered } from "./store.ts";
import { entries, lengthOf, snapshotOf } from "./testing/history.ts";

/**
 * A store with two snapshots and a log behind each:
 *
 *     record   1 beginning | 2..6 | snapshot 6 | 7..11 | snapshot 11 | 12..14
 *     entries                0..4                5..9                 10..12
 */
async function filled(): Promise<MemoryDisk> {
  const disk = memoryDisk();
  const store = memoryStore(disk)();
  await store.open();
  for (const length of [5, 10]) {
    for (let n = length - 5; n < length; n++) await store.append(entries(n, n + 1));
    await store.checkpoint(snapshotOf(length));
  }
  for (let n = 10; n < 13; n++) await store.append(entries(n, n + 1));
  await store.close();
  return disk;
}

const reopened = async (disk: MemoryDisk): Promise<Recovered> => {
  const store = memoryStore(disk)();
  const told = await store.open();
  await store.close();
  return told;
};

/** Turns one bit in the middle of a value. */
function spoil(disk: MemoryDisk, key: string): void {
  const value = disk.pairs.get(key)!.slice();
  value[value.length >> 1]! ^= 4;
  disk.pairs.set(key, value);
}

let disk: MemoryDisk;
beforeEach(async () => {
  disk = await filled();
});

it("keeps two snapshots and the log since the older one", () => {
  const log = Array.from({ length: 8 }, (_, i) => logKey(7 + i));
  expect([...disk.pairs.keys()].sort()).toEqual([...log, snapshotKey(6), snapshotKey(11)]);
});

describe("damage that costs nothing, because the other snapshot or the log still has it", () => {
  it.each([
    ["the newest snapshot is spoilt", () => spoil(disk, snapshotKey(11)), /^snapshot record 11 does not match/],
    ["the older snapshot is spoilt", () => spoil(disk, snapshotKey(6)), /^snapshot record 6 does not match/],
    ["the older snapshot is missing", () => disk.pairs.delete(snapshotKey(6)), /^a snapshot is missing$/],
    ["a record between them is spoilt", () => spoil(disk, logKey(8)), /^log record 8 does not match/],
    ["a record between them is missing", () => disk.pairs.delete(logKey(8)), /^log record 8 is missing$/],
    ["a key is strange", () => disk.pairs.set("else", new Uint8Array(3)), /^the key "else" is none of ours$/],
  ])("%s", async (_, damage, reason) => {
    damage();
    const told = await reopened(disk);
    expect(told.quarantined?.reason).toMatch(reason);
    expect(told.incarnation).toBe(2);
    expect(lengthOf(told)).toBe(13);
  });
});

describe("damage that costs the log's end", () => {
  it.each([
    ["a record behind the snapshot is spoilt", () => spoil(disk, logKey(13)), 11, /^log record 13 does not match/],
    ["a record behind the snapshot is missing", () => disk.pairs.delete(logKey(12)), 10, /^log record 12 is missing/],
    [
      "the last record is missing, which only the witness knows",
      () => disk.pairs.delete(logKey(14)),
      12,
      /^the log ends at record 13, but record 14 had been acknowledged$/,
    ],
    [
      "two records have changed places",
      () => {
        const [a, b] = [disk.pairs.get(logKey(12))!, disk.pairs.get(logKey(13))!];
        disk.pairs.set(logKey(12), b).set(logKey(13), a);
      },
      10,
      /^log record 12 belongs elsewhere/,
    ],
    ["both snapshots are spoilt", () => [6, 11].map((at) => spoil(disk, snapshotKey(at))), 0, /^snapshot record 6 /],
    ["all is gone", () => disk.pairs.clear(), 0, /^there are no records/],
  ])("%s", async (_, damage, length, reason) => {
    damage();
    const told = await reopened(disk);
    expect(told.quarantined?.reason).toMatch(reason);
    expect(told.incarnation).toBe(2);
    expect(lengthOf(told)).toBe(length);
  });

  it("an append comes back whole or not at all", async () => {
    const store = memoryStore(disk)();
    await store.open();
    await store.append(entries(13, 17));
    await store.close();
    disk.pairs.delete(logKey(18));
    disk.witness = null;
    const told = await reopened(disk);
    expect(told.quarantined?.reason).toBe("the append of log record 17 has no end");
    expect(lengthOf(told)).toBe(13);
  });

  it("records of another history do not mix with ours, though each is sound", async () => {
    const other: MemoryDisk = { ...disk, pairs: new Map(disk.pairs), damaged: [] };
    for (const [history, from] of [
      [disk, 13],
      [other, 50],
    ] as const) {
      const store = memoryStore(history)();
      await store.open();
      for (let n = from; n < from + 3; n++) await store.append(entries(n, n + 1));
      await store.checkpoint(snapshotOf(from + 3));
      await store.append(entries(from + 3, from + 4));
      await store.close();
    }
    const theirs = (key: string): void => void disk.pairs.set(key, other.pairs.get(key)!);
    const ours = new Map(disk.pairs);
    theirs(snapshotKey(17));
    const told = await reopened(disk);
    expect(told.quarantined?.reason).toBe("snapshot record 17 is of another log");
    expect(lengthOf(told)).toBe(17);

    Object.assign(disk, { pairs: new Map(ours), incarnation: 1, witness: null });
    theirs(logKey(18));
    const again = await reopened(disk);
    expect(again.quarantined?.reason).toBe("log record 18 does not follow from the one before");
    expect(lengthOf(again)).toBe(16);
  });
});

describe("another version", () => {
  it("is refused, whatever else there is, and nothing is touched", async () => {
    const pairs = new Map(disk.pairs);
    disk.pairs.set(logKey(14), ofVersion(7, disk.pairs.get(logKey(14))!));
    const before = new Map(disk.pairs);
    await expect(reopened(disk)).rejects.toMatchObject({ name: "StoreError", reason: "version" });
    await expect(reopened(disk)).rejects.toThrow(/has records of version 7, and this program reads version 1: run the/);
    expect(disk).toMatchObject({ pairs: before, damaged: [], incarnation: 1 });
    disk.pairs = pairs;
    expect(lengthOf(await reopened(disk))).toBe(13);
  });

  it("is not what a turned byte makes of a record", async () => {
    disk.pairs.set(
      logKey(14),
      Uint8Array.from(disk.pairs.get(logKey(14))!, (byte, i) => (i === 0 ? 7 : byte)),
    );
    expect((await reopened(disk)).quarantined?.reason).toMatch(/^log record 14 does not match its hash/);
  });
});

/** The record as a program of another version would have written it: its hash is right. */
function ofVersion(version: number, record: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(record, (byte, i) => (i === 0 ? version : byte));
  bytes.set(sha256(bytes, bytes.length - LINK_BYTES).subarray(0, LINK_BYTES), bytes.length - LINK_BYTES);
  return bytes;
}

describe("a repair", () => {
  it("keeps the damaged copy, is told until something is written, and happens once", async () => {
    spoil(disk, logKey(13));
    const before = new Map(disk.pairs);
    const told = await reopened(disk);
    expect(disk.damaged).toEqual([before]);
    expect(told.quarantined?.keptAt).toBe("memory: damaged copy 1");
    expect((await reopened(disk)).quarantined).toEqual(told.quarantined);
    const store = memoryStore(disk)();
    await store.open();
    await store.append(entries(11, 12));
    await store.close();
    const later = await reopened(disk);
    expect(later).toMatchObject({ incarnation: 2, quarantined: null });
    expect(lengthOf(later)).toBe(12);
    expect(disk.damaged.length).toBe(1);
  });

  it("is told until a checkpoint, too", async () => {
    spoil(disk, logKey(13));
    const store = memoryStore(disk)();
    await store.open();
    await store.checkpoint(snapshotOf(11));
    await store.close();
    expect(await reopened(disk)).toMatchObject({ incarnation: 2, quarantined: null, snapshot: snapshotOf(11) });
  });

  it("goes on to a third incarnation, and never back", async () => {
    spoil(disk, logKey(13));
    await reopened(disk);
    disk.pairs.clear();
    expect((await reopened(disk)).incarnation).toBe(3);
    disk.pairs.clear();
    disk.witness = null;
    expect((await reopened(disk)).incarnation).toBe(4);
  });

  it("is not made for a witness that is behind, missing or unreadable", async () => {
    for (const witness of [null, new Uint8Array(7), new Uint8Array(48).fill(3)]) {
      disk.witness = witness;
      expect(await reopened(disk)).toMatchObject({ incarnation: 1, quarantined: null });
    }
  });
});

it("whatever is damaged: a true prefix comes back, all of it unless it is reported, and the store works on", async () => {
  const pairs = [...disk.pairs.keys()];
  const wound = fc.record({
    key: fc.constantFrom(...pairs),
    how: fc.constantFrom("flip", "cut", "drop", "swap"),
    at: fc.nat({ max: 5000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(wound, { minLength: 1, maxLength: 4 }), async (wounds) => {
      disk = await filled();
      for (const { key, how, at } of wounds) {
        const value = disk.pairs.get(key);
        if (value === undefined) continue;
        if (how === "drop") disk.pairs.delete(key);
        else if (how === "cut") disk.pairs.set(key, value.slice(0, at % value.length));
        else if (how === "swap") disk.pairs.set(key, disk.pairs.get(pairs[at % pairs.length]!) ?? value);
        else
          disk.pairs.set(
            key,
            Uint8Array.from(value, (byte, i) => (i === at % value.length ? byte ^ 1 : byte)),
          );
      }
      const store = memoryStore(disk)();
      const told = await store.open();
      const length = lengthOf(told);
      expect(length).toBeLessThanOrEqual(13);
      if (told.quarantined === null) expect([length, told.incarnation]).toEqual([13, 1]);
      else expect(told.incarnation).toBe(2);
      await store.append(entries(length, length + 2));
      await store.checkpoint(snapshotOf(length + 2));
      await store.append(entries(length + 2, length + 3));
      await store.close();
      const later = await reopened(disk);
      expect(later).toMatchObject({ incarnation: told.incarnation, quarantined: null });
      expect(lengthOf(later)).toBe(length + 3);
    }),
    { numRuns: 400 },
  );
});
