import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ServedFile, serveFiles } from "../testing/fileServer.ts";
import { addFiles, folderWith } from "../testing/folders.ts";
import { type DownloadProgress, download } from "./download.ts";
import { FetchError } from "./errors.ts";

const contents = (seed: number) => Uint8Array.from({ length: 100_000 }, (_, i) => (i * seed + (i >> 8)) & 255);
const OLD = contents(7);
const NEW = contents(11);
const DATE = "Wed, 26 Sep 2018 21:50:00 GMT";

async function expectFile(path: string, expected: Uint8Array): Promise<void> {
  expect(Buffer.compare(await readFile(path), expected)).toBe(0);
}

async function setUp(file: ServedFile) {
  let arrived = 0;
  const server = await serveFiles({ f: { ...file, arrived: () => arrived } });
  const folder = await folderWith();
  const path = join(folder, "f");
  const onProgress = ({ receivedBytes }: DownloadProgress): void => {
    arrived = receivedBytes;
  };
  const get = (options = {}) => download(`${server.baseUrl}f`, path, { pauseMs: 1, onProgress, ...options });
  return { server, file, folder, path, get };
}

describe("a download", () => {
  it("is written whole, and says how far it is", async () => {
    const { get, path, folder } = await setUp({ contents: OLD, etag: '"1"' });
    const seen: DownloadProgress[] = [];
    await get({ onProgress: (progress: DownloadProgress) => seen.push(progress) });
    await expectFile(path, OLD);
    expect(await readdir(folder)).toEqual(["f"]);
    expect(seen.at(-1)).toEqual({ receivedBytes: OLD.length, totalBytes: OLD.length });
  });

  it.each([
    ["a strong ETag", { etag: '"1"' }, '"1"'],
    ["a date, beside a weak ETag", { etag: 'W/"1"', lastModified: DATE }, DATE],
  ])("goes on where it broke off, by %s", async (_, validators, condition) => {
    const { server, get, path } = await setUp({ contents: OLD, ...validators, breakAfter: [40_000, 30_000] });
    await get();
    await expectFile(path, OLD);
    expect(server.ranges).toEqual(["", "bytes=40000-", "bytes=70000-"]);
    expect(server.conditions).toEqual(["", condition, condition]);
  });

  it("goes on in a later call", async () => {
    const { server, get, path, folder } = await setUp({ contents: OLD, etag: '"1"', breakAfter: [40_000, 0, 0] });
    await expect(get({ attempts: 2 })).rejects.toThrow("40000 bytes are kept, and fetching again continues from there");
    expect((await readdir(folder)).sort()).toEqual(["f.part", "f.part.json"]);
    await get();
    await expectFile(path, OLD);
    expect(server.ranges.at(-1)).toBe("bytes=40000-");
  });

  it.each([false, true])(
    "begins anew where the file changed in between (server ignores If-Range: %s)",
    async (ignoresIfRange) => {
      const { server, get, path } = await setUp({ contents: OLD, etag: '"1"', breakAfter: [40_000, 0] });
      await expect(get({ attempts: 1 })).rejects.toThrow(FetchError);
      server.files.set("f", { contents: NEW, etag: '"2"', ignoresIfRange });
      await get();
      await expectFile(path, NEW);
    },
  );

  it("begins anew where the file became shorter than what is there", async () => {
    const { server, get, path } = await setUp({ contents: OLD, etag: '"1"', breakAfter: [40_000, 0] });
    await expect(get({ attempts: 1 })).rejects.toThrow(FetchError);
    server.files.set("f", { contents: NEW.subarray(0, 100), etag: '"2"', ignoresIfRange: true });
    await get();
    await expectFile(path, NEW.subarray(0, 100));
  });

  it("begins anew where the server has nothing to tell the file by", async () => {
    const { server, get, path } = await setUp({ contents: OLD, breakAfter: [40_000] });
    await get();
    await expectFile(path, OLD);
    expect(server.ranges).toEqual(["", ""]);
  });

  it("takes what is whole but was not yet renamed, without asking", async () => {
    const { server, folder, get, path } = await setUp({ contents: NEW, etag: '"2"' });
    const origin = { url: `${server.baseUrl}f`, validator: '"1"', totalBytes: OLD.length };
    await addFiles(folder, { "f.part": OLD, "f.part.json": JSON.stringify(origin) });
    await get();
    await expectFile(path, OLD);
    expect(server.ranges).toEqual([]);
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("begins anew where what is there came from another address, or from nobody knows where", async () => {
    for (const origin of [JSON.stringify({ url: "http://127.0.0.1/g", validator: '"1"', totalBytes: 100_000 }), "{"]) {
      const { folder, get, path } = await setUp({ contents: NEW, etag: '"1"' });
      await addFiles(folder, { "f.part": OLD.subarray(0, 50), "f.part.json": origin });
      await get();
      await expectFile(path, NEW);
    }
  });

  it("does without a length", async () => {
    const { get, path } = await setUp({ contents: OLD, hidesLength: true });
    const seen: DownloadProgress[] = [];
    await get({ onProgress: (progress: DownloadProgress) => seen.push(progress) });
    await expectFile(path, OLD);
    expect(seen.at(-1)).toEqual({ receivedBytes: OLD.length, totalBytes: null });
  });

  it("fails at once on an answer that will not change, and after some attempts on one that may", async () => {
    const absent = await setUp({ contents: OLD, status: 404 });
    await expect(absent.get()).rejects.toThrow(/\/f: the server answered 404$/);
    expect(absent.server.ranges).toHaveLength(1);
    const busy = await setUp({ contents: OLD, status: 503 });
    await expect(busy.get({ attempts: 3 })).rejects.toThrow("the server answered 503");
    expect(busy.server.ranges).toHaveLength(3);
  });

  it("fails where nobody answers", async () => {
    const path = join(await folderWith(), "f");
    await expect(download("http://127.0.0.1:1/f", path, { attempts: 1 })).rejects.toThrow("no connection");
  });

  it("stops when it is told to, and keeps what it has", async () => {
    const { get, folder, path, server } = await setUp({ contents: OLD, etag: '"1"', breakAfter: [40_000] });
    const stop = new AbortController();
    const reason = new Error("interrupted");
    await expect(get({ signal: stop.signal, onProgress: () => stop.abort(reason) })).rejects.toThrow("interrupted");
    expect((await readdir(folder)).sort()).toEqual(["f.part", "f.part.json"]);
    await get();
    await expectFile(path, OLD);
    expect(server.ranges[1]).toMatch(/^bytes=\d+-$/);
  });
});
