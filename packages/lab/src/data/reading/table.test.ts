import { ConfigError } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folders.ts";
import { readTable, type TableFormat, type TableRow } from "./table.ts";

const TABBED: TableFormat = { separator: "\t", contents: "numbers", columns: ["userID", "tagID"], header: true };
const CSV: TableFormat = { separator: ",", contents: "text", columns: ["id", "title"], header: true, quoted: true };
const BARE: TableFormat = { separator: "::", contents: "text", columns: ["id", "title"], header: false };

async function read(contents: string, format: TableFormat, take: (row: TableRow) => unknown): Promise<unknown[]> {
  const folder = await folderWith({ "f.dat": contents });
  const taken: unknown[] = [];
  const rows = await readTable(folder, "f.dat", format, (row) => taken.push(take(row)));
  expect(rows).toBe(taken.length);
  return taken;
}
const ids = (row: TableRow) => [row.id(0), row.id(1)];
const texts = (row: TableRow) => [row.line, row.text(0), row.text(1)];

describe("a table", () => {
  it("passes over blank lines and columns that do not matter", async () => {
    expect(await read("userID\ttagID\tday\n1\t2\t3\n\n4\t5\t6\n", TABBED, ids)).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(await read("1::a\n2::b", BARE, texts)).toEqual([
      [1, "1", "a"],
      [2, "2", "b"],
    ]);
  });

  it("may have optional columns, all of them or none", async () => {
    const format: TableFormat = { ...TABBED, optional: ["day", "month"] };
    const take = (row: TableRow) => (row.hasOptional ? [row.id(2), row.id(3)] : null);
    expect(await read("userID\ttagID\tday\tmonth\tx\n1\t2\t3\t4\t5\n", format, take)).toEqual([[3, 4]]);
    expect(await read("userID\ttagID\tday\n1\t2\t3\n", format, take)).toEqual([null]);
    expect(await read("userID\ttagID\n1\t2\n", format, take)).toEqual([null]);
    await expect(read("userID\ttagID\tday\tmonth\n1\t2\t3\tMay\n", format, take)).rejects.toThrow(
      'f.dat line 2 month must be a whole number from 0 to 2147483647, but is "May"',
    );
  });

  it("may have a quoted field over several lines", async () => {
    expect(await read('id,title\n1,"a,\r\nb"\n2,c\n', CSV, (row) => [row.text(0), row.text(1)])).toEqual([
      ["1", "a,\nb"],
      ["2", "c"],
    ]);
  });

  it.each([
    ["", TABBED, "f.dat number of lines must be at least 1, but is 0"],
    ["userID\ttagID\n", TABBED, "f.dat number of rows must be at least 1, but is 0"],
    [
      "tagID\tuserID\n1\t2\n",
      TABBED,
      'f.dat line 1 must begin with the header "userID\\ttagID", but is "tagID\\tuserID"',
    ],
    ["1\t2\n3\t4\n", TABBED, 'f.dat line 1 must begin with the header "userID\\ttagID", but is "1\\t2"'],
    ["userID\ttagID\n1\t2\n1\n", TABBED, "f.dat line 3 number of fields must be 2, but is 1"],
    ["userID\ttagID\n1\t2\t3\n", TABBED, "f.dat line 2 number of fields must be 2, but is 3"],
    ["userID\ttagID\n1\tx\n", TABBED, 'f.dat line 2 tagID must be a whole number from 0 to 2147483647, but is "x"'],
    ["userID\ttagID\n1\t\n", TABBED, 'f.dat line 2 tagID must be a whole number from 0 to 2147483647, but is ""'],
    ["userID\ttagID\n-1\t2\n", TABBED, 'f.dat line 2 userID must be a whole number from 0 to 2147483647, but is "-1"'],
    ["userID\ttagID\n1\t2147483648\n", TABBED, "f.dat line 2 tagID must be a whole number"],
    ["userID\ttagID\n1\t9999999999999\n", TABBED, "f.dat line 2 tagID must be a whole number"],
  ] as const)("%j is refused in one sentence", async (contents, format, sentence) => {
    await expect(read(contents, format, ids)).rejects.toThrow(sentence);
    await expect(read(contents, format, ids)).rejects.toThrow(ConfigError);
  });

  it.each([
    ['id,title\n1,"a\n2,b\n', 'f.dat line 2 must close its double quotes, but is "1,\\"a\\n2,b"'],
    [`id,title\n1,"a\n${"2,b\n".repeat(40_000)}`, "f.dat line 2 must close its double quotes"],
    ['id,title\n1,"a"b\n', "f.dat line 2 must have a comma or its end after a closing quote"],
  ])("%.20j is refused for its quotes", async (contents, sentence) => {
    await expect(read(contents, CSV, texts)).rejects.toThrow(sentence);
  });

  it("reads numbers within bounds alone", async () => {
    const rating = (row: TableRow) => row.number(1, 0.5, 5);
    expect(await read("1::4.5\n1::5", BARE, rating)).toEqual([4.5, 5]);
    for (const bad of ["0", "5.5", "", "four", "4.", "1e0", " 4", "NaN"]) {
      await expect(read(`1::${bad}`, BARE, rating)).rejects.toThrow(
        `f.dat line 1 title must be a number from 0.5 to 5, but is "${bad}"`,
      );
    }
  });
});
