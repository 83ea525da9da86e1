import { ClassicLevel } from "classic-level";
import type { Change } from "../shelf.ts";

export type Database = ClassicLevel<string, Uint8Array>;

/**
 * A store is read once and then only written: no cache is worth its memory. Bodies are mostly floating-point numbers,
 * which do not compress. A small write buffer keeps a room of fifty peers in one process small.
 */
const OPTIONS = {
  keyEncoding: "utf8",
  valueEncoding: "view",
  compression: false,
  cacheSize: 64 * 1024,
  writeBufferSize: 1024 * 1024,
} as const;

export async function openDatabase(directory: string, create: boolean): Promise<Database> {
  const database: Database = new ClassicLevel(directory, { ...OPTIONS, createIfMissing: create });
  await database.open();
  return database;
}

/** Reads every pair into `pairs`, so that what came before an error is kept. */
export async function readAll(database: Database, pairs: Map<string, Uint8Array>): Promise<void> {
  const iterator = database.iterator({ fillCache: false });
  try {
    for (;;) {
      const some = await iterator.nextv(1000);
      if (some.length === 0) return;
      for (const [key, value] of some) pairs.set(key, value);
    }
  } finally {
    await iterator.close();
  }
}

/** Atomic, and on the disk when it resolves. */
export async function writeSynced(database: Database, changes: readonly Change[]): Promise<void> {
  const operations = changes.map(({ key, value }) =>
    value === null ? ({ type: "del", key } as const) : ({ type: "put", key, value } as const),
  );
  await database.batch(operations, { sync: true });
}

/** Nothing but these, in one batch. */
export async function clearSynced(database: Database, changes: readonly Change[]): Promise<void> {
  const keys = await database.keys({ fillCache: false }).all();
  await writeSynced(database, [...keys.map((key): Change => ({ key, value: null })), ...changes]);
}

/** Makes of a directory that LevelDB cannot open one that it can, with whatever can still be read. */
export async function repairDatabase(directory: string): Promise<void> {
  await ClassicLevel.repair(directory);
}
