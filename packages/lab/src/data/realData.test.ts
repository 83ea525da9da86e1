import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Catalogue, loadCatalogue } from "./catalogue.ts";
import { checkDataset } from "./check.ts";

/** The official files are not in the repository; these tests run where COTERIE_DATA names the directory that holds them. */
const data = process.env.COTERIE_DATA;

const EXPECTED = [
  { dataset: "lastfm", folder: "lastfm-2k", status: "complete", items: 12523, users: 1892, zeroRows: 58 },
  { dataset: "delicious", folder: "delicious-2k", status: "partial", items: 63291, users: 1837, zeroRows: 0 },
  { dataset: "movielens", folder: "ml-latest-small", status: "complete", items: 9709, users: 609, zeroRows: 0 },
];

describe.skipIf(!data).each(EXPECTED)(
  "$dataset as published (set COTERIE_DATA)",
  ({ dataset, folder, status, items, users, zeroRows }) => {
    const directory = join(data ?? "", folder);
    const dimension = 10;
    let catalogue: Catalogue;
    beforeAll(async () => {
      catalogue = await loadCatalogue({ dataset, directory, peers: 90, dimension, cache: false });
    }, 120_000);

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
      await expect(loadCatalogue({ dataset, directory, peers: 5000, dimension: 1, cache: false })).rejects.toThrow(
        `peers must be at most ${users},`,
      );
    });
  },
);

/** When the first and the last of the 90 users' items were had. Last.fm has five rows of years before there was Last.fm. */
const TIMES = [
  { dataset: "lastfm", folder: "lastfm-2k", first: "1956-06-01T00:00:00.000Z", last: "2011-05-09T00:00:00.000Z" },
  {
    dataset: "movielens",
    folder: "ml-latest-small",
    first: "1997-03-06T13:00:40.000Z",
    last: "2018-09-24T14:27:30.000Z",
  },
];

it.skipIf(!data).each(TIMES)(
  "$dataset has the time of every item (set COTERIE_DATA)",
  async ({ dataset, folder, first, last }) => {
    const directory = join(data ?? "", folder);
    const { peers } = await loadCatalogue({ dataset, directory, peers: 90, dimension: 1, cache: false });
    const times = peers.flatMap(({ times }) => [...times!]).sort((a, b) => a - b);
    expect(times).toHaveLength(peers.reduce((sum, { items }) => sum + items.length, 0));
    const text = (seconds: number) => new Date(1000 * seconds).toISOString();
    expect([text(times[0]!), text(times.at(-1)!)]).toEqual([first, last]);
  },
  120_000,
);

it.skipIf(!data)(
  "delicious has no times (set COTERIE_DATA)",
  async () => {
    const directory = join(data ?? "", "delicious-2k");
    const { peers } = await loadCatalogue({ dataset: "delicious", directory, peers: 2, dimension: 1, cache: false });
    expect(peers.map(({ times }) => times)).toEqual([undefined, undefined]);
  },
  120_000,
);

it.skipIf(!data)("a small MovieLens is no part of a large one (set COTERIE_DATA)", async () => {
  expect((await checkDataset("ml-25m", join(data ?? "", "ml-latest-small"))).status).toBe("different");
});
