import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@coterie/core";
import { ClassicLevel } from "classic-level";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logKey, snapshotKey } from "../shelf.ts";
import { entries, lengthOf, snapshotOf } from "../testing/history.ts";
import { FILLED, filesIn, fill, reopened, Scratch } from "../testing/stage.ts";
import { level } from "./level.ts";

const scratch = new Scratch();
const sound = scratch.next();
beforeAll(() => fill(sound));
afterAll(() => scratch.clear());

const LIVE = "incarnation-1";
/** Files of a copy whose names end so, in its database. */
const found = (path: string, name: RegExp): string[] =>
  [...filesIn(path).keys()].filter((it) => it.startsWith(LIVE) && name.test(it)).map((it) => join(path, it));

/** Opens after the damage; then the store must work on, and stay whole. */
async function recoveredFrom(path: string) {
  const told = await reopened(path);
  const length = lengthOf(told);
  const store = level(path)();
  await store.open();
  await store.append(entries(length, length + 3));
  await store.checkpoint(snapshotOf(length + 3));
  await store.close();
  const later = await reopened(path);
  expect(later).toMatchObject({ incarnation: told.incarnation, quarantined: null });
  expect(lengthOf(later)).toBe(length + 3);
  return { told, length };
}

describe("a database that LevelDB itself cannot open or read", () => {
  const each = (name: RegExp, change: (file: string) => void) => (path: string) => found(path, name).forEach(change);
  it.each([
    ["CURRENT is missing", each(/CURRENT$/, (file) => rmSync(file)), FILLED],
    ["CURRENT is garbage", each(/CURRENT$/, (file) => writeFileSync(file, "garbage\n")), FILLED],
    ["CURRENT names a strange file", each(/CURRENT$/, (file) => writeFileSync(file, "MANIFEST\r000\n")), FILLED],
    ["the manifest is cut", each(/MANIFEST-\d+$/, (file) => truncateSync(file, 20)), FILLED],
    ["the manifest is garbage", each(/MANIFEST-\d+$/, (file) => writeFileSync(file, Buffer.alloc(300, 7))), FILLED],
    ["the tables are missing", each(/ldb$/, (file) => rmSync(file)), FILLED],
    ["the tables are cut", each(/ldb$/, (file) => truncateSync(file, 700)), FILLED],
    ["all but the lock is missing", each(/.*(?<!LOCK)$/, (file) => rmSync(file)), 0],
    ["the folder is missing", (path: string) => rmSync(join(path, LIVE), { recursive: true }), 0],
  ])("%s: what can be read is rebuilt, the rest is kept", async (_, damage, length) => {
    const path = scratch.copyOf(sound);
    damage(path);
    const before = filesIn(path);
    const { told, length: came } = await recoveredFrom(path);
    expect(told.incarnation).toBe(2);
    expect(told.quarantined?.reason).toMatch(/^the database cannot be read: /);
    expect(told.quarantined?.keptAt).toBe(join(path, "damaged-1"));
    expect(came).toBe(length);
    const files = [...before].filter(([name]) => name.startsWith(LIVE) && !name.endsWith("LOCK"));
    if (files.length === 0) return;
    const kept = filesIn(join(path, "damaged-1"));
    expect(kept).toEqual(new Map(files.map(([name, bytes]) => [name.slice(LIVE.length + 1), bytes])));
  });

  it("the log is cut: its end is lost, and the witness knows", async () => {
    const path = scratch.copyOf(sound);
    for (const file of found(path, /\.log$/)) truncateSync(file, readFileSync(file).length - 40);
    const { told, length } = await recoveredFrom(path);
    expect(told.quarantined?.reason).toMatch(/^the log ends at record 100, but record 101 had been acknowledged$/);
    expect([told.incarnation, length]).toEqual([2, FILLED - 1]);
  });
});

describe("a value that LevelDB gives out without a word", () => {
  async function altered(key: string, value: (old: Uint8Array) => Uint8Array | null): Promise<string> {
    const path = scratch.copyOf(sound);
    const database = new ClassicLevel<string, Uint8Array>(join(path, LIVE), { valueEncoding: "view" });
    const old = await database.get(key);
    const next = value(old!);
    await (next === null ? database.del(key) : database.put(key, next));
    await database.close();
    return path;
  }
  const flipped = (old: Uint8Array): Uint8Array => Uint8Array.from(old, (byte, i) => (i === 60 ? byte ^ 8 : byte));

  it.each([
    ["the newest snapshot is turned", snapshotKey(81), flipped, FILLED, /^snapshot record 81 does not match its hash$/],
    ["the newest record is turned", logKey(101), flipped, FILLED - 1, /^log record 101 does not match its hash/],
    ["a record in the middle is missing", logKey(90), () => null, 88, /^log record 90 is missing/],
    [
      "a record is of another version",
      logKey(90),
      () => Uint8Array.of(9, ...Array(60).fill(0)),
      88,
      /^log record 90 is of version 9/,
    ],
  ])("%s", async (_, key, change, wanted, reason) => {
    const path = await altered(key, change);
    const { told, length } = await recoveredFrom(path);
    expect(told.quarantined?.reason).toMatch(reason);
    expect([told.incarnation, length]).toEqual([2, wanted]);
  });
});

it("any one byte of any file may turn: a true prefix comes back, and all of it unless it is reported", async () => {
  const random = Random.seeded(7);
  const targets = [...filesIn(sound)].filter(([, bytes]) => bytes.length > 0);
  let reported = 0;
  for (let n = 0; n < 60; n++) {
    const [name, bytes] = targets[n % targets.length]!;
    const path = scratch.copyOf(sound);
    const at = random.below(bytes.length);
    writeFileSync(
      join(path, name),
      Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ (1 << random.below(8)) : byte)),
    );
    const told = await reopened(path);
    const length = lengthOf(told);
    expect(length).toBeLessThanOrEqual(FILLED);
    // Beside the database there is nothing that it could not do without.
    if (!name.startsWith(LIVE)) expect([name, at, told.quarantined]).toEqual([name, at, null]);
    if (told.quarantined === null) expect([name, at, length]).toEqual([name, at, FILLED]);
    else reported += 1;
    rmSync(path, { recursive: true });
  }
  expect(reported).toBeGreaterThan(10);
});
