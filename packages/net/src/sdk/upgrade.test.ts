import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dcb, dccb, kindred, type Policy, solo } from "@coterie/core";
import { afterAll, describe, expect, it } from "vitest";
import { vectors } from "../features/index.ts";
import { FORMAT, type Format, formatOf, layoutOf } from "../host/format.ts";
import { BACKUP_VERSION } from "../store/folder/backupFile.ts";
import { nodeSha256 } from "../store/folder/hash.ts";
import { folderStore, inspect, restore, upgrade } from "../store/folder/index.ts";
import { peek } from "../store/folder/peek.ts";
import { VERSION_FOLDER } from "../store/folder/version.ts";
import { memoryDisk, memoryStore } from "../store/memory.ts";
import { recover } from "../store/recover.ts";
import type { StoreFactory } from "../store/store.ts";
import { filesIn } from "../store/testing/stage.ts";
import { createPeer } from "./createPeer.ts";
import type { PeerEvent } from "./events.ts";

/** Made by programs of earlier versions, and by this one (testing/fixtures/make.mjs). */
const FIXTURES = fileURLToPath(new URL("../testing/fixtures", import.meta.url));
const VERSIONS = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((it) => it.isDirectory())
  .map((it) => it.name);
const POLICIES: Readonly<Record<string, Policy>> = {
  kindred: kindred(),
  dccb: dccb({ delay: { rounds: 3 } }),
  solo: solo(),
  young: kindred(),
};

interface Was {
  readonly origin: string | null;
  readonly own: number;
  readonly round: number;
  readonly members: readonly string[];
  readonly estimate: readonly number[];
  readonly pending: number;
}

const scratch = mkdtempSync(join(tmpdir(), "coterie-upgrade-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let copies = 0;
function copyOf(version: string, name: string): string {
  const copy = join(scratch, `${copies++}`);
  cpSync(join(FIXTURES, version, name), copy, { recursive: true });
  return copy;
}

async function open(name: string, store: StoreFactory) {
  const events: PeerEvent[] = [];
  // A choice of the fixture must not have expired since.
  const reward = { timeoutMs: 1e12 };
  const peer = await createPeer({
    room: name,
    policy: POLICIES[name]!,
    features: vectors(2),
    store,
    reward,
    tick: false,
    onEvent: (event) => events.push(event),
  });
  return { peer, events };
}

const stateOf = (version: string): Readonly<Record<string, Was>> =>
  JSON.parse(readFileSync(join(FIXTURES, version, "state.json"), "utf8"));

/** Of an export: its own version, and the format and the layout of the state in it. */
function versionsIn(bytes: Uint8Array): number[] {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const state = at.indexOf("CSAV", 0, "latin1");
  return [at.readUInt32LE(4), ...(state < 0 ? [1, 1] : [at.readUInt32LE(state + 4), at.readUInt32LE(state + 8)])];
}

/** Of a store's state. Records of another version would be refused. */
const formatIn = async (path: string): Promise<Format | null> => {
  const { snapshot, log } = recover(await peek(path), nodeSha256);
  return formatOf({ snapshot: snapshot?.body ?? null, entries: log });
};

const cases = VERSIONS.flatMap((version) => Object.keys(POLICIES).map((name) => [version, name] as const));

describe("what an earlier version wrote", () => {
  it("there is some", () => {
    expect(VERSIONS).toContain("45e3010");
  });

  it.each(Object.keys(POLICIES))("is kept of every version, the present one too: %s", async (name) => {
    const { peer } = await open(name, memoryStore());
    const exported = versionsIn(peer.export());
    await peer.close();
    // The folder of the store, each record in it, the state, the policy's layout: whatever is raised needs another fixture.
    const [path, now] = [join(scratch, `now-${name}`), { format: FORMAT, layout: layoutOf(POLICIES[name]!) }];
    const { peer: fresh } = await open(name, folderStore(path));
    await fresh.close();
    const made = "made by make.mjs, beside the fixtures";
    const stores = VERSIONS.filter((version) => existsSync(join(FIXTURES, version, name, VERSION_FOLDER)));
    const formats = await Promise.all(stores.map((version) => formatIn(join(FIXTURES, version, name))));
    expect(formats, made).toContainEqual(now);
    expect(await formatIn(path)).toEqual(now);
    if (name === "young") return;
    const exports = VERSIONS.map((version) => versionsIn(readFileSync(join(FIXTURES, version, `${name}.export`))));
    expect(exports, made).toContainEqual(exported);
    const backups = VERSIONS.map((version) => join(FIXTURES, version, "kindred.backup")).filter((file) =>
      existsSync(file),
    );
    expect(
      backups.map((file) => readFileSync(file).readUInt32LE(4)),
      made,
    ).toContain(BACKUP_VERSION);
  });

  it.each(cases)("%s: a store of %s goes on", async (version, name) => {
    const path = copyOf(version, name);
    const was = stateOf(version)[name]!;
    const done = await upgrade(path);
    const { peer, events } = await open(name, folderStore(path));
    const now = peer.state();
    const { own, round, members, pending } = was;
    expect(now).toMatchObject({ own, round, pending, quarantined: null });
    // Who was there is no longer kept; how many is.
    expect(peer.host.peer.peers).toBe(members.length + 1);
    if (was.origin !== null) expect(now.origin).toBe(was.origin);
    const told = events.filter(({ kind }) => kind === "upgraded");
    const lends = peer.state().policy === "kindred";
    // Only kindred has ever changed what it writes; others go on to the bit.
    if (!lends) expect(now.estimate).toEqual(was.estimate);
    if (done.from === 1) {
      const dropped = lends ? "what it knew of others; they tell it again" : "";
      expect(told).toEqual([{ kind: "upgraded", from: 1, to: FORMAT, dropped }]);
    }
    await peer.close();
    // Once is enough.
    const again = await open(name, folderStore(path));
    expect(again.peer.state()).toMatchObject({ own, round, pending, incarnation: now.incarnation });
    expect(again.events.filter(({ kind }) => kind === "upgraded")).toEqual([]);
    await again.peer.close();
  });

  it.each(cases.filter(([, name]) => name !== "young"))("%s: an export of %s is imported", async (version, name) => {
    const was = stateOf(version)[name]!;
    for (const file of [`${name}.export`, `${name}-without-key.export`]) {
      const { peer } = await open(name, memoryStore());
      await peer.import(readFileSync(join(FIXTURES, version, file)));
      const { own, round, pending } = was;
      expect(peer.state()).toMatchObject({ own, round, pending });
      expect(peer.state().origin).toBe(file.includes("without") ? null : was.origin);
      if (name !== "kindred") expect(peer.state().estimate).toEqual(was.estimate);
      await peer.close();
    }
  });
});

describe("a backup of an earlier version", () => {
  const backups = VERSIONS.filter((version) => existsSync(join(FIXTURES, version, "kindred.backup")));
  it.each(backups)("%s is restored, and the peer goes on", async (version) => {
    const path = join(scratch, `restored-${version}`);
    await restore(join(FIXTURES, version, "kindred.backup"), path);
    const { peer } = await open("kindred", folderStore(path));
    const { own, round, pending } = stateOf(version).kindred!;
    expect(peer.state()).toMatchObject({ own, round, pending, incarnation: 2 });
    await peer.close();
  });
});

describe("a store of version 1", () => {
  it("is refused with a sentence and the command, and nothing is touched", async () => {
    const path = copyOf("45e3010", "kindred");
    const before = filesIn(path);
    const refusal = { name: "StoreError", reason: "version" };
    await expect(open("kindred", folderStore(path))).rejects.toMatchObject(refusal);
    await expect(inspect(path)).rejects.toMatchObject(refusal);
    await expect(folderStore(path)().open()).rejects.toThrow(
      `the store ${path} is of version 1, and this program reads version 2: \`coterie upgrade ${path}\` converts it`,
    );
    expect(filesIn(path)).toEqual(before);
  });

  it("is kept as it was when it is upgraded; an upgrade that was cut short goes on", async () => {
    const path = copyOf("45e3010", "kindred");
    const before = filesIn(path);
    await upgrade(path);
    expect(filesIn(join(path, "v1"))).toEqual(before);
    rmSync(join(path, "v2"), { recursive: true });
    await expect(open("kindred", folderStore(path))).rejects.toMatchObject({ reason: "version" });
    await upgrade(path);
    const { peer } = await open("kindred", folderStore(path));
    expect(peer.state().own).toBe(stateOf("45e3010").kindred!.own);
    await peer.close();
    expect(await upgrade(path)).toMatchObject({ from: 2, to: 2, keptAt: null });
  });

  it("whose blocks are damaged gives what is left, and says so; LevelDB would end the process", async () => {
    const path = copyOf("45e3010", "kindred");
    const table = join(path, "incarnation-1", "000005.ldb");
    const bytes = readFileSync(table);
    bytes.fill(0, 2048, 2560);
    writeFileSync(table, bytes);
    const done = await upgrade(path);
    expect(done.fault).toMatch(/^the database cannot be read: 000005\.ldb/);
    const { peer, events } = await open("kindred", folderStore(path));
    expect(events[0]).toMatchObject({ kind: "repaired", keptAt: join(path, "v1") });
    await peer.close();
  });
});

describe("a store of version 1 under other options", () => {
  const others = [
    dccb({ delay: { rounds: 5 } }),
    dccb({ delay: { rounds: 3 }, sharing: "mutual" }),
    dcb({ delay: { rounds: 3 } }),
    solo(),
    kindred(),
  ];
  it.each(others.map((policy) => [policy.kind, policy] as const))(
    "is refused by name, and kept: %s",
    async (_, policy) => {
      const path = copyOf("45e3010", "dccb");
      await upgrade(path);
      const before = filesIn(path);
      const opening = createPeer({ room: "dccb", policy, features: vectors(2), store: folderStore(path), tick: false });
      await expect(opening).rejects.toThrow(
        /^store must be of room dccb, with the same features, policy and range of rewards, but is "of room dccb, with other ones"$/,
      );
      const after = filesIn(path);
      for (const [name, bytes] of before)
        if (!name.includes("lock")) expect([name, after.get(name)]).toEqual([name, bytes]);
    },
  );
});

describe("a store of a later version", () => {
  it("of the folder is refused, and nothing is touched", async () => {
    const path = copyOf("45e3010", "solo");
    await upgrade(path);
    cpSync(join(path, "v2"), join(path, "v3"), { recursive: true });
    const before = filesIn(path);
    await expect(open("solo", folderStore(path))).rejects.toThrow(
      `the store ${path} is of version 3, and this program reads version 2: run a program that reads it, or restore a backup`,
    );
    await expect(upgrade(path)).rejects.toMatchObject({ reason: "version" });
    expect(filesIn(path)).toEqual(before);
  });

  it.each([
    [4, FORMAT + 1, /is of format 8, and this program reads up to 7/],
    [8, 9, /is of layout 9 of solo, and this program reads up to 1/],
  ])("of the state is refused, and nothing is touched", async (at, version, sentence) => {
    const disk = memoryDisk();
    const { peer } = await open("solo", memoryStore(disk));
    await peer.import(readFileSync(join(FIXTURES, "45e3010", "solo.export")));
    await peer.close();
    // Only a later program could have written this; it would have hashed it as we do.
    const { write, read } = await import("../store/record.ts");
    const { sha256 } = await import("../sha256.ts");
    for (const [key, bytes] of disk.pairs) {
      const record = read(bytes, sha256);
      if (typeof record === "string" || record.role !== "snapshot") continue;
      new DataView(record.body.buffer, record.body.byteOffset).setUint32(at, version, true);
      disk.pairs.set(key, write(record, sha256).bytes);
    }
    const before = new Map(disk.pairs);
    await expect(open("solo", memoryStore(disk))).rejects.toMatchObject({ name: "StoreError", reason: "version" });
    await expect(open("solo", memoryStore(disk))).rejects.toThrow(sentence);
    expect(disk).toMatchObject({ pairs: before, damaged: [], incarnation: 1 });
  });
});
