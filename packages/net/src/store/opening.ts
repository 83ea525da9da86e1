import type { Backend } from "./backend.ts";
import { type Book, begun, blank, witness } from "./book.ts";
import { StoreError } from "./errors.ts";
import { type Hash, RECORD_VERSION } from "./record.ts";
import { recover } from "./recover.ts";
import { cutBack, rebuilt, recovered } from "./repair.ts";
import type { Recovered } from "./store.ts";

/** An open store's book, and what its owner is told. */
export interface OpenedBook {
  readonly book: Book;
  readonly told: Recovered;
}

/** Takes the backend, begins a store there or recovers the one it has, and repairs what is damaged. */
export async function openBook(backend: Backend, hash: Hash, signal?: AbortSignal): Promise<OpenedBook> {
  const recovery = recover(await backend.open(), hash);
  signal?.throwIfAborted();
  // What stands there is not damaged, and must not be treated so.
  if (recovery.otherVersion !== null) throw ofVersion(backend.place, recovery.otherVersion);
  if (recovery.fault !== null && !recovery.fresh) {
    const why = { reason: recovery.fault, keptAt: await backend.quarantine() };
    const { book, pairs } = rebuilt(recovery, why, hash);
    await backend.replace(pairs, book.incarnation, witness(book, hash));
    return { book, told: { ...recovered({ ...recovery, book }), quarantined: why } };
  }
  let { book } = recovery;
  if (recovery.fresh) {
    const first = begun(blank(book.incarnation), null, hash);
    await backend.write(first.changes, witness(first.book, hash));
    book = first.book;
  }
  await backend.settle();
  return { book, told: recovered({ ...recovery, book }) };
}

/**
 * After a failed write. A database goes on as if nothing had been, and may lose what comes next. So the backend is opened anew,
 * and cut back to what was acknowledged, before anything more is written.
 */
export async function reopenBook(backend: Backend, hash: Hash, acknowledged: Book): Promise<Book> {
  await backend.close();
  const recovery = recover(await backend.open(), hash);
  const cut = cutBack(recovery, acknowledged);
  if (cut === null) {
    const what = recovery.fault ?? "acknowledged records are missing";
    throw new StoreError("damaged", `the store ${backend.place} is damaged (${what}): open it again to recover`);
  }
  if (cut.changes.length > 0) await backend.write(cut.changes, witness(cut.book, hash));
  await backend.settle();
  return cut.book;
}

const ofVersion = (place: string, version: number): StoreError =>
  new StoreError(
    "version",
    `the store ${place} has records of version ${version}, and this program reads version ${RECORD_VERSION}: run the program that wrote it, or restore a backup that this one made`,
  );
