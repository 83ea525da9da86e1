import { ConfigError } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folders.ts";
import { plain, plainTimes } from "../testing/plain.ts";
import { DELICIOUS, DELICIOUS_DATES, LASTFM } from "../testing/samples.ts";
import { delicious } from "./delicious.ts";
import { lastfm } from "./lastfm.ts";

const DELICIOUS_READ = {
  itemIds: [1, 2],
  words: { 1: { collection: 1, web: 2, design: 2 }, 2: { library: 1 } },
  users: { 8: [1, 2], 9: [1] },
};

describe("Last.fm", () => {
  it("counts the words of every assignment and gathers each user's artists", async () => {
    const loaded = await lastfm.load(await folderWith(LASTFM));
    expect(plain(loaded)).toEqual({
      itemIds: [10, 20, 30],
      words: {
        10: { metal: 3, doom: 1 },
        20: { synth: 2, pop: 2, female: 1, vocalists: 1 },
        30: { female: 1, vocalists: 1, doom: 1, metal: 1 },
      },
      users: { 3: [10, 20], 7: [10, 20, 30], 9: [30] },
    });
    expect(loaded.counts).toEqual({ users: 3, artists: 3, "tag assignments": 8, tags: 4 });
  });

  it("dates an artist by the user's first tag, to the day", async () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;
    const rows = `${LASTFM["user_taggedartists.dat"]}7\t20\t1\t29\t2\t2008\n7\t30\t1\t31\t12\t2010\n9\t30\t1\t1\t6\t1956\n`;
    const loaded = await lastfm.load(await folderWith({ ...LASTFM, "user_taggedartists.dat": rows }));
    expect(plainTimes(loaded)).toEqual({
      3: { 10: day("2009-05-01"), 20: day("2009-05-01") },
      7: { 10: day("2009-04-01"), 20: day("2008-02-29"), 30: day("2009-05-01") },
      9: { 30: day("1956-06-01") },
    });
  });

  it("does without dates, in a file that has no columns for them", async () => {
    const rows = "userID\tartistID\ttagID\n7\t10\t1\n";
    const loaded = await lastfm.load(await folderWith({ ...LASTFM, "user_taggedartists.dat": rows }));
    expect(loaded.usersTimes).toBeNull();
    expect(plain(loaded).users).toEqual({ 7: [10] });
  });

  it("lets pass and notes artists that are not listed", async () => {
    const { notes } = await lastfm.load(await folderWith(LASTFM));
    expect(notes).toEqual([
      {
        what: "rows whose id is not listed in artists.dat",
        rows: 2,
        first: "user_taggedartists.dat line 8 artistID 30",
      },
    ]);
  });

  it("does without the list of artists", async () => {
    const { "artists.dat": _, ...rest } = LASTFM;
    const folder = await folderWith(rest);
    const loaded = await lastfm.load(folder);
    expect(loaded.itemIds).toEqual([10, 20, 30]);
    expect(loaded.counts).not.toHaveProperty("artists");
    expect(await lastfm.files(folder)).toEqual(["user_taggedartists.dat", "tags.dat"]);
  });

  it("reads Windows line ends and Latin-1", async () => {
    const folder = await folderWith({
      "tags.dat": Buffer.from("tagID\ttagValue\r\n1\tcaf\u00e9 del mar\r\n", "latin1"),
      "user_taggedartists.dat": "userID\tartistID\ttagID\tday\tmonth\tyear\r\n7\t10\t1\t1\t4\t2009\r\n",
    });
    expect(plain(await lastfm.load(folder)).words).toEqual({ 10: { "caf\u00e9": 1, del: 1, mar: 1 } });
  });

  it("keeps an item whose tag has no word out of the catalogue, but with its user", async () => {
    const folder = await folderWith({
      ...LASTFM,
      "tags.dat": LASTFM["tags.dat"].replace("synth-pop", "-_ ").replace("female vocalists", "__"),
    });
    expect(plain(await lastfm.load(folder))).toMatchObject({ itemIds: [10, 30], users: { 3: [10, 20] } });
  });

  const changed = (file: keyof typeof LASTFM, change: (text: string) => string) => ({
    ...LASTFM,
    [file]: change(LASTFM[file]),
  });
  const refused: [string, Record<string, string>, string][] = [
    [
      "a tag that is not listed",
      changed("user_taggedartists.dat", (text) => text.replace("7\t20\t3", "7\t20\t77")),
      'user_taggedartists.dat line 5 tagID must be listed in tags.dat (as in all but 0.1 % of the rows), but is "77"',
    ],
    [
      "a tag listed twice",
      changed("tags.dat", (text) => text.replace("\n2\t", "\n1\t")),
      'tags.dat line 3 tagID must be listed once, but is "1"',
    ],
    [
      "a row cut off",
      changed("user_taggedartists.dat", (text) => text.slice(0, -10)),
      "user_taggedartists.dat line 9 number of fields must be 6, but is 3",
    ],
    [
      "the file of another table",
      changed("tags.dat", () => LASTFM["artists.dat"]),
      'tags.dat line 1 must begin with the header "tagID\\ttagValue"',
    ],
    ["an empty file", changed("tags.dat", () => ""), "tags.dat number of lines must be at least 1, but is 0"],
    [
      "an id that is none",
      changed("artists.dat", (text) => text.replace("\n20\t", "\nB\t")),
      'artists.dat line 3 id must be a whole number from 0 to 2147483647, but is "B"',
    ],
  ];
  const dated: [string, string, string][] = [
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t31\t4\t2009", 'day must be a whole number from 1 to 30, but is "31"'],
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t29\t2\t2009", 'day must be a whole number from 1 to 28, but is "29"'],
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t0\t5\t2009", 'day must be a whole number from 1 to 31, but is "0"'],
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t1\t13\t2009", 'month must be a whole number from 1 to 12, but is "13"'],
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t1\t5\t09", 'year must be a whole number from 1902 to 2037, but is "09"'],
    ["7\t20\t3\t1\t5\t2009", "7\t20\t3\t1\t5\t", 'year must be a whole number from 1902 to 2037, but is ""'],
  ];
  it.each(dated)("refuses a date that is none: %j as %j", async (from, to, sentence) => {
    const folder = await folderWith(changed("user_taggedartists.dat", (text) => text.replace(from, to)));
    await expect(lastfm.load(folder)).rejects.toThrow(`user_taggedartists.dat line 5 ${sentence}`);
  });

  it.each(refused)("refuses %s", async (_, files, sentence) => {
    const folder = await folderWith(files);
    await expect(lastfm.load(folder)).rejects.toThrow(sentence);
    await expect(lastfm.load(folder)).rejects.toThrow(ConfigError);
  });

  it("lets pass and notes one row in a thousand whose tag is not listed", async () => {
    const row = "7\t10\t1\t1\t4\t2009\n";
    const rows = (strays: number) =>
      `${LASTFM["user_taggedartists.dat"].split("\n")[0]}\n${row.repeat(2000 - strays)}${"8\t50\t77\t1\t4\t2009\n".repeat(strays)}`;
    const loaded = await lastfm.load(await folderWith({ ...LASTFM, "user_taggedartists.dat": rows(2) }));
    expect(plain(loaded)).toMatchObject({ itemIds: [10], users: { 7: [10], 8: [50] } });
    expect(loaded.notes[0]).toEqual({
      what: "rows whose id is not listed in tags.dat",
      rows: 2,
      first: "user_taggedartists.dat line 2000 tagID 77",
    });
    await expect(lastfm.load(await folderWith({ ...LASTFM, "user_taggedartists.dat": rows(3) }))).rejects.toThrow(
      "tagID must be listed",
    );
  });

  it("misses files by name", async () => {
    const folder = await folderWith({ "tags.dat": LASTFM["tags.dat"] });
    await expect(lastfm.load(folder)).rejects.toThrow(/^directory must hold the file user_taggedartists.dat, but is /);
    await expect(lastfm.load(`${folder}/nowhere`)).rejects.toThrow(/^directory must be a directory that can be read/);
  });
});

describe("Delicious", () => {
  it("reads the file of timestamps", async () => {
    const loaded = await delicious.load(await folderWith(DELICIOUS));
    expect(plain(loaded)).toEqual(DELICIOUS_READ);
    expect(loaded.usersTimes).toBeNull();
    expect(loaded.counts).toEqual({ users: 2, URLs: 2, bookmarks: 3, "tag assignments": 4, tags: 3 });
  });

  it("reads the file of dates where only that is there", async () => {
    expect(plain(await delicious.load(await folderWith(DELICIOUS_DATES)))).toEqual(DELICIOUS_READ);
  });

  it("takes the timestamps where both are there", async () => {
    const folder = await folderWith({ ...DELICIOUS, "user_taggedbookmarks.dat": "damaged" });
    expect(plain(await delicious.load(folder))).toEqual(DELICIOUS_READ);
    expect(await delicious.files(folder)).toEqual(["user_taggedbookmarks-timestamps.dat", "tags.dat"]);
  });

  it("misses the first where neither is there", async () => {
    const folder = await folderWith({ "tags.dat": DELICIOUS["tags.dat"] });
    await expect(delicious.load(folder)).rejects.toThrow("hold the file user_taggedbookmarks-timestamps.dat");
  });
});
