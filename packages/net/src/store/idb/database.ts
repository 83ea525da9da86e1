/**
 * One database per store, and all of it in one place, so that every step is one transaction:
 *
 *     records   [incarnation, key] -> bytes
 *     place     "current" -> the incarnation that counts; "witness" -> how far the log has come
 *     damaged   name -> the pairs of an incarnation as they were when damage was found
 */
export type Table = "records" | "place" | "damaged";
const TABLES: readonly Table[] = ["records", "place", "damaged"];
const VERSION = 1;

export const databaseName = (name: string): string => `coterie/${name}`;

export function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Throws at once where a page may store nothing.
    const request = indexedDB.open(databaseName(name), VERSION);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
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
export function change(database: IDBDatabase, work: (table: (name: Table) => IDBObjectStore) => void): Promise<void> {
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
