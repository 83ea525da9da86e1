import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folders.ts";
import { plain, plainTimes } from "../testing/plain.ts";
import { MOVIELENS_1M, MOVIELENS_100K, MOVIELENS_CSV } from "../testing/samples.ts";
import { movielens } from "./movielens.ts";

describe("MovieLens in CSV", () => {
  it("counts genres once and tags each time, and takes ratings of 4 or more", async () => {
    const loaded = await movielens.load(await folderWith(MOVIELENS_CSV));
    expect(plain(loaded)).toEqual({
      itemIds: [1, 2, 3],
      words: {
        1: { adventure: 1, animation: 2, pixar: 1 },
        2: { sci: 1, fi: 1, film: 1, noir: 1 },
        3: { dark: 1, '"dark",': 1, very: 1 },
      },
      users: { 1: [1, 4], 2: [1, 3] },
    });
    expect(loaded.counts).toEqual({ users: 3, movies: 4, ratings: 6, "tag applications": 3 });
    expect(loaded.notes).toEqual([]);
  });

  it("keeps the time of the first rating of 4 or more", async () => {
    const ratings = `${MOVIELENS_CSV["ratings.csv"]}1,2,5.0,1200000000\r\n1,4,4.0,900000000\r\n`;
    const loaded = await movielens.load(await folderWith({ ...MOVIELENS_CSV, "ratings.csv": ratings }));
    expect(plainTimes(loaded)).toEqual({
      1: { 1: 964982703, 2: 1200000000, 4: 900000000 },
      2: { 1: 964982703, 3: 964982703 },
    });
  });

  it("does without a column of times", async () => {
    const ratings = "userId,movieId,rating\n1,1,4.0\n";
    const loaded = await movielens.load(await folderWith({ ...MOVIELENS_CSV, "ratings.csv": ratings }));
    expect(loaded.usersTimes).toBeNull();
    expect(plain(loaded).users).toEqual({ 1: [1] });
  });

  it("does with no tag at all, but not without the file", async () => {
    const folder = await folderWith({ ...MOVIELENS_CSV, "tags.csv": "userId,movieId,tag,timestamp\n" });
    expect((await movielens.load(folder)).counts["tag applications"]).toBe(0);
    const { "tags.csv": _, ...rest } = MOVIELENS_CSV;
    await expect(movielens.load(await folderWith(rest))).rejects.toThrow("directory must hold the file tags.csv");
  });

  const changed = (file: keyof typeof MOVIELENS_CSV, from: string, to: string) => ({
    ...MOVIELENS_CSV,
    [file]: MOVIELENS_CSV[file].replace(from, to),
  });
  const refused: [string, Record<string, string>, string][] = [
    [
      "a rating out of bounds",
      changed("ratings.csv", "3.5", "6.0"),
      'ratings.csv line 3 rating must be a number from 0.5 to 5, but is "6.0"',
    ],
    [
      "a time that is none, even of a rating below 4",
      changed("ratings.csv", "1,2,3.5,964982703", "1,2,3.5,2000-07-30"),
      'ratings.csv line 3 timestamp must be a whole number from 0 to 2147483647, but is "2000-07-30"',
    ],
    [
      "a time in milliseconds",
      changed("ratings.csv", "1,2,3.5,964982703", "1,2,3.5,964982703000"),
      'ratings.csv line 3 timestamp must be a whole number from 0 to 2147483647, but is "964982703000"',
    ],
    [
      "a movie that is not listed",
      changed("ratings.csv", "2,3,", "2,33,"),
      'ratings.csv line 6 movieId must be listed in movies.csv (as in all but 0.1 % of the rows), but is "33"',
    ],
    [
      "a tag of a movie that is not listed",
      changed("tags.csv", "1,3,", "1,33,"),
      "tags.csv line 2 movieId must be listed in movies.csv",
    ],
    [
      "a tagger that is no id",
      changed("tags.csv", "1,3,", "me,3,"),
      'tags.csv line 2 userId must be a whole number from 0 to 2147483647, but is "me"',
    ],
    [
      "a movie listed twice",
      changed("movies.csv", "\n4,", "\n1,"),
      'movies.csv line 5 movieId must be listed once, but is "1"',
    ],
    [
      "columns in another order",
      changed("ratings.csv", "userId,movieId", "movieId,userId"),
      'ratings.csv line 1 must begin with the header "userId,movieId,rating"',
    ],
  ];
  it.each(refused)("refuses %s", async (_, files, sentence) => {
    await expect(movielens.load(await folderWith(files))).rejects.toThrow(sentence);
  });
});

describe("MovieLens 1M", () => {
  it("has genres alone", async () => {
    const folder = await folderWith(MOVIELENS_1M);
    const loaded = await movielens.load(folder);
    expect(plain(loaded)).toEqual({
      itemIds: [1, 6],
      words: { 1: { animation: 1, "children's": 1 }, 6: { film: 1, noir: 1 } },
      users: { 1: [1], 2: [6] },
    });
    expect(loaded.counts).toEqual({ users: 2, movies: 2, ratings: 3 });
    expect(plainTimes(loaded)).toEqual({ 1: { 1: 978300760 }, 2: { 6: 978301968 } });
    expect(await movielens.files(folder)).toEqual(["movies.dat", "ratings.dat"]);
  });

  it("refuses a time that is none", async () => {
    const folder = await folderWith({ ...MOVIELENS_1M, "ratings.dat": "1::1::5::-1\n" });
    await expect(movielens.load(folder)).rejects.toThrow(
      'ratings.dat line 1 Timestamp must be a whole number from 0 to 2147483647, but is "-1"',
    );
  });

  it("refuses a row with too few fields", async () => {
    const folder = await folderWith({ ...MOVIELENS_1M, "ratings.dat": "1::1::5\n" });
    await expect(movielens.load(folder)).rejects.toThrow("ratings.dat line 1 number of fields must be 4, but is 3");
  });
});

describe("MovieLens 100k", () => {
  it("reads genres from flags, of which `unknown` is none", async () => {
    const loaded = await movielens.load(await folderWith(MOVIELENS_100K));
    expect(plain(loaded)).toEqual({
      itemIds: [1, 3],
      words: { 1: { animation: 1, film: 1, noir: 1 }, 3: { war: 1 } },
      users: { 196: [1, 2] },
    });
    expect(plainTimes(loaded)).toEqual({ 196: { 1: 881250949, 2: 881250949 } });
    expect(loaded.counts).toEqual({ users: 2, movies: 3, ratings: 3 });
  });

  it("refuses flags and genres that are not as they should be", async () => {
    const items = MOVIELENS_100K["u.item"].toString("latin1");
    const flag = await folderWith({ ...MOVIELENS_100K, "u.item": items.replace("|0\n", "|2\n") });
    await expect(movielens.load(flag)).rejects.toThrow('u.item line 1 Western must be 0 or 1, but is "2"');
    const few = await folderWith({ ...MOVIELENS_100K, "u.genre": "unknown|0\nAction|1\n" });
    await expect(movielens.load(few)).rejects.toThrow("u.genre number of rows must be 19, but is 2");
    const order = await folderWith({ ...MOVIELENS_100K, "u.genre": "Action|1\nunknown|0\n" });
    await expect(movielens.load(order)).rejects.toThrow('u.genre line 1 index must be 0, counting from 0, but is "1"');
  });
});

describe("which MovieLens it is", () => {
  it("must be clear from the files", async () => {
    await expect(movielens.load(await folderWith())).rejects.toThrow(
      "directory must hold ratings.csv or ratings.dat or u.data",
    );
    await expect(movielens.load(await folderWith({ ...MOVIELENS_CSV, ...MOVIELENS_1M }))).rejects.toThrow(
      "directory must hold one MovieLens dataset, not ratings.csv and ratings.dat",
    );
  });
});
