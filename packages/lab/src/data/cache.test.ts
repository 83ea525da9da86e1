import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CacheKey, readCache, writeCache } from "./cache.ts";
import type { Prepared } from "./prepared.ts";
import { folderWith } from "./testing/folders.ts";

const KEY: CacheKey = { dataset: "lastfm", dimension: 2, fingerprint: "abc" };
const PREPARED: Prepared = {
  dimension: 2,
  itemIds: Int32Array.of(4, 9),
  features: Float64Array.of(0.6, 0.8, -1, 0),
  userIds: Int32Array.of(1, 5, 2147483647),
  starts: Int32Array.of(0, 1, 3, 4),
  items: Int32Array.of(0, 0, 1, 1),
  times: Int32Array.of(-428803200, 5, 0, 2147483647),
  zeroRows: 0,
  notes: [{ what: "rows", rows: 3, first: "é" }],
};

async function written() {
  const folder = await folderWith();
  await writeCache(folder, KEY, PREPARED);
  const names = await readdir(join(folder, "datasets"));
  expect(names).toHaveLength(1);
  return { folder, path: join(folder, "datasets", names[0]!) };
}

describe("an entry", () => {
  it("comes back as it was", async () => {
    const { folder } = await written();
    expect(await readCache(folder, KEY)).toEqual(PREPARED);
  });

  it("keeps no times where there are none", async () => {
    const folder = await folderWith();
    await writeCache(folder, KEY, { ...PREPARED, times: null });
    expect(await readCache(folder, KEY)).toEqual({ ...PREPARED, times: null });
  });

  it("is not found under another key", async () => {
    const { folder } = await written();
    for (const other of [{ dataset: "delicious" }, { dimension: 3 }, { fingerprint: "abd" }]) {
      expect(await readCache(folder, { ...KEY, ...other })).toBeUndefined();
    }
  });

  it("is not trusted with any byte changed, cut off anywhere, or longer", async () => {
    const { folder, path } = await written();
    const whole = await readFile(path);
    const damaged: Buffer[] = [Buffer.concat([whole, Buffer.of(0)])];
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1;
      damaged.push(changed, whole.subarray(0, at));
    }
    for (const bytes of damaged) {
      await writeFile(path, bytes);
      expect(await readCache(folder, KEY)).toBeUndefined();
    }
    await writeCache(folder, KEY, PREPARED);
    expect(await readCache(folder, KEY)).toEqual(PREPARED);
  });

  it("is not trusted under the name of another", async () => {
    const { folder, path } = await written();
    const kept = `${path}.kept`;
    await rename(path, kept);
    const other = { ...KEY, fingerprint: "other" };
    await writeCache(folder, other, PREPARED);
    const [name] = (await readdir(join(folder, "datasets"))).filter((file) => file.endsWith(".bin"));
    await rename(kept, join(folder, "datasets", name!));
    expect(await readCache(folder, other)).toBeUndefined();
  });
});
