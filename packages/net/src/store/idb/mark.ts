/**
 * That a store was finished here, and in which incarnation: kept in localStorage, apart from the database. A browser that finds
 * its database damaged may begin with an empty one and say nothing; then this shows that there was another. Workers, and
 * pages that may not, do without.
 */
const keyOf = (name: string): string => `coterie store ${name}`;

/** The incarnation; 0 where no store was ever finished, or nobody can tell. */
export function readMark(name: string): number {
  const found = Number(guarded((storage) => storage.getItem(keyOf(name))) ?? 0);
  return Number.isSafeInteger(found) && found > 0 ? found : 0;
}

export function writeMark(name: string, incarnation: number): void {
  guarded((storage) => storage.setItem(keyOf(name), String(incarnation)));
}

export function removeMark(name: string): void {
  guarded((storage) => storage.removeItem(keyOf(name)));
}

function guarded<T>(work: (storage: Storage) => T): T | null {
  try {
    return globalThis.localStorage === undefined ? null : work(globalThis.localStorage);
  } catch {
    // Forbidden, or full: the store itself says so where it matters.
    return null;
  }
}
