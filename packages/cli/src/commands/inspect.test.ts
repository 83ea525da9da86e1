import { execFile, execFileSync } from "node:child_process";
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);
const example = fileURLToPath(new URL("../../../../examples/alone.mjs", import.meta.url));

describe("coterie inspect", () => {
  it("tells what a peer wrote down, and says of a damaged store that it is", async () => {
    const store = folder.path("store");
    await promisify(execFile)(process.execPath, [example, store]);
    const whole = await coterie(["inspect", store, "--json"]);
    expect(whole.code).toBe(0);
    expect(JSON.parse(whole.out)).toMatchObject({ intact: true, incarnation: 1, damaged: [] });
    expect((await coterie(["inspect", store])).out).toMatch(/^intact\nincarnation 1\n/);
    const records = join(store, "v2", "incarnation-1");
    for (const name of readdirSync(records)) if (name.startsWith("log-")) truncateSync(join(records, name), 100);
    const cut = await coterie(["inspect", store]);
    expect(cut.code).toBe(3);
    expect(cut.err).toContain("is damaged");
  });

  it("does not wait for a pipe in the place of a file", async () => {
    const store = folder.path("piped");
    await promisify(execFile)(process.execPath, [example, store]);
    const records = join(store, "v2", "incarnation-1");
    const log = readdirSync(records).find((name) => name.startsWith("log-"))!;
    rmSync(join(records, log));
    execFileSync("mkfifo", [join(records, log)]);
    const { code, err } = await coterie(["inspect", store]);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(`is damaged: the file ${log} cannot be read (it is not a regular file)`),
    ]);
  });

  it("says so where there is no store", async () => {
    const { code, err } = await refused(["inspect", folder.path("nowhere")]);
    expect(code).toBe(2);
    expect(err).toContain("nowhere");
  });
});
