import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folders.ts";
import { type ZipMember, zipOf } from "../testing/zipWriter.ts";
import { FetchError } from "./errors.ts";
import { type UnzipLimits, unzip } from "./unzip.ts";

async function unpacked(archive: Uint8Array, limits?: UnzipLimits): Promise<Record<string, string>> {
  const folder = await folderWith({ "a.zip": archive, "into/.keep": "" });
  const into = join(folder, "into");
  await unzip(join(folder, "a.zip"), into, limits ? { limits } : {});
  const files: Record<string, string> = {};
  for (const entry of await readdir(into, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && entry.name !== ".keep") files[path.slice(into.length + 1)] = await readFile(path, "utf8");
  }
  return files;
}

describe("a zip archive", () => {
  it("is unpacked, packed or stored, with folders and a comment", async () => {
    const long = "abc ".repeat(100_000);
    const archive = zipOf(
      [
        { name: "ml/", stored: true },
        { name: "ml/movies.csv", contents: long },
        { name: "ml/deep/é.txt", contents: "stored", stored: true },
        { name: "empty", contents: "", stored: true },
      ],
      "PK\u0005\u0006 a comment",
    );
    expect(await unpacked(archive)).toEqual({ "ml/movies.csv": long, "ml/deep/é.txt": "stored", empty: "" });
  });

  it.each(["../evil", "a/../../evil", "/evil", "C:/evil", "a\\..\\evil", "a//b", "./a", "..", "a\0b", ""])(
    "with the name %j is refused before anything is written",
    async (name) => {
      const folder = await folderWith({
        "a.zip": zipOf([
          { name: "good", contents: "x" },
          { name, contents: "x" },
        ]),
      });
      const into = join(folder, "into");
      await expect(unzip(join(folder, "a.zip"), into)).rejects.toThrow("which would be written outside its directory");
      expect(await readdir(folder)).toEqual(["a.zip"]);
    },
  );

  const x: ZipMember = { name: "x", contents: "contents" };
  it.each<[string, readonly ZipMember[], string]>([
    ["a checksum that does not match", [{ ...x, claims: { crc32: 1 } }], '"x" does not match its checksum'],
    ["more than it states", [{ ...x, claims: { bytes: 3 } }], '"x" is longer than it states'],
    ["less than it states", [{ ...x, claims: { bytes: 30 } }], '"x" is shorter than it states'],
    [
      "stored bytes said to be packed",
      [{ ...x, stored: true, claims: { method: 8 } }],
      'the archive is damaged at "x": Z_',
    ],
    ["an unknown method", [{ ...x, claims: { method: 12 } }], 'the archive packs "x" by unknown method 12'],
    ["an encrypted file", [{ ...x, claims: { flags: 1 } }], '"x", which is encrypted'],
    ["a link", [{ ...x, claims: { mode: 0xa1ff } }], '"x", which is a link'],
    ["a name twice", [x, x], 'the archive holds "x" twice'],
  ])("with %s is refused", async (_, members, sentence) => {
    await expect(unpacked(zipOf(members))).rejects.toThrow(sentence);
    await expect(unpacked(zipOf(members))).rejects.toThrow(FetchError);
  });

  it("is refused for its size or number of files", async () => {
    const archive = zipOf([x, { ...x, name: "y" }]);
    await expect(unpacked(archive, { bytes: 15, entries: 2 })).rejects.toThrow("unpacks to 16 bytes, more than 15");
    await expect(unpacked(archive, { bytes: 16, entries: 1 })).rejects.toThrow("holds 2 files, more than 1");
    expect(await unpacked(archive, { bytes: 16, entries: 2 })).toEqual({ x: "contents", y: "contents" });
  });

  it("is refused cut off at any byte", async () => {
    const archive = zipOf([{ name: "x", contents: "some contents" }]);
    for (let length = 0; length < archive.length; length++) {
      await expect(unpacked(archive.subarray(0, length)), `${length} bytes`).rejects.toThrow(FetchError);
    }
  });

  it("is refused where its directory is beside its mark", async () => {
    const archive = zipOf([x]);
    await expect(unpacked(Buffer.concat([Buffer.alloc(7), archive]))).rejects.toThrow(
      "the directory of the archive is damaged",
    );
  });
});
