import { StoreBusy } from "../errors.ts";
import { forbidden } from "./errors.ts";

/**
 * A Web Lock, which the browser gives back when a tab is closed or dies. Returns a way to give it back before.
 * Throws `StoreBusy` if another tab, or this one, has it.
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
  const got = await new Promise<boolean>((resolve, reject) => {
    done = navigator.locks.request(`coterie store ${name}`, { ifAvailable: true }, (granted) => {
      resolve(granted !== null);
      return granted === null ? undefined : held;
    });
    done.catch(reject);
  });
  if (!got) throw new StoreBusy(place);
  return async () => {
    release();
    await done;
  };
}
