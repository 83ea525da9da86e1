import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { type CatalogueOptions, loadCatalogue } from "./catalogue.ts";
import { importDataset } from "./import.ts";
import { addFiles, folderWith } from "./testing/folders.ts";
import { DELICIOUS, LASTFM, MOVIELENS_CSV } from "./testing/samples.ts";

const peersOf = async (options: CatalogueOptions) =>
  (await loadCatalogue(options)).peers.map(({ userId, items }) => [userId, ...items]);

describe("the peers", () => {
  it("are the users with the most items, and have places in the catalogue", async () => {
    const options = { dataset: "lastfm", directory: await folderWith(LASTFM), dimension: 2, cache: false } as const;
    expect(await peersOf({ ...options, peers: 3 })).toEqual([
      [7, 0, 1, 2],
      [3, 0, 1],
      [9, 2],
    ]);
    expect(await peersOf({ ...options, peers: 1 })).toEqual([[7, 0, 1, 2]]);
  });

  it("are of the smaller id where they have as many", async () => {
    const rows = LASTFM["user_taggedartists.dat"];
    const more = { ...LASTFM, "user_taggedartists.dat": `${rows}20\t10\t1\t1\t1\t2009\n5\t20\t1\t1\t1\t2009\n` };
    const options = { dataset: "lastfm", directory: await folderWith(more), dimension: 2, cache: false } as const;
    expect(await peersOf({ ...options, peers: 5 })).toEqual([
      [7, 0, 1, 2],
      [3, 0, 1],
      [5, 1],
      [9, 2],
      [20, 0],
    ]);
  });

  it("are ranked by the items in the catalogue alone", async () => {
    // User 9 likes three movies, two of which have no word; user 1 likes two, both with words.
    const files = {
      ...MOVIELENS_CSV,
      "movies.csv": `${MOVIELENS_CSV["movies.csv"]}5,Nothing either (2004),(no genres listed)\n`,
      "ratings.csv": "userId,movieId,rating,timestamp\n9,1,5,0\n9,4,5,0\n9,5,5,0\n1,2,4,0\n1,3,4,0\n8,4,5,0\n",
    };
    const options = { dataset: "movielens", directory: await folderWith(files), dimension: 2, cache: false } as const;
    expect(await peersOf({ ...options, peers: 2 })).toEqual([
      [1, 1, 2],
      [9, 0],
    ]);
    // User 8 likes nothing that is in the catalogue, so that there are two users, not three.
    await expect(loadCatalogue({ ...options, peers: 3 })).rejects.toThrow(
      "peers must be at most 2, the users of movielens with an item in the catalogue, but is 3",
    );
  });
});

describe("times", () => {
  it("be used with the peers' items, those out of the catalogue left out", async () => {
    // Movie 4 has no word, so that it is out of the catalogue.
    const ratings = "userId,movieId,rating,timestamp\n9,1,5,30\n9,4,5,10\n9,3,5,20\n1,2,4,40\n";
    const directory = await folderWith({ ...MOVIELENS_CSV, "ratings.csv": ratings });
    const { peers } = await loadCatalogue({ dataset: "movielens", directory, peers: 2, dimension: 2, cache: false });
    expect(peers).toEqual([
      { userId: 9, items: Int32Array.of(0, 2), times: Int32Array.of(30, 20) },
      { userId: 1, items: Int32Array.of(1), times: Int32Array.of(40) },
    ]);
  });

  it("are absent where the files have none", async () => {
    const directory = await folderWith(DELICIOUS);
    const { peers } = await loadCatalogue({ dataset: "delicious", directory, peers: 2, dimension: 1, cache: false });
    expect(peers.every((peer) => !("times" in peer))).toBe(true);
  });
});

describe("a catalogue", () => {
  it("has a vector of unit length for each item", async () => {
    const directory = await folderWith(LASTFM);
    const catalogue = await loadCatalogue({ dataset: "lastfm", directory, peers: 2, dimension: 2, cache: false });
    expect(catalogue).toMatchObject({ dataset: "lastfm", dimension: 2, itemCount: 3, zeroRows: 0 });
    expect([...catalogue.itemIds]).toEqual([10, 20, 30]);
    expect(catalogue.features.length).toBe(6);
    for (let i = 0; i < 3; i++)
      expect(Math.hypot(catalogue.features[2 * i]!, catalogue.features[2 * i + 1]!)).toBeCloseTo(1, 14);
    expect(catalogue.notes).toHaveLength(1);
  });

  const refused: [Partial<CatalogueOptions>, string][] = [
    [
      { dataset: "netflix" },
      'dataset must be one of lastfm, delicious, ml-latest-small, ml-100k, ml-1m, ml-25m, movielens, but is "netflix"',
    ],
    [{ peers: 0 }, "peers must be a whole number of at least 1, but is 0"],
    [{ peers: 1.5 }, "peers must be a whole number of at least 1, but is 1.5"],
    [{ peers: 4 }, "peers must be at most 3, the users of lastfm with an item in the catalogue, but is 4"],
    [{ dimension: Number.NaN }, "dimension must be a whole number of at least 1, but is NaN"],
    [{ dimension: 4 }, "dimension must be at most 3, the smaller number of items and words, but is 4"],
    [{ dimension: 400 }, "dimension must be at most 3, the smaller number of items and words, but is 400"],
    [{ dataset: "delicious" }, "directory must hold the file user_taggedbookmarks-timestamps.dat"],
    [{ dataset: "ml-1m" }, "directory must hold the file movies.dat"],
  ];
  it.each(refused)("refuses %j", async (change, sentence) => {
    const cache = await folderWith();
    const options = {
      dataset: "lastfm",
      directory: await folderWith(LASTFM),
      peers: 1,
      dimension: 2,
      cache,
      ...change,
    };
    await expect(loadCatalogue(options)).rejects.toThrow(sentence);
    await expect(loadCatalogue(options)).rejects.toThrow(ConfigError);
  });

  it("is read from where the dataset was imported", async () => {
    const dataHome = await folderWith();
    const options = { dataset: "delicious", peers: 2, dimension: 1, cache: false, dataHome } as const;
    await expect(loadCatalogue(options)).rejects.toThrow(
      "Dataset delicious not found. Run `coterie data fetch delicious`, or set COTERIE_DATA",
    );
    await importDataset("delicious", await folderWith(DELICIOUS), dataHome);
    expect((await loadCatalogue(options)).itemCount).toBe(2);
  });
});

describe("the cache", () => {
  async function setUp() {
    const cache = await folderWith();
    const directory = await folderWith(LASTFM);
    const options = { dataset: "lastfm", directory, peers: 2, dimension: 2, cache };
    return { options, directory, entries: async () => (await readdir(join(cache, "datasets")).catch(() => [])).sort() };
  }

  it("gives back the same catalogue, for any number of peers", async () => {
    const { options, entries } = await setUp();
    const first = await loadCatalogue(options);
    expect(await entries()).toHaveLength(1);
    expect(await loadCatalogue(options)).toEqual(first);
    expect(await loadCatalogue({ ...options, cache: false })).toEqual(first);
    expect((await loadCatalogue({ ...options, peers: 3 })).peers).toHaveLength(3);
    expect(await entries()).toHaveLength(1);
  });

  it("has an entry of its own for another dimension and for other files", async () => {
    const { options, directory, entries } = await setUp();
    const { features } = await loadCatalogue(options);
    await loadCatalogue({ ...options, dimension: 1 });
    expect(await entries()).toHaveLength(2);
    // Of the same size, so that only the contents tell.
    await addFiles(directory, { "tags.dat": LASTFM["tags.dat"].replace("synth", "metal") });
    expect((await loadCatalogue(options)).features).not.toEqual(features);
    expect(await entries()).toHaveLength(3);
  });

  it("has no entry of files that are refused", async () => {
    const { options, directory, entries } = await setUp();
    await addFiles(directory, { "tags.dat": "tagID\ttagValue\n1\n" });
    await expect(loadCatalogue(options)).rejects.toThrow("tags.dat line 2 number of fields");
    expect(await entries()).toEqual([]);
  });

  it("does not hide that a file has gone", async () => {
    const { options, directory } = await setUp();
    await loadCatalogue(options);
    await rm(join(directory, "tags.dat"));
    await expect(loadCatalogue(options)).rejects.toThrow("directory must hold the file tags.dat");
  });

  it("is done without where it cannot be written", async () => {
    const { options } = await setUp();
    const blocked = join(await folderWith({ file: "" }), "file");
    expect((await loadCatalogue({ ...options, cache: blocked })).itemCount).toBe(3);
  });
});
