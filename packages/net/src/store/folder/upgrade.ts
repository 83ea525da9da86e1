import { link, mkdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Contents } from "../backend.ts";
import { StoreError } from "../errors.ts";
import { recover } from "../recover.ts";
import { readVersion1 } from "../version1/read.ts";
import { refused } from "./errors.ts";
import { names, remove, syncDirectory } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import { lock } from "./lock.ts";
import { rebuild } from "./rebuild.ts";
import { ofVersion1, STORE_VERSION, versionAmong } from "./version.ts";

/** What an upgrade came to. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  /** Where the old files are; null where the store was of this version already. */
  readonly keptAt: string | null;
  readonly incarnation: number | null;
  /** What was wrong with the old store; what could be read of it is in the new one. */
  readonly fault: string | null;
}

/** Converts a store of an older version in its place, and keeps the old files in a folder of it. No peer may run on it. */
export async function upgrade(path: string): Promise<Upgraded> {
  const place = resolve(path);
  try {
    const found = await names(place);
    const from = versionAmong(found);
    if (from === null) throw new StoreError("foreign", `there is no store at ${place}`);
    if (from === STORE_VERSION) return { from, to: from, keptAt: null, incarnation: null, fault: null };
    if (from > STORE_VERSION) throw tooNew(place, from);
    return await fromVersion1(place, found);
  } catch (error) {
    throw refused(place, error);
  }
}

const tooNew = (place: string, version: number): StoreError =>
  new StoreError(
    "version",
    `the store ${place} is of version ${version}, and this program upgrades to version ${STORE_VERSION}`,
  );

async function fromVersion1(place: string, found: readonly string[]): Promise<Upgraded> {
  const keptAt = join(place, "v1");
  // An upgrade that was cut short has moved some or all of them already.
  const old = ofVersion1(found);
  if (old.length > 0) {
    const contents = await unused(place, () => readVersion1(place));
    if (contents.pairs.size === 0) throw new StoreError("foreign", `there is no store at ${place}`);
    await mkdir(keptAt, { recursive: true, mode: 0o700 });
    for (const name of old) await rename(join(place, name), join(keptAt, name));
    await syncDirectory(place);
  }
  const verdict = recover(await readVersion1(keptAt), nodeSha256);
  const why = verdict.fault === null ? null : { reason: verdict.fault, keptAt };
  const incarnation = await rebuild(place, verdict, why);
  return { from: 1, to: STORE_VERSION, keptAt, incarnation, fault: verdict.fault };
}

/** With the lock that a program of version 1 takes: its LOCK under another name is the same file to the system. */
async function unused(place: string, work: () => Promise<Contents>): Promise<Contents> {
  const scratch = join(place, "salvage-0");
  await remove(scratch);
  await mkdir(scratch, { mode: 0o700 });
  try {
    for (const name of ofVersion1(await names(place)).filter((it) => it.startsWith("incarnation-"))) {
      await link(join(place, name, "LOCK"), join(scratch, "LOCK")).catch(() => {});
    }
    const unlock = await lock(scratch);
    return await work().finally(unlock);
  } finally {
    await remove(scratch);
  }
}
