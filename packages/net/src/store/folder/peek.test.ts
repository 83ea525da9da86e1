import { fstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { entries } from "../testing/history.ts";
import { FILLED, fill, recordsIn, Scratch } from "../testing/stage.ts";
import { folderStore } from "./folder.ts";
import { inspect } from "./inspect.ts";

/** What the peer does while its files are read: before each is, and after. */
const meanwhile = vi.hoisted(() => ({
  before: (_file: number | string): void => {},
  after: async (): Promise<void> => {},
}));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const readFile = (file: number | string, done: (error: Error | null, bytes: Buffer) => void): void => {
    meanwhile.before(file);
    real.readFile(file, (error, bytes) => void meanwhile.after().then(() => done(error, bytes)));
  };
  return { ...real, readFile };
});

const scratch = new Scratch();
afterAll(() => scratch.clear());
afterEach(() => Object.assign(meanwhile, { before: () => {}, after: async () => {} }));

it("reads files that a peer drops meanwhile, as it does after each snapshot", async () => {
  const path = scratch.next();
  await fill(path);
  const records = readdirSync(recordsIn(path)).map((name) => join(recordsIn(path), name));
  const places = new Set(records.map((file) => statSync(file).ino));
  const drop = vi.fn(() => {
    for (const file of records) rmSync(file, { force: true });
  });
  // When the first of them is read; what points to them was read before.
  meanwhile.before = (file) => {
    if (typeof file === "number" && places.has(fstatSync(file).ino)) drop();
  };
  expect(await inspect(path)).toMatchObject({ intact: true, sequence: { last: FILLED + 1 } });
  expect(drop).toHaveBeenCalled();
});

it("takes a log that grows meanwhile for what it was, and for no log that has lost its end", async () => {
  const path = scratch.next();
  await fill(path);
  const store = folderStore(path)();
  await store.open();
  await store.append(entries(FILLED, FILLED + 1));
  let length = FILLED + 1;
  meanwhile.after = async () => {
    await store.append(entries(length, length + 1));
    length += 1;
  };
  expect(await inspect(path)).toMatchObject({ intact: true });
  expect(length).toBeGreaterThan(FILLED + 1);
  await store.close();
});
