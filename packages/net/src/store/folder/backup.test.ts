import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PeerRecord } from "@coterie/core/internal";
import { afterAll, expect, it } from "vitest";
import { held, live, open } from "../../host/testing/records.ts";
import { MemoryNetwork } from "../../link/memory.ts";
import { entries, lengthOf, snapshotOf } from "../testing/history.ts";
import { FILLED, filesIn, fill, reopened, Scratch, spoil } from "../testing/stage.ts";
import { backup, restore } from "./backup.ts";
import { folderStore } from "./folder.ts";

const scratch = new Scratch();
afterAll(() => scratch.clear());

it("holds all that was acknowledged before it, while the store is written to", async () => {
  const path = scratch.next();
  const store = folderStore(path)();
  await store.open();
  let length = 0;
  let stopped = false;
  const writing = (async () => {
    for (; !stopped; length++) {
      await store.append(entries(length, length + 1));
      if (length % 10 === 9) await store.checkpoint(snapshotOf(length + 1));
    }
  })();
  try {
    for (let n = 0; n < 6; n++) {
      const before = length;
      const file = scratch.next();
      await backup(path, file);
      const copy = scratch.next();
      await restore(file, copy);
      const told = await reopened(copy);
      expect(lengthOf(told)).toBeGreaterThanOrEqual(before);
      expect(told).toMatchObject({ incarnation: 2, quarantined: { keptAt: file } });
      expect(told.quarantined?.reason).toMatch(/^restored from a backup of 20\d\d-\d\d-\d\dT/);
    }
  } finally {
    stopped = true;
    await writing;
  }
  await store.close();
  expect(await reopened(path)).toMatchObject({ incarnation: 1, quarantined: null });
});

it("is for its owner alone, and takes no other file's place", async () => {
  const path = scratch.next();
  await fill(path);
  const file = scratch.next();
  await backup(path, file);
  expect(statSync(file).mode & 0o077).toBe(0);
  const before = filesIn(path);
  await expect(backup(path, file)).rejects.toThrow("FILE must be a new file");
  expect(filesIn(path)).toEqual(before);
  // Nothing half done lies about.
  expect(readdirSync(scratch.folder).filter((name) => /-.*-/.test(name))).toEqual([]);
});

it("of a damaged store is refused, and so is a damaged backup, one of another version, and a place that is taken", async () => {
  const path = scratch.next();
  await fill(path);
  const file = scratch.next();
  await backup(path, file);
  await expect(restore(file, path)).rejects.toThrow("STORE must be an empty or new folder");
  await expect(restore(join(path, "nothing"), scratch.next())).rejects.toThrow("FILE must be a backup of a store");
  const bytes = readFileSync(file);
  const bad = (at: number, value: number): string => {
    const other = scratch.next();
    const copy = Buffer.from(bytes);
    copy[at] = value;
    writeFileSync(other, copy);
    return other;
  };
  await expect(restore(bad(0, 1), scratch.next())).rejects.toThrow(/must be a backup of a store/);
  await expect(restore(bad(4, 9), scratch.next())).rejects.toMatchObject({ reason: "version" });
  const place = scratch.next();
  await expect(restore(bad(900, bytes[900]! ^ 4), place)).rejects.toThrow(/must be a whole backup/);
  spoil(path);
  await expect(backup(path, scratch.next())).rejects.toMatchObject({ reason: "damaged" });
  expect(lengthOf(await reopened(path))).toBe(FILLED);
});

/** Of the folder, while nobody has it open. */
const byHand = async (from: string, to: string): Promise<void> => cpSync(from, to, { recursive: true });

it.each([
  ["restored", backup, restore],
  ["put in place by hand", byHand, byHand],
])("an old copy that is %s never publishes a version with two contents", async (_, copy, putBack) => {
  const network = new MemoryNetwork();
  const seen = new Map<number, string>();
  const note = ({ version, count, slot }: PeerRecord): void => {
    const content = `${count} ${slot.join(" ")}`;
    expect([version, seen.get(version) ?? content]).toEqual([version, content]);
    seen.set(version, content);
  };
  const reader = await open(network, "b");
  const path = scratch.next();
  const file = scratch.next();
  let now = Date.UTC(2026, 10, 17);
  const life = async (place: string, seed: number): Promise<number> => {
    const peer = await open(network, "a", { store: folderStore(place)(), snapshotEvery: 7, now: () => now });
    for (let k = 0; k < 5; k++) {
      await live(peer, 3, seed + k);
      await reader.tick("a");
      note(held(peer).get(peer.origin!)!);
      now += 1000;
    }
    const { version } = held(peer).get(peer.origin!)!;
    note(held(reader).get(peer.origin!)!);
    await peer.close();
    return version;
  };
  await life(path, 1);
  await copy(path, file);
  const last = [await life(path, 100)];
  for (const seed of [200, 300]) {
    const place = scratch.next();
    await putBack(file, place);
    last.push(await life(place, seed));
  }
  expect(last).toEqual([...last].sort((a, b) => a - b));
  expect(seen.size).toBeGreaterThan(15);
});
