import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { importDataset } from "./import.ts";
import { changeRegister, readRegister, registeredDirectory } from "./register.ts";
import { addFiles, folderWith } from "./testing/folders.ts";
import { LASTFM, MOVIELENS_1M } from "./testing/samples.ts";

describe("importing", () => {
  it("registers a directory by reference", async () => {
    const [home, directory] = [join(await folderWith(), "not", "yet"), await folderWith(LASTFM)];
    const result = await importDataset("lastfm", relative(process.cwd(), directory), home);
    expect(result.status).toBe("partial");
    expect(await registeredDirectory("lastfm", home)).toBe(directory);
    expect(JSON.parse(await readFile(join(home, "datasets.json"), "utf8"))).toEqual({
      version: 1,
      datasets: { lastfm: { directory } },
    });
  });

  it("registers `movielens` as the member of the family that it is", async () => {
    const [home, directory] = [await folderWith(), await folderWith(MOVIELENS_1M)];
    expect((await importDataset("movielens", directory, home)).dataset).toBe("ml-1m");
    expect(await registeredDirectory("ml-1m", home)).toBe(directory);
    expect(await registeredDirectory("movielens", home)).toBe(directory);
    await expect(registeredDirectory("ml-25m", home)).rejects.toThrow("Dataset ml-25m not found");
  });

  it("refuses what is damaged, absent or another dataset, and registers nothing", async () => {
    const home = await folderWith();
    const movies = Array.from({ length: 4000 }, (_, i) => `${i}::T::Drama\n`).join("");
    await expect(
      importDataset("ml-1m", await folderWith({ ...MOVIELENS_1M, "movies.dat": movies }), home),
    ).rejects.toThrow("directory must hold ml-1m (6040 users, not 2)");
    await expect(importDataset("lastfm", await folderWith({ ...LASTFM, "tags.dat": "" }), home)).rejects.toThrow(
      "tags.dat",
    );
    await expect(importDataset("lastfm", await folderWith(), home)).rejects.toThrow(
      "directory must hold user_taggedartists.dat and tags.dat and artists.dat of lastfm",
    );
    expect(await readRegister(home)).toEqual({});
  });
});

describe("the register", () => {
  it("keeps what a change does not speak of", async () => {
    const home = await folderWith();
    const archive = { url: "u", sizeBytes: 1, sha256: "s" };
    await changeRegister(home, "lastfm", { archive });
    await changeRegister(home, "delicious", { directory: "/d" });
    await changeRegister(home, "lastfm", { directory: "/l" });
    expect(await readRegister(home)).toEqual({ lastfm: { archive, directory: "/l" }, delicious: { directory: "/d" } });
  });

  it.each([
    "",
    "{",
    "[]",
    '{"version":2,"datasets":{}}',
    '{"version":1}',
    '{"version":1,"datasets":{"lastfm":{"directory":3}}}',
    '{"version":1,"datasets":{"lastfm":{"archive":{}}}}',
  ])("is refused as %j, not overwritten", async (text) => {
    const home = await folderWith();
    await addFiles(home, { "datasets.json": text });
    await expect(changeRegister(home, "lastfm", {})).rejects.toThrow(/datasets\.json must be a list of datasets/);
    expect(await readFile(join(home, "datasets.json"), "utf8")).toBe(text);
  });
});
