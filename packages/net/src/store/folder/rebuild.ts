import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { logKey, snapshotKey } from "../backend.ts";
import { witness } from "../book.ts";
import type { RecoveryPlan } from "../recover.ts";
import { rebuilt } from "../repair.ts";
import type { Quarantine } from "../store.ts";
import { FolderBackend } from "./backend.ts";
import { remove, syncDirectory } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import { homeOf } from "./layout.ts";

/**
 * Makes a store out of what was found elsewhere: a new incarnation that says `why` it began, or the same one where nothing
 * may have been lost. It is made apart and put in its place in one step, so that a crash leaves none or all of it.
 */
export async function rebuild(path: string, verdict: RecoveryPlan, why: Quarantine | null): Promise<number> {
  const apart = join(path, "making");
  await mkdir(path, { recursive: true, mode: 0o700 });
  await remove(apart);
  const backend = new FolderBackend(apart);
  await backend.open();
  const { book, pairs } = why === null ? same(verdict) : rebuilt(verdict, why, nodeSha256);
  try {
    await backend.replace(pairs, book.incarnation, witness(book, nodeSha256));
  } finally {
    await backend.close();
  }
  await rename(homeOf(apart), homeOf(path));
  await remove(apart);
  await syncDirectory(path);
  return book.incarnation;
}

function same({ book, snapshot, log }: RecoveryPlan): ReturnType<typeof rebuilt> {
  const pairs = new Map(log.map(({ sequence, bytes }) => [logKey(sequence), bytes]));
  if (snapshot !== null) pairs.set(snapshotKey(snapshot.sequence), snapshot.bytes);
  return { book, pairs };
}
