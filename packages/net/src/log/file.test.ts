import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LogEntry, parseLog } from "@coterie/core";
import { afterAll, describe, expect, it } from "vitest";
import { logFile } from "./file.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = (id: string): LogEntry => ({ version: 1, kind: "reward", id, at: 0, reward: 1 });

/** Writes some entries, as one process after the other would. */
async function append(path: string, ...ids: string[]): Promise<void> {
  const log = logFile(path);
  for (const id of ids) log(entry(id));
  await log.close();
}

const idsIn = (path: string): string[] => parseLog(readFileSync(path, "utf8")).map(({ id }) => id);

describe("a log in a file", () => {
  it("is appended to, a line an entry", async () => {
    const path = join(folder, "some.jsonl");
    await append(path, "a", "b");
    await append(path, "c");
    expect(idsIn(path)).toEqual(["a", "b", "c"]);
    expect(readFileSync(path, "utf8").endsWith("}\n")).toBe(true);
  });

  it.each([
    ["a line cut off", (text: string) => text.slice(0, -20)],
    ["a newline missing", (text: string) => text.slice(0, -1)],
    ["much that is no line", (text: string) => `${text}${"x".repeat(200_000)}`],
  ])("goes on behind its last whole line: %s", async (_, damage) => {
    const path = join(folder, "damaged.jsonl");
    rmSync(path, { force: true });
    await append(path, "a", "b");
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    await append(path, "c");
    expect(idsIn(path)).toEqual(damaged.includes("x") ? ["a", "b", "c"] : ["a", "c"]);
  });

  it("of nothing but a piece begins anew", async () => {
    const path = join(folder, "piece.jsonl");
    writeFileSync(path, '{"version":1');
    await append(path, "a");
    expect(idsIn(path)).toEqual(["a"]);
  });

  it("that cannot be written is refused by its path", () => {
    expect(() => logFile(join(folder, "none", "x.jsonl"))).toThrow("must be a file that can be written (ENOENT)");
    expect(() => logFile(folder)).toThrow("must be a file that can be written (EISDIR)");
  });
});
