import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreBusy } from "../errors.ts";
import { bundled, type RunOptions, run } from "../testing/child.ts";
import { entries, lengthOf } from "../testing/history.ts";
import { fill, homeIn, recordsIn, reopened, Scratch, spoil } from "../testing/stage.ts";
import { folderStore } from "./folder.ts";

const scratch = new Scratch();
let opener: string;
beforeAll(async () => {
  opener = await bundled("opener.ts");
});
afterAll(() => scratch.clear());

/** Another process opens the store and appends up to `most`. What it said, line by line. */
async function elsewhere(path: string, most: number, options: RunOptions = {}): Promise<Record<string, unknown>[]> {
  const { out, err } = await run(opener, [path, `${most}`], options).ended;
  expect(err).toBe("");
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("one opener", () => {
  it("keeps other processes out, even after it refused a second opener of its own", async () => {
    const path = scratch.next();
    const store = folderStore(path)();
    await store.open();
    const refused = [
      expect.objectContaining({ name: "StoreBusy", message: expect.stringContaining("is open elsewhere") }),
    ];
    expect(await elsewhere(path, 1)).toEqual(refused);
    await expect(folderStore(path)().open()).rejects.toThrow(StoreBusy);
    expect(await elsewhere(path, 1)).toEqual(refused);
    await store.append(entries(0, 1));
    await store.close();
    expect(readdirSync(homeIn(path)).sort()).toEqual(["current", "incarnation-1", "lock", "witness"]);
    expect(await elsewhere(path, 2)).toEqual([{ opened: 1 }, { length: 2 }]);
  });

  it("is known by its place, whatever the place is called", async () => {
    const path = scratch.next();
    const store = folderStore(path)();
    await store.open();
    const alias = scratch.next();
    symlinkSync(path, alias);
    await expect(folderStore(alias)().open()).rejects.toThrow(StoreBusy);
    await store.close();
  });
});

describe("a disk that says no", () => {
  it("when it is full: a typed error, what was acknowledged stands, and it goes on when there is space", async () => {
    const path = scratch.next();
    // A limit on the size of files stands for a full disk: writes fail in the same way.
    const said = await elsewhere(path, 10_000, { shell: "ulimit -f 64" });
    const refusal = { name: "StoreError", reason: "full", message: expect.stringContaining("no space left") };
    const acknowledged = said[2]!.size as number;
    // Opened anew, the log goes on in a new file: there is space again for the next one.
    expect(said).toEqual([{ opened: 0 }, refusal, { size: acknowledged }, { length: acknowledged + 1 }]);
    expect(acknowledged).toBeGreaterThan(10);
    const store = folderStore(path)();
    const told = await store.open();
    expect(told).toMatchObject({ incarnation: 1, quarantined: null });
    const length = lengthOf(told);
    expect(length).toBe(acknowledged + 1);
    await store.append(entries(length, length + 500));
    await store.close();
    expect(lengthOf(await reopened(path))).toBe(length + 500);
  });

  it("when the place is read-only: a typed error, and no quarantine", async () => {
    const path = scratch.next();
    await fill(path);
    chmodSync(scratch.folder, 0o755);
    const folders = [path, homeIn(path), recordsIn(path), join(homeIn(path), "lock")];
    for (const folder of folders) chmodSync(folder, 0o555);
    // Root may write anywhere, so nobody tries.
    const said = await elsewhere(path, 200, { uid: process.getuid?.() === 0 ? 65_534 : undefined });
    expect(said).toEqual([expect.objectContaining({ name: "StoreError", reason: "read-only" })]);
    for (const folder of folders) chmodSync(folder, 0o700);
    expect(await reopened(path)).toMatchObject({ incarnation: 1, quarantined: null });
  });
});

describe("a place that is none", () => {
  it("is a folder of other things, which stay", async () => {
    const path = scratch.next();
    mkdirSync(path);
    writeFileSync(join(path, "letters.txt"), "dear");
    await expect(folderStore(path)().open()).rejects.toMatchObject({ reason: "foreign" });
    await expect(folderStore(path)().open()).rejects.toThrow(
      /is not a store: it holds other things, such as letters\.txt/,
    );
    expect(readdirSync(path)).toEqual(["letters.txt"]);
  });

  it("is a file", async () => {
    const path = scratch.next();
    writeFileSync(path, "");
    await expect(folderStore(path)().open()).rejects.toMatchObject({ name: "StoreError" });
    await expect(folderStore(join(path, "below"))().open()).rejects.toMatchObject({ name: "StoreError" });
  });
});

describe("erase", () => {
  it("leaves nothing, not even damaged copies", async () => {
    const path = scratch.next();
    await fill(path);
    spoil(path);
    const store = folderStore(path)();
    const { quarantined } = await store.open();
    expect(existsSync(quarantined!.keptAt)).toBe(true);
    await store.erase();
    expect(existsSync(path)).toBe(false);
    expect(await reopened(path)).toMatchObject({ incarnation: 1, entries: [], quarantined: null });
  });

  it("leaves what is not ours", async () => {
    const path = scratch.next();
    await fill(path);
    writeFileSync(join(path, "note.txt"), "mine");
    const store = folderStore(path)();
    await store.open();
    await store.erase();
    expect(readdirSync(path)).toEqual(["note.txt"]);
  });
});

it("nobody else may look into a new store", async () => {
  const path = scratch.next();
  await reopened(path);
  expect(statSync(path).mode & 0o077).toBe(0);
});

describe("a repair or a beginning cut short", () => {
  it("a pointer that is lost or spoilt is written again", async () => {
    const path = scratch.next();
    await fill(path);
    rmSync(join(homeIn(path), "current"));
    expect(await reopened(path)).toMatchObject({ incarnation: 1, quarantined: null });
    for (const text of ["?", "", "incarnation 9\n", "incarnation 0\n", `incarnation ${"9".repeat(40)}\n`]) {
      writeFileSync(join(homeIn(path), "current"), text);
      const told = await reopened(path);
      expect(told).toMatchObject({ incarnation: 1, quarantined: null });
      expect(lengthOf(told)).toBe(100);
      expect(readFileSync(join(homeIn(path), "current"), "utf8")).toBe("incarnation 1\n");
    }
  });

  it("a next incarnation that was never finished is begun anew", async () => {
    const path = scratch.next();
    await fill(path);
    const next = join(homeIn(path), "incarnation-2");
    mkdirSync(next);
    writeFileSync(join(next, "log-00000000000001"), "half");
    expect(await reopened(path)).toMatchObject({ incarnation: 1, quarantined: null });
    spoil(path);
    const told = await reopened(path);
    expect(told.incarnation).toBe(2);
    expect(lengthOf(told)).toBe(100);
    expect(readdirSync(homeIn(path)).sort()).toEqual(["current", "damaged-1", "incarnation-2", "lock", "witness"]);
  });

  it("a repair that cannot succeed keeps a few copies, not one more for each attempt", async () => {
    const path = scratch.next();
    await fill(path);
    spoil(path);
    const obstacle = join(homeIn(path), "current.new");
    mkdirSync(obstacle);
    for (let n = 0; n < 12; n++) await expect(folderStore(path)().open()).rejects.toMatchObject({ name: "StoreError" });
    expect(readdirSync(homeIn(path)).filter((name) => name.startsWith("damaged-")).length).toBe(9);
    rmSync(obstacle, { recursive: true });
    const told = await reopened(path);
    expect([told.incarnation, lengthOf(told)]).toEqual([2, 100]);
  });
});
