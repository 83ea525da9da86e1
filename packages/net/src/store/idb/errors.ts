import { StoreError } from "../errors.ts";

/** What browsers call it when a page may not store anything. */
const FORBIDDEN = new Set(["SecurityError", "InvalidStateError", "NotSupportedError"]);

/** Whatever the browser says, the store's owner hears it as a `StoreError`. */
export function refused(place: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  const said = error instanceof Error ? error.message : String(error);
  if (name === "QuotaExceededError") {
    return new StoreError("full", `the store ${place} has no space left: ${said}`, { cause: error });
  }
  return new StoreError("failed", `the store ${place} failed: ${said}`, { cause: error });
}

/** The same when a store is being opened: there the browser may say that it keeps nothing for this page. */
export function refusedToOpen(place: string, error: unknown): StoreError {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  return FORBIDDEN.has(name) || error instanceof ReferenceError
    ? forbidden(place, String(error))
    : refused(place, error);
}

export function forbidden(place: string, why: string): StoreError {
  return new StoreError(
    "forbidden",
    `the store ${place} cannot be kept: this page may store nothing (${why}); allow it, or choose a store in memory`,
  );
}
