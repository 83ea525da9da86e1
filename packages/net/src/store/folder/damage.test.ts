import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@coterie/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { write } from "../record.ts";
import { bundled, run } from "../testing/child.ts";
import { entries, lengthOf, snapshotOf } from "../testing/history.ts";
import { FILLED, filesIn, fill, homeIn, recordsIn, reopened, Scratch } from "../testing/stage.ts";
import { folderStore } from "./folder.ts";
import { frame } from "./frame.ts";
import { nodeSha256 } from "./hash.ts";

const scratch = new Scratch();
const sound = scratch.next();
beforeAll(() => fill(sound));
afterAll(() => scratch.clear());

/** Two snapshots, the log between them in one file, and the log since in another. */
const OLDER = "snapshot-0000000000003d";
const NEWER = "snapshot-00000000000051";
const BETWEEN = "log-0000000000003e";
const SINCE = "log-00000000000052";

/** Opens after the damage; then the store must work on, and stay whole. */
async function recoveredFrom(path: string) {
  const told = await reopened(path);
  const length = lengthOf(told);
  const store = folderStore(path)();
  await store.open();
  await store.append(entries(length, length + 3));
  await store.checkpoint(snapshotOf(length + 3));
  await store.close();
  const later = await reopened(path);
  expect(later).toMatchObject({ incarnation: told.incarnation, quarantined: null });
  expect(lengthOf(later)).toBe(length + 3);
  return { told, length };
}

const swap = (one: string, other: string): void => {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
};

describe("one damaged file", () => {
  it("there are four", () => {
    const names = [...filesIn(recordsIn(sound)).keys()].sort();
    expect(names).toEqual([BETWEEN, SINCE, OLDER, NEWER]);
  });

  const zeroed = (file: string): void => writeFileSync(file, Buffer.alloc(readFileSync(file).length));
  const garbage = (file: string): void => writeFileSync(file, Buffer.alloc(3000, 7));
  const empty = (file: string): void => truncateSync(file, 0);
  it.each([
    ["the newer snapshot is zeroed", NEWER, zeroed, FILLED, /^snapshot record 81 does not match its hash$/],
    ["the newer snapshot is empty", NEWER, empty, FILLED, /^snapshot record 81 has 0 bytes/],
    ["the older snapshot is garbage", OLDER, garbage, FILLED, /^snapshot record 61 does not match/],
    ["the older snapshot is missing", OLDER, rmSync, FILLED, /^a snapshot is missing$/],
    ["the log between them is missing", BETWEEN, rmSync, FILLED, /^log record 62 is missing$/],
    ["the log between them is zeroed", BETWEEN, zeroed, FILLED, /^log record 62 is missing$/],
    [
      "the log since is missing",
      SINCE,
      rmSync,
      80,
      /^the log ends at record 81, but record 101 had been acknowledged$/,
    ],
    ["the log since is garbage", SINCE, garbage, 80, /^the log ends at record 81, but record 101 had been/],
  ])("%s: what is elsewhere is rebuilt, the rest is kept and told of", async (_, name, damage, length, reason) => {
    const path = scratch.copyOf(sound);
    damage(join(recordsIn(path), name));
    const before = filesIn(recordsIn(path));
    const { told, length: came } = await recoveredFrom(path);
    expect([told.incarnation, came]).toEqual([2, length]);
    expect(told.quarantined?.reason).toMatch(reason);
    expect(told.quarantined?.keptAt).toBe(join(homeIn(path), "damaged-1"));
    expect(filesIn(join(homeIn(path), "damaged-1"))).toEqual(before);
  });

  it("costs nothing where the older snapshot and the log still have all", async () => {
    const path = scratch.copyOf(sound);
    rmSync(join(recordsIn(path), NEWER));
    const told = await reopened(path);
    expect([told.quarantined, lengthOf(told)]).toEqual([null, FILLED]);
  });

  it.each([
    [OLDER, NEWER],
    [NEWER, SINCE],
    [BETWEEN, SINCE],
    [OLDER, BETWEEN],
  ])("%s and %s are swapped: records say themselves what they are", async (one, other) => {
    const path = scratch.copyOf(sound);
    swap(join(recordsIn(path), one), join(recordsIn(path), other));
    const { told, length } = await recoveredFrom(path);
    expect(length).toBe(FILLED);
    expect(told.quarantined?.reason).toMatch(/holds another's records/);
  });

  it("the log and its own witness are swapped: nobody else could tell that the log's end is gone", async () => {
    const path = scratch.copyOf(sound);
    swap(join(recordsIn(path), SINCE), join(homeIn(path), "witness"));
    const { told, length } = await recoveredFrom(path);
    expect(length).toBe(80);
    expect(told.quarantined?.reason).toMatch(/^the file log-00000000000052 holds another's records/);
  });

  it("a snapshot that lies there as the other one too is no other snapshot", async () => {
    const path = scratch.copyOf(sound);
    copyFileSync(join(recordsIn(path), OLDER), join(recordsIn(path), NEWER));
    const { told, length } = await recoveredFrom(path);
    expect(length).toBe(FILLED);
    expect(told.quarantined?.reason).toMatch(/^the file snapshot-00000000000051 holds another's records/);
  });

  it("the folder of the records is missing: everything is lost, and that is told", async () => {
    const path = scratch.copyOf(sound);
    rmSync(recordsIn(path), { recursive: true });
    const { told, length } = await recoveredFrom(path);
    expect([told.incarnation, length]).toEqual([2, 0]);
    expect(told.quarantined?.reason).toMatch(/^there are no records/);
  });

  it("the lock's own files may be anything", async () => {
    const path = scratch.copyOf(sound);
    for (const name of filesIn(join(homeIn(path), "lock")).keys()) {
      writeFileSync(join(homeIn(path), "lock", name), Buffer.alloc(300, 7));
    }
    const told = await reopened(path);
    expect([told.quarantined, lengthOf(told)]).toEqual([null, FILLED]);
  });
});

describe("a pipe that nobody writes to, in the place of a file", () => {
  /** In a process of its own: what waits for a pipe waits for ever. */
  async function opened(path: string, enough: number): Promise<{ opened: number; length: number }> {
    const { child, ended } = run(await bundled("opener.ts"), [path, String(enough)]);
    const patience = setTimeout(() => child.kill("SIGKILL"), 40_000);
    const { out, err } = await ended;
    clearTimeout(patience);
    expect(err).toBe("");
    return Object.assign(
      {},
      ...out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    );
  }

  const pipe = (file: string): void => {
    rmSync(file);
    execFileSync("mkfifo", [file]);
  };
  const records = ["v2", "incarnation-1"];
  it.each([
    ["the newer snapshot", [...records, NEWER], FILLED, 3],
    ["the log since", [...records, SINCE], 80, 3],
    ["the pointer", ["v2", "current"], FILLED, 3],
    // More than a pipe takes that nobody reads.
    ["the witness", ["v2", "witness"], FILLED, 1000],
    ["a file of the lock", ["v2", "lock", "CURRENT"], FILLED, 3],
  ])("%s: the store opens and goes on", { timeout: 90_000 }, async (_, file, length, more) => {
    const path = scratch.copyOf(sound);
    pipe(join(path, ...file));
    expect(await opened(path, FILLED + more)).toEqual({ opened: length, length: FILLED + more });
    const told = await reopened(path);
    expect([told.quarantined, lengthOf(told)]).toEqual([null, FILLED + more]);
    expect(readdirSync(homeIn(path)).filter((name) => name.startsWith("damaged"))).toEqual(
      file[1] === "incarnation-1" ? ["damaged-1"] : [],
    );
  });
});

describe("a write that was cut short", () => {
  it.each([1, 7, 30, 400])("by %d bytes counts for nothing, and nobody was told of it", async (bytes) => {
    const path = scratch.next();
    const store = folderStore(path)();
    await store.open();
    await store.append(entries(0, 3));
    await store.close();
    const whole = readFileSync(join(recordsIn(path), "log-00000000000001"));
    const next = join(recordsIn(path), "log-00000000000005");
    const again = folderStore(path)();
    await again.open();
    await again.append(entries(3, 9));
    await again.close();
    // As if neither the batch nor what was said of it afterwards had arrived.
    truncateSync(next, readFileSync(next).length - bytes);
    rmSync(join(homeIn(path), "witness"));
    const told = await reopened(path);
    expect([told.quarantined, lengthOf(told)]).toEqual([null, 3]);
    const { length } = await recoveredFrom(path);
    expect(length).toBe(3);
    expect(readFileSync(join(recordsIn(path), "log-00000000000001"))).toEqual(whole);
  });
});

describe("another version", () => {
  const record = (version: number): Uint8Array => {
    const { bytes } = write(
      {
        role: "entry",
        more: false,
        incarnation: 1,
        sequence: 102,
        previous: new Uint8Array(16),
        kind: "x",
        body: new Uint8Array(9),
      },
      nodeSha256,
    );
    bytes[0] = version;
    bytes.set(nodeSha256(bytes, bytes.length - 16).subarray(0, 16), bytes.length - 16);
    return bytes;
  };

  it("of a record is refused, and nothing is touched", async () => {
    const path = scratch.copyOf(sound);
    writeFileSync(join(recordsIn(path), "log-00000000000066"), frame([record(9)]));
    const before = filesIn(path);
    const refused = folderStore(path)().open();
    await expect(refused).rejects.toMatchObject({ name: "StoreError", reason: "version" });
    await expect(folderStore(path)().open()).rejects.toThrow(
      /has records of version 9, and this program reads version 1/,
    );
    const after = filesIn(path);
    for (const [name, bytes] of before)
      if (!name.includes("lock")) expect([name, after.get(name)]).toEqual([name, bytes]);
  });

  it("is not what a turned byte makes of a record", async () => {
    const path = scratch.copyOf(sound);
    const bytes = readFileSync(join(recordsIn(path), NEWER));
    bytes[0] = 9;
    writeFileSync(join(recordsIn(path), NEWER), bytes);
    const { told, length } = await recoveredFrom(path);
    expect([told.incarnation, length]).toEqual([2, FILLED]);
  });
});

it("any one byte of any file may turn: a true prefix comes back, and all of it unless it is reported", async () => {
  const random = Random.seeded(7);
  const targets = [...filesIn(sound)].filter(([, bytes]) => bytes.length > 0);
  let reported = 0;
  for (let n = 0; n < 60; n++) {
    const [name, bytes] = targets[n % targets.length]!;
    const path = scratch.copyOf(sound);
    const at = random.below(bytes.length);
    writeFileSync(
      join(path, name),
      Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ (1 << random.below(8)) : byte)),
    );
    const told = await reopened(path);
    const length = lengthOf(told);
    expect(length).toBeLessThanOrEqual(FILLED);
    // Nothing that stands in a snapshot is lost by one damage.
    expect([name, at, length >= 80]).toEqual([name, at, true]);
    // Beside the records there is nothing that they could not do without.
    if (!name.includes("incarnation-1")) expect([name, at, told.quarantined]).toEqual([name, at, null]);
    if (told.quarantined === null) expect([name, at, length]).toEqual([name, at, FILLED]);
    else reported += 1;
    rmSync(path, { recursive: true });
  }
  expect(reported).toBeGreaterThan(10);
});
