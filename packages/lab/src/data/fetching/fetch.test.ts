import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../catalogue.ts";
import { readRegister } from "../register.ts";
import { serveFiles } from "../testing/fileServer.ts";
import { folderWith } from "../testing/folders.ts";
import { LASTFM, MOVIELENS_CSV } from "../testing/samples.ts";
import { zipOf } from "../testing/zipWriter.ts";
import type { DownloadProgress } from "./download.ts";
import { FetchError } from "./errors.ts";
import { fetchDataset } from "./fetch.ts";

const archiveOf = (files: Record<string, string>, folder = "") =>
  zipOf(Object.entries(files).map(([name, contents]) => ({ name: folder + name, contents })));
const LASTFM_PATH = "hetrec2011/hetrec2011-lastfm-2k.zip";

async function setUp(contents: Uint8Array, path = LASTFM_PATH) {
  const server = await serveFiles({ [path]: { contents, etag: '"1"' } });
  const dataHome = await folderWith();
  let received = 0;
  const onProgress = ({ receivedBytes }: DownloadProgress): void => {
    received = receivedBytes;
  };
  const serve = (changed: Uint8Array, etag = '"2"') => server.files.set(path, { contents: changed, etag });
  const options = { dataHome, baseUrl: server.baseUrl, pauseMs: 1, onProgress };
  return { server, dataHome, serve, arrived: () => received, options };
}

describe("fetching", () => {
  it("unpacks, checks and registers, and a world may leave out the directory", async () => {
    const { options, dataHome } = await setUp(archiveOf(LASTFM));
    const result = await fetchDataset("lastfm", options);
    expect(result).toMatchObject({
      dataset: "lastfm",
      status: "partial",
      directory: join(dataHome, "datasets", "lastfm"),
    });
    expect(result.archive.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(join(result.directory, "tags.dat"), "utf8")).toBe(LASTFM["tags.dat"]);
    expect(await readRegister(dataHome)).toEqual({ lastfm: { directory: result.directory, archive: result.archive } });
    expect(await readdir(join(dataHome, "downloads"))).toEqual([]);
    const catalogue = await loadCatalogue({ dataset: "lastfm", dataHome, peers: 1, dimension: 1, cache: false });
    expect(catalogue.itemCount).toBe(3);
  });

  it("finds the files in the folder of the archive", async () => {
    const path = "movielens/ml-latest-small.zip";
    const { options, dataHome } = await setUp(archiveOf(MOVIELENS_CSV, "ml-latest-small/"), path);
    const { dataset, directory } = await fetchDataset("movielens", options);
    expect(dataset).toBe("ml-latest-small");
    expect(directory).toBe(join(dataHome, "datasets", "ml-latest-small", "ml-latest-small"));
  });

  it("goes on after a break", async () => {
    const contents = archiveOf(LASTFM);
    const { server, options, arrived } = await setUp(contents);
    server.files.set(LASTFM_PATH, { contents, etag: '"1"', breakAfter: [100], arrived });
    expect((await fetchDataset("lastfm", options)).archive.sizeBytes).toBe(contents.length);
    // What was there is not asked for again, however often a busy machine makes it try.
    expect([server.ranges[0], ...new Set(server.ranges.slice(1))]).toEqual(["", "bytes=100-"]);
  });

  it("holds a later download to the first", async () => {
    const { options, dataHome, serve } = await setUp(archiveOf(LASTFM));
    const first = await fetchDataset("lastfm", options);
    expect((await fetchDataset("lastfm", options)).archive).toEqual(first.archive);
    serve(archiveOf({ ...LASTFM, "tags.dat": LASTFM["tags.dat"].replace("synth", "metal") }));
    await expect(fetchDataset("lastfm", options)).rejects.toThrow(
      /is not the file of the first download.*remove "archive" from/,
    );
    expect(await readRegister(dataHome)).toEqual({ lastfm: { directory: first.directory, archive: first.archive } });
    expect(await readFile(join(first.directory, "tags.dat"), "utf8")).toBe(LASTFM["tags.dat"]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["a truncated archive", archiveOf(LASTFM).subarray(0, 500), /not a whole zip archive/],
    ["a path out of the directory", archiveOf({ ...LASTFM, "../evil": "x" }), /written outside its directory/],
    ["an archive of something else", archiveOf({ "readme.txt": "hello" }), /does not hold the files of lastfm/],
    [
      "files that are damaged",
      archiveOf({ ...LASTFM, "tags.dat": "tagID\ttagValue\n1\n" }),
      /tags.dat line 2 number of fields/,
    ],
  ])("refuses %s, leaves nothing behind, and can be tried again", async (_, contents, sentence) => {
    const { options, dataHome, serve } = await setUp(contents);
    await expect(fetchDataset("lastfm", options)).rejects.toThrow(sentence);
    expect(await readRegister(dataHome)).toEqual({});
    expect(await readdir(dataHome, { recursive: true }).then((names) => names.sort())).toEqual([
      "datasets",
      "downloads",
    ]);
    serve(archiveOf(LASTFM));
    expect((await fetchDataset("lastfm", options)).directory).toBe(join(dataHome, "datasets", "lastfm"));
  });

  it("keeps what was there when a later one fails", async () => {
    const { options, dataHome, serve } = await setUp(archiveOf(LASTFM));
    const { directory } = await fetchDataset("lastfm", options);
    serve(Buffer.from("not a zip"));
    await expect(fetchDataset("lastfm", options)).rejects.toThrow(FetchError);
    expect((await loadCatalogue({ dataset: "lastfm", dataHome, peers: 1, dimension: 1, cache: false })).itemCount).toBe(
      3,
    );
    expect(await readdir(directory)).toHaveLength(3);
  });

  it("is refused for a name that is not known", async () => {
    await expect(fetchDataset("netflix", { dataHome: await folderWith() })).rejects.toThrow("dataset must be one of");
  });
});
