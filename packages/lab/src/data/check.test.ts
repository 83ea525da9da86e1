import { describe, expect, it } from "vitest";
import { checkDataset } from "./check.ts";
import { folderWith } from "./testing/folders.ts";
import { LASTFM, MOVIELENS_1M, MOVIELENS_100K, MOVIELENS_CSV } from "./testing/samples.ts";

describe("a check", () => {
  it("finds a copy partial that falls short, and says in what", async () => {
    const result = await checkDataset("lastfm", await folderWith(LASTFM));
    expect(result).toMatchObject({
      dataset: "lastfm",
      status: "partial",
      counts: [
        { what: "users", found: 3, published: 1892 },
        { what: "artists", found: 3, published: 17632 },
        { what: "tag assignments", found: 8, published: 186479 },
        { what: "tags", found: 4, published: 11946 },
      ],
    });
    expect(result.missing.filter(({ needed }) => needed)).toEqual([]);
    expect(result.missing).toContainEqual({ file: "user_taggedartists-timestamps.dat", needed: false });
    expect(result.notes).toHaveLength(1);
  });

  it("finds a copy partial that lacks a file, and counts what it can", async () => {
    const { "artists.dat": _, ...rest } = LASTFM;
    const without = await checkDataset("lastfm", await folderWith(rest));
    expect(without.status).toBe("partial");
    expect(without.counts.find(({ what }) => what === "artists")?.found).toBeNull();
    expect(without.counts.find(({ what }) => what === "users")?.found).toBe(3);
    expect(without.missing).toContainEqual({ file: "artists.dat", needed: true });
    const empty = await checkDataset("lastfm", await folderWith());
    expect(empty.status).toBe("partial");
    expect(empty.counts.every(({ found }) => found === null)).toBe(true);
  });

  it("finds a copy different that has more of something", async () => {
    const genres = `${MOVIELENS_1M["movies.dat"].toString("latin1")}${Array.from({ length: 4000 }, (_, i) => `${i + 10}::T::Drama\n`).join("")}`;
    const result = await checkDataset("ml-1m", await folderWith({ ...MOVIELENS_1M, "movies.dat": genres }));
    expect(result.status).toBe("different");
  });

  it("tells the members of the MovieLens family apart by their files", async () => {
    const found = async (files: Record<string, string | Uint8Array>) =>
      (await checkDataset("movielens", await folderWith(files))).dataset;
    expect(await found(MOVIELENS_CSV)).toBe("ml-latest-small");
    expect(await found(MOVIELENS_1M)).toBe("ml-1m");
    expect(await found(MOVIELENS_100K)).toBe("ml-100k");
  });

  it("is refused where there is nothing to check", async () => {
    await expect(checkDataset("lastfm", `${await folderWith()}/x`)).rejects.toThrow("directory must be a directory");
    await expect(checkDataset("movielens", await folderWith())).rejects.toThrow("directory must hold ratings.csv");
    const damaged = await folderWith({ ...LASTFM, "tags.dat": "x" });
    await expect(checkDataset("lastfm", damaged)).rejects.toThrow("tags.dat line 1 must begin with the header");
  });
});
