import { pause } from "../pause.ts";

/** The time, and a way to be called later. Everything that waits in the SDK waits on one of these. */
export interface Clock {
  /** Milliseconds since 1970. A pending choice outlives the process, so its deadline is a date. */
  now(): number;
  /** Calls back once; returns a way to stop that. */
  after(delayMs: number, callback: () => void): () => void;
  /** Lets others have their turn, where they have waited for a while. Absent where nobody waits. */
  pause?(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer: unknown = setTimeout(callback, delayMs);
    // A program whose work is done ends; a peer's own ticking is no work of the program's.
    if (hasUnref(timer)) timer.unref();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
  // A server is not looked at. Peers that start together in one process shall be reached as soon as they look for each other.
  ...("process" in globalThis ? {} : { pause }),
};

/** Timers are objects in Node and numbers in a browser. */
const hasUnref = (timer: unknown): timer is { unref(): void } => typeof timer === "object" && timer !== null;
