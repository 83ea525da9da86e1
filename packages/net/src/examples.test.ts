import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "coterie-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = async (name: string, ...args: string[]): Promise<string> => {
  const file = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
  return (await promisify(execFile)(process.execPath, [file, ...args])).stdout;
};

describe("the examples, as built", () => {
  it("one peer alone learns, and remembers", async () => {
    const store = join(folder, "front-page");
    expect(await run("alone.mjs", store)).toContain("remembers 0 rewards");
    const again = await run("alone.mjs", store);
    expect(again).toContain("remembers 40 rewards");
    expect(Number(/(\d+) times: A faster way to sort/.exec(again)?.[1])).toBeGreaterThan(30);
  });

  it("ten peers in one process lose less and less, and borrow from their own kind", async () => {
    const out = await run("ten-peers.mjs");
    const [early, late] = /rounds ([\d.]+), in the last 15 ([\d.]+)/.exec(out)!.slice(1).map(Number);
    expect(late!).toBeLessThan(early! / 3);
    expect(Number(/borrowed: ([\d.]+)/.exec(out)?.[1])).toBeGreaterThan(20);
  });

  it("a web shop sells more as its peer learns, and a second branch begins with what the first knows", async () => {
    const out = await run("web-shop/visitors.mjs");
    const [early, late] = /sold in (\d+) of its first \d+ visits, and in (\d+)/.exec(out)!.slice(1).map(Number);
    expect(late!).toBeGreaterThan(early!);
    expect(Number(/opened later, sold in (\d+)/.exec(out)?.[1])).toBeGreaterThan(8);
  });
});
