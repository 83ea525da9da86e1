import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStore } from "../folder/folder.ts";
import type { Recovered } from "../store.ts";
import { entries, snapshotOf } from "./history.ts";

/** A folder for stores that is cleared away with `clear`. */
export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), "coterie-store-"));
  #count = 0;

  /** A path where nothing is yet. */
  next(): string {
    this.#count += 1;
    return join(this.folder, `peer-${this.#count}`);
  }

  copyOf(path: string): string {
    const copy = this.next();
    cpSync(path, copy, { recursive: true });
    return copy;
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Entries of `fill`: two snapshots, of the first 60 and 80, and the log since the first. */
export const FILLED = 100;

/** A store with two snapshots, closed. */
export async function fill(path: string): Promise<void> {
  const store = folderStore(path)();
  await store.open();
  for (let n = 0; n < 60; n += 2) await store.append(entries(n, n + 2));
  await store.close();
  await store.open();
  await store.checkpoint(snapshotOf(60));
  for (let n = 60; n < 80; n++) await store.append(entries(n, n + 1));
  await store.checkpoint(snapshotOf(80));
  for (let n = 80; n < FILLED; n++) await store.append(entries(n, n + 1));
  await store.close();
}

export async function reopened(path: string): Promise<Recovered> {
  const store = folderStore(path)();
  const told = await store.open();
  await store.close();
  return told;
}

/** Every file under a folder, by its path. */
export function filesIn(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return new Map(
    files.map((it) => [
      join(it.parentPath, it.name).slice(folder.length + 1),
      readFileSync(join(it.parentPath, it.name)),
    ]),
  );
}

/** Where a store of this version keeps all that is its own, and the records of its first incarnation. */
export const homeIn = (path: string): string => join(path, "v2");
export const recordsIn = (path: string): string => join(path, "v2", "incarnation-1");

/** A store whose newest snapshot cannot be read: nothing is lost, and it must be repaired. */
export function spoil(path: string): void {
  const newest = readdirSync(recordsIn(path))
    .filter((name) => name.startsWith("snapshot-"))
    .sort()
    .at(-1)!;
  writeFileSync(join(recordsIn(path), newest), "spoilt");
}
