import { join } from "node:path";
import { ConfigError } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folders.ts";
import { type FileContents, readLines } from "./lines.ts";

async function linesOf(contents: string | Uint8Array, kind: FileContents = "text"): Promise<string[]> {
  const folder = await folderWith({ file: contents });
  const lines: string[] = [];
  await readLines(join(folder, "file"), kind, (line, number) => {
    lines.push(line);
    expect(number).toBe(lines.length);
  });
  return lines;
}

describe("lines of a file", () => {
  it("end in LF or CRLF, the last one in either or in neither", async () => {
    expect(await linesOf("a\nb\r\n\nc")).toEqual(["a", "b", "", "c"]);
    expect(await linesOf("a\nb\n")).toEqual(["a", "b"]);
    expect(await linesOf("")).toEqual([]);
  });

  it("are UTF-8 where the whole file is, also where a character lies across two chunks", async () => {
    // One byte, then two-byte characters: every boundary at an even offset cuts one of them.
    const text = `x${"é".repeat(1_200_000 / 2)}\n`.repeat(2);
    expect(await linesOf(`a\n${text}`)).toEqual(["a", ...text.trimEnd().split("\n")]);
  });

  it("are Latin-1 where any byte of the file is not UTF-8, from the first line on", async () => {
    const bytes = Buffer.concat([Buffer.from("caf\u00e9\n", "utf8"), Buffer.from("caf\u00e9\n", "latin1")]);
    expect(await linesOf(bytes)).toEqual(["caf\u00c3\u00a9", "caf\u00e9"]);
  });

  it("are Latin-1 where the file ends within a character of UTF-8", async () => {
    expect(await linesOf(Buffer.from([0x61, 0xc3]))).toEqual(["a\u00c3"]);
  });

  it.each(["text", "numbers"] as const)("drop a byte order mark (%s)", async (kind) => {
    expect(await linesOf("\ufeff1\n2\n", kind)).toEqual(["1", "2"]);
  });

  it("are refused where one is longer than memory should hold", async () => {
    await expect(linesOf(`a\n${"x".repeat(3 << 20)}`)).rejects.toThrow(/^file line 2 length must be at most 1048576/);
  });

  it("are missed by the name of the file and its directory", async () => {
    const folder = await folderWith({ "directory/x": "" });
    const read = (name: string) => readLines(join(folder, name), "text", () => {});
    await expect(read("absent")).rejects.toThrow(/^directory must hold the file absent, but is /);
    await expect(read("absent")).rejects.toThrow(ConfigError);
    await expect(read("directory")).rejects.toThrow("directory must be a file that can be read");
  });
});
