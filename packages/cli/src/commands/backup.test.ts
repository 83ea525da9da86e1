import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";

const folder = scratch();
afterAll(folder.remove);
const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const alone = async (store: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [at("examples/alone.mjs"), store])).stdout;

describe("coterie backup and restore", () => {
  it("make a store again of one file, and the peer goes on", async () => {
    const [store, file, copy] = [folder.path("store"), folder.path("backup"), folder.path("copy")];
    await alone(store);
    const backed = await coterie(["backup", store, file]);
    const said = /^backed up to .*: \d+ bytes, up to record \d+\n$/;
    expect([backed.code, backed.out]).toEqual([0, expect.stringMatching(said)]);
    const restored = await coterie(["restore", file, copy, "--json"]);
    expect([restored.code, JSON.parse(restored.out)]).toEqual([0, { incarnation: 2, made: expect.any(Number) }]);
    expect(await alone(copy)).toMatch(/^remembers 40 rewards\n/);
  });

  it("take no other store's place", async () => {
    const store = folder.path("taken");
    mkdirSync(join(store, "v2"), { recursive: true });
    const { code, err } = await coterie(["restore", at("README.md"), store]);
    expect([code, err]).toEqual([2, expect.stringContaining("STORE must be an empty or new folder")]);
  });
});

describe("a store that commit 45e3010 wrote", () => {
  it("is refused with exit code 2 and the command that converts it, which keeps it", async () => {
    const store = folder.path("old");
    cpSync(at("packages/net/src/testing/fixtures/45e3010/kindred"), store, { recursive: true });
    const before = readdirSync(store).sort();
    const peer = ["peer", "--room", "kindred", "--store", store, "--dimension", "2", "--listen", "none"];
    const { code, err } = await coterie(peer);
    expect([code, err]).toEqual([2, expect.stringContaining(`\`coterie upgrade ${store}\` converts it`)]);
    expect(readdirSync(store).sort()).toEqual(before);
    const done = await coterie(["upgrade", store]);
    const kept = join(store, "v1");
    expect([done.code, done.out]).toEqual([
      0,
      `${store} is of version 2 now; the files of version 1 are kept at ${kept}\n`,
    ]);
    expect(readdirSync(kept).sort()).toEqual(before);
  });
});
