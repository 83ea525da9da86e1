import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { bundled, run } from "../testing/child.ts";
import { entries } from "../testing/history.ts";
import { filesIn, fill, homeIn, reopened, Scratch, spoil } from "../testing/stage.ts";
import { folderStore } from "./folder.ts";
import { inspect } from "./inspect.ts";

const scratch = new Scratch();
afterAll(() => scratch.clear());

const byKind = (from: number, to: number) => {
  const sums: Record<string, { count: number; bytes: number }> = {};
  for (const { kind, body } of entries(from, to)) {
    sums[kind] ??= { count: 0, bytes: 0 };
    sums[kind].count += 1;
    sums[kind].bytes += body.length;
  }
  return sums;
};

it("tells what is there and leaves no trace", async () => {
  const path = scratch.next();
  await fill(path);
  const before = filesIn(path);
  const temporary = scratch.next();
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  expect(await inspect(path)).toEqual({
    path,
    incarnation: 1,
    sequence: { first: 62, last: 101 },
    snapshot: { sequence: 81, bytes: 500 },
    entries: byKind(80, 100),
    intact: true,
    fault: null,
    damaged: [],
  });
  expect(filesIn(path)).toEqual(before);
  vi.unstubAllEnvs();
  expect(readdirSync(temporary)).toEqual([]);
});

it("looks at a store that is in use, and does not take its lock away", async () => {
  const path = scratch.next();
  const store = folderStore(path)();
  await store.open();
  const writing = (async () => {
    for (let n = 0; n < 50; n++) await store.append(entries(n, n + 1));
  })();
  for (let n = 0; n < 5; n++) expect(await inspect(path)).toMatchObject({ incarnation: 1, intact: true });
  await writing;
  expect((await inspect(path)).sequence).toEqual({ first: 1, last: 51 });
  const elsewhere = await run(await bundled("opener.ts"), [path, "60"]).ended;
  expect(JSON.parse(elsewhere.out)).toMatchObject({ name: "StoreBusy" });
  await store.close();
});

it("gives its verdict on a damaged store, on what is kept of it, and on the repaired one", async () => {
  const path = scratch.next();
  await fill(path);
  spoil(path);
  expect(await inspect(path)).toMatchObject({
    intact: false,
    fault: expect.stringContaining("snapshot record 81"),
    damaged: [],
  });
  await reopened(path);
  const kept = join(homeIn(path), "damaged-1");
  expect(await inspect(path)).toMatchObject({ intact: true, incarnation: 2, damaged: [kept] });
  expect(await inspect(kept)).toMatchObject({ intact: false, incarnation: 1, snapshot: { sequence: 61, bytes: 500 } });
});

it("knows when the end of the log is gone", async () => {
  const path = scratch.next();
  await fill(path);
  for (const [name, bytes] of filesIn(path)) {
    if (/log-\w+52$/.test(name)) truncateSync(join(path, name), bytes.length - 40);
  }
  expect(await inspect(path)).toMatchObject({ intact: false, fault: expect.stringContaining("had been acknowledged") });
});

it("says so where there is no store", async () => {
  await expect(inspect(scratch.next())).rejects.toThrow(/there is no store at /);
  const file = scratch.next();
  writeFileSync(file, "");
  await expect(inspect(file)).rejects.toMatchObject({ name: "StoreError" });
});
