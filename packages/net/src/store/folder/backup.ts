import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError } from "@coterie/core";
import { logKey, snapshotKey } from "../backend.ts";
import { StoreError } from "../errors.ts";
import { read } from "../record.ts";
import { recover } from "../recover.ts";
import { packBackup, unpackBackup } from "./backupFile.ts";
import { refused } from "./errors.ts";
import { createFile, ifThere, names } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import { peek } from "./peek.ts";
import { rebuild } from "./rebuild.ts";

export interface BackedUp {
  readonly file: string;
  readonly bytes: number;
  /** Up to which record of the log it goes. */
  readonly sequence: number;
}

/**
 * Copies a store into one new file, also while a peer runs on it: all that was acknowledged before the call is in it. It
 * holds the peer's key, so only its owner may read it.
 */
export async function backup(path: string, to: string): Promise<BackedUp> {
  const [place, file] = [resolve(path), resolve(to)];
  try {
    const { otherVersion, fault, snapshot, log, book } = recover(await peek(place), nodeSha256);
    if (fault !== null || otherVersion !== null) {
      throw new StoreError(
        "damaged",
        `the store ${place} is damaged (${fault}): start its peer, which repairs it, and try again`,
      );
    }
    const records = (snapshot === null ? log : [snapshot, ...log]).map(({ bytes }) => bytes);
    const bytes = packBackup({ made: Date.now(), incarnation: book.incarnation, records });
    if (!(await createFile(file, bytes))) throw new ConfigError("FILE", to, "be a new file");
    return { file, bytes: bytes.length, sequence: book.head.sequence };
  } catch (error) {
    throw error instanceof ConfigError ? error : refused(place, error);
  }
}

export interface Restored {
  /** When the backup was made: milliseconds since 1970. */
  readonly made: number;
  readonly incarnation: number;
}

/**
 * Makes a store of a backup, in a folder that is empty or not there yet. It begins a new incarnation, so that the peer
 * publishes above every version that it may have published since the backup was made.
 */
export async function restore(from: string, path: string): Promise<Restored> {
  const [file, place] = [resolve(from), resolve(path)];
  try {
    const bytes = await ifThere(readFile(file), null);
    if (bytes === null) throw new ConfigError("FILE", from, "be a backup of a store");
    if ((await names(place)).length > 0) {
      throw new ConfigError("STORE", path, "be an empty or new folder: move the old store away first");
    }
    const { made, incarnation, records } = unpackBackup(file, bytes);
    const pairs = new Map(records.map((record) => [keyOf(file, record), record]));
    const verdict = recover({ pairs, witness: null, fault: null, known: true, incarnation }, nodeSha256);
    if (verdict.fault !== null) throw new ConfigError(file, verdict.fault, "be a whole backup");
    const reason = `restored from a backup of ${new Date(made).toISOString()}`;
    return { made, incarnation: await rebuild(place, verdict, { reason, keptAt: file, restored: true }) };
  } catch (error) {
    throw error instanceof ConfigError ? error : refused(place, error);
  }
}

function keyOf(file: string, bytes: Uint8Array): string {
  const record = read(bytes, nodeSha256);
  if (typeof record === "string") throw new ConfigError(file, `a record that ${record}`, "be a whole backup");
  return record.role === "snapshot" ? snapshotKey(record.sequence) : logKey(record.sequence);
}
