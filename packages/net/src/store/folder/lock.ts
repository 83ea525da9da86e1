import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { filesIn, names, remove } from "./files.ts";

/**
 * A lock against other processes that the system gives back when this one dies, however it dies. Node has none; LevelDB
 * has one on every system, so an empty database serves as the lock and for nothing else. Its files hold nothing, so
 * they are thrown away where LevelDB cannot read them; only LOCK stays, because another process may hold it. What is no
 * file goes before LevelDB sees it: it would wait for a pipe.
 */
export async function lock(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const files = await filesIn(directory);
  for (const name of await names(directory)) if (!files.includes(name)) await remove(join(directory, name));
  const database = await opened(directory).catch(async (error: unknown) => {
    if (isHeld(error)) throw error;
    for (const name of await filesIn(directory)) if (name !== "LOCK") await remove(join(directory, name));
    return opened(directory);
  });
  return () => database.close();
}

async function opened(directory: string): Promise<ClassicLevel> {
  const database = new ClassicLevel(directory, { cacheSize: 0, writeBufferSize: 64 * 1024 });
  await database.open();
  return database;
}

const isHeld = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  "code" in error.cause &&
  error.cause.code === "LEVEL_LOCKED";
