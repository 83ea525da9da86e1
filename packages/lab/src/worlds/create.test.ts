import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { folderWith } from "../data/testing/folders.ts";
import { DELICIOUS, LASTFM } from "../data/testing/samples.ts";
import { createWorld, prepareWorld } from "./create.ts";
import type { DatasetConfig } from "./dataset.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A world of these files; the cache is a folder of its own. */
async function configOf(dataset: string, files: Readonly<Record<string, string>>): Promise<DatasetConfig> {
  vi.stubEnv("COTERIE_CACHE", await folderWith());
  const directory = await folderWith(files);
  return { kind: "dataset", dataset, directory, peers: 2, dimension: 1, arms: 3, order: "time" };
}

describe("a dataset in its order of time", () => {
  it("is cut into the rounds that are given", async () => {
    const config = await configOf("lastfm", LASTFM);
    // User 7 has artist 10 in April, 20 and 30 in May; user 3 has 10 and 20 in May.
    const world = await createWorld(config, 1, 5);
    const acting: string[] = [];
    for (let round = 1; round <= 5; round++) {
      world.advance();
      expect(world.lastTurn).toBe(true);
      acting.push([0, 1].filter((peer) => world.acts!(peer)).join());
    }
    expect(acting[0]).toBe("0");
    expect(acting.sort()).toEqual(["0", "0", "0", "1", "1"]);
    await prepareWorld(config, 5);
  });

  it("is refused without rounds, and with more than there are items", async () => {
    const config = await configOf("lastfm", LASTFM);
    await expect(createWorld(config, 1)).rejects.toThrow("rounds must be given if order is time, but is missing");
    await expect(prepareWorld(config, 6)).rejects.toThrow(
      "rounds must be at most 5, the items of all users together, but is 6",
    );
  });

  it("is refused where no times are known", async () => {
    const config = await configOf("delicious", DELICIOUS);
    await expect(prepareWorld(config, 2)).rejects.toThrow(
      'order must be drawn for delicious, whose times are not known, but is "time"',
    );
    await prepareWorld({ ...config, order: "drawn" }, 2);
  });
});

/** The official files are not in the repository; this runs where COTERIE_DATA names the directory that holds them. */
const data = process.env.COTERIE_DATA;
const REAL = [
  { dataset: "lastfm", folder: "lastfm-2k", peers: 91, items: 31519 },
  { dataset: "movielens", folder: "ml-latest-small", peers: 100, items: 26967 },
];

it.skipIf(!data).each(REAL)(
  "$dataset in its order of time has $items choices of $peers peers (set COTERIE_DATA)",
  async ({ dataset, folder, peers, items }) => {
    vi.stubEnv("COTERIE_CACHE", await folderWith());
    const directory = join(data ?? "", folder);
    const rounds = 250;
    const config = { kind: "dataset", dataset, directory, peers, dimension: 2, arms: 3, order: "time" } as const;
    const world = await createWorld(config, 1, rounds);
    const turns = new Int32Array(peers);
    for (let round = 1; round <= rounds; round++) {
      const before = turns.reduce((sum, count) => sum + count);
      do {
        world.advance();
        for (let peer = 0; peer < peers; peer++) turns[peer]! += world.acts!(peer) ? 1 : 0;
      } while (!world.lastTurn);
      const added = turns.reduce((sum, count) => sum + count) - before;
      expect([Math.floor(items / rounds), Math.ceil(items / rounds)]).toContain(added);
    }
    expect(turns.reduce((sum, count) => sum + count)).toBe(items);
    // Peers are those with the most items, the most first.
    expect(turns).toEqual(turns.slice().sort().reverse());
    for (let peer = 0; peer < peers; peer++) expect(world.present(peer)).toBe(true);
  },
  120_000,
);
