import { StoreBusy } from "../errors.ts";
import { forbidden } from "./errors.ts";

/** A page that is reloaded, or closes a peer and opens it again at once, has the lock for a moment longer. */
const GRACE_MS = 2000;

/**
 * A Web Lock, which the browser gives back when a tab is closed or dies. Returns a way to give it back before.
 * Throws `StoreBusy` if another tab, or this one, has it and does not let go soon.
 */
export async function lock(name: string, place: string): Promise<() => Promise<void>> {
  if (!("locks" in navigator) || navigator.locks === undefined) {
    throw forbidden(place, "it is not a secure context, such as https or localhost");
  }
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  const patience = AbortSignal.timeout(GRACE_MS);
  await new Promise<void>((resolve, reject) => {
    done = navigator.locks.request(`coterie store ${name}`, { signal: patience }, () => {
      resolve();
      return held;
    });
    done.catch((error: unknown) => reject(patience.aborted ? new StoreBusy(place) : error));
  });
  return async () => {
    release();
    await done;
  };
}
