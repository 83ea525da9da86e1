import { StoreBusy, StoreError } from "../errors.ts";

/**
 * One database per store, and all of it in one place, so that every step is one transaction:
 *
 *     records   [incarnation, key] -> bytes
 *     place     "current" -> the incarnation that counts; "witness" -> how far the log has come
 *     damaged   name -> the pairs of an incarnation as they were when damage was found
 */
export type TableName = "records" | "place" | "damaged";
const TABLES: readonly TableName[] = ["records", "place", "damaged"];
const VERSION = 1;

export const databaseName = (name: string): string => `coterie/${name}`;

/**
 * Throws with nothing touched where something else has the name, or a later version of the program. `lost` hears why the
 * database cannot be used any more, if that happens while it is open.
 */
export async function openDatabase(
  name: string,
  place: string,
  lost: (error: StoreError) => void = () => {},
): Promise<IDBDatabase> {
  const database = await request(name, place);
  if (TABLES.some((table) => !database.objectStoreNames.contains(table))) {
    database.close();
    throw new StoreError("foreign", `${place} is not a store: another database has the name ${databaseName(name)}`);
  }
  // Whoever deletes it or converts it has to wait until all others have let go.
  database.onversionchange = ({ newVersion }) => {
    database.close();
    lost(newVersion === null ? deleted(place) : taken(place));
  };
  // The browser closes it by itself when its data are cleared, or its files cannot be read.
  database.onclose = () => lost(deleted(place));
  return database;
}

const deleted = (place: string): StoreError =>
  new StoreError("damaged", `the store ${place} was deleted while it was open: open it again`);
const taken = (place: string): StoreError =>
  new StoreError("version", `a later version of this page has taken the store ${place} over: reload this tab`);
const ofLater = (place: string, cause: unknown): StoreError =>
  new StoreError("version", `the store ${place} is of a later version than this page reads: reload the page`, {
    cause,
  });

function request(name: string, place: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws at once where a page may store nothing.
    const request = indexedDB.open(databaseName(name), VERSION);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    // An old tab that does not let go. When it does, nobody waits here any more, and the next to convert it must not wait for us.
    let refused = false;
    request.onblocked = () => {
      refused = true;
      reject(new StoreBusy(place));
    };
    request.onerror = () =>
      reject(request.error?.name === "VersionError" ? ofLater(place, request.error) : request.error);
    request.onsuccess = () => (refused ? request.result.close() : resolve(request.result));
  });
}

export function deleteDatabase(name: string): Promise<void> {
  return answer(indexedDB.deleteDatabase(databaseName(name))).then(() => {});
}

export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** All that `work` asks for or nothing, and on the disk when it resolves: "complete" alone may mean "in a cache". */
export function change(
  database: IDBDatabase,
  work: (table: (name: TableName) => IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLES, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
    try {
      work((name) => transaction.objectStore(name));
    } catch (error) {
      reject(error);
      transaction.abort();
    }
  });
}

/** All keys of one incarnation. */
export const keysOf = (incarnation: number): IDBKeyRange =>
  IDBKeyRange.bound([incarnation, ""], [incarnation, []], false, true);

/** Reads every pair into `pairs`, one by one, so that what came before an error is kept. */
export function readAll(database: IDBDatabase, incarnation: number, pairs: Map<string, Uint8Array>): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = database.transaction("records").objectStore("records").openCursor(keysOf(incarnation));
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor === null) return resolve();
      const [, key] = cursor.key as [number, string];
      pairs.set(key, bytesOf(cursor.value));
      cursor.continue();
    };
  });
}

/** What is no longer bytes has none: the records' own checks tell what that means. */
export const bytesOf = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array());
