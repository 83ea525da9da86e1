import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetCatalogue, loadCatalogue } from "./catalogue.ts";
import { checkDataset } from "./check.ts";

/** The official files are not in the repository; these tests run where COTERIE_DATA names the directory that holds them. */
const data = process.env.COTERIE_DATA;

/** Last.fm has five rows of years before there was Last.fm. */
const EXPECTED = [
  {
    dataset: "lastfm",
    folder: "lastfm-2k",
    status: "complete",
    items: 12523,
    users: 1892,
    zeroRows: 58,
    times: ["1956-06-01T00:00:00.000Z", "2011-05-09T00:00:00.000Z"],
  },
  {
    dataset: "delicious",
    folder: "delicious-2k",
    status: "partial",
    items: 63291,
    users: 1837,
    zeroRows: 0,
    times: null,
  },
  {
    dataset: "movielens",
    folder: "ml-latest-small",
    status: "complete",
    items: 9709,
    users: 609,
    zeroRows: 0,
    times: ["1997-03-06T13:00:40.000Z", "2018-09-24T14:27:30.000Z"],
  },
];

/** Each dataset is prepared once, which takes seconds, and read back from there. */
const cache = mkdtempSync(join(tmpdir(), "coterie-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

describe.skipIf(!data).each(EXPECTED)(
  "$dataset as published (set COTERIE_DATA)",
  ({ dataset, folder, status, items, users, zeroRows, times }) => {
    const directory = join(data ?? "", folder);
    const dimension = 10;
    let catalogue: DatasetCatalogue;
    beforeAll(async () => {
      catalogue = await loadCatalogue({ dataset, directory, peers: 90, dimension, cache });
    });

    it(`is ${status} by its counts`, async () => {
      const result = await checkDataset(dataset, directory);
      expect(result.status).toBe(status);
      expect(result.missing.filter(({ needed }) => needed)).toEqual([]);
    });

    it(`has ${items} items in the catalogue, each with a vector of unit length or zero`, () => {
      expect(catalogue.itemCount).toBe(items);
      let zeros = 0;
      for (let item = 0; item < items; item++) {
        const length = Math.hypot(...catalogue.features.subarray(item * dimension, (item + 1) * dimension));
        if (length === 0) zeros++;
        else expect(Math.abs(length - 1)).toBeLessThan(1e-12);
      }
      expect([zeros, catalogue.zeroRows]).toEqual([zeroRows, zeroRows]);
    });

    it(`has ${users} users to pick peers from, those with the most items first`, async () => {
      const sizes = catalogue.peers.map(({ items }) => items.length);
      expect(sizes).toHaveLength(90);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      await expect(loadCatalogue({ dataset, directory, peers: 5000, dimension, cache })).rejects.toThrow(
        `peers must be at most ${users},`,
      );
    });

    it(
      times === null ? "has no times" : "has the time of every item, from the first to the last of the 90 users",
      () => {
        if (times === null) {
          for (const peer of catalogue.peers) expect(peer.times).toBeUndefined();
          return;
        }
        const all = catalogue.peers.flatMap(({ times }) => [...times!]).sort((a, b) => a - b);
        expect(all).toHaveLength(catalogue.peers.reduce((sum, { items }) => sum + items.length, 0));
        const text = (seconds: number) => new Date(1000 * seconds).toISOString();
        expect([text(all[0]!), text(all.at(-1)!)]).toEqual(times);
      },
    );
  },
);

it.skipIf(!data)("a small MovieLens is no part of a large one (set COTERIE_DATA)", async () => {
  expect((await checkDataset("ml-25m", join(data ?? "", "ml-latest-small"))).status).toBe("different");
});
