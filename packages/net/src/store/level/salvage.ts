import { openDatabase, readAll, repairDatabase } from "./database.ts";
import { damage } from "./errors.ts";
import { linkFiles, remove } from "./files.ts";
import { salvageCopy } from "./layout.ts";

/** What can be read of a database's files, and what was wrong with them. */
export interface Salvaged {
  readonly pairs: Map<string, Uint8Array>;
  readonly fault: string | null;
}

/** Reads a copy in `directory` that may be spoilt. What cannot be read as it is may still be read after a repair. */
export async function salvage(directory: string): Promise<Salvaged> {
  const pairs = new Map<string, Uint8Array>();
  const fault = await attempt(directory, pairs);
  if (fault === null) return { pairs, fault };
  const repaired = new Map<string, Uint8Array>();
  try {
    await repairDatabase(directory);
    await attempt(directory, repaired);
  } catch {
    // Nothing more to be had. The caller keeps the original, and is told of the first fault.
  }
  for (const [key, value] of pairs) repaired.set(key, value);
  return { pairs: repaired, fault };
}

async function attempt(directory: string, pairs: Map<string, Uint8Array>): Promise<string | null> {
  try {
    const database = await openDatabase(directory, false);
    await readAll(database, pairs).finally(() => database.close());
    return null;
  } catch (error) {
    const fault = damage(error);
    if (fault === null) throw error;
    return fault;
  }
}

/** As `salvage`, on links beside the original, which stays as it is. */
export async function salvageBeside(original: string, path: string): Promise<Salvaged> {
  const copy = salvageCopy(path);
  try {
    await linkFiles(original, copy);
    return await salvage(copy);
  } finally {
    await remove(copy);
  }
}
