/** The time, and a way to be called later. Everything that waits in the SDK waits on one of these. */
export interface Clock {
  /** Milliseconds since 1970. A pending choice outlives the process, so its deadline is a date. */
  now(): number;
  /** Calls back once; returns a way to stop that. */
  after(delayMs: number, callback: () => void): () => void;
  /** Lets others have their turn, where they have waited for a while. Absent where nobody waits. */
  pause?(): Promise<void>;
}

/** So long at most one works without a pause: a page that shows 60 pictures a second draws one in 16 ms. */
const MOST_MS = 4;
/** When the last pause was over. */
let rested = 0;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer: unknown = setTimeout(callback, delayMs);
    // A program whose work is done ends; a peer's own ticking is no work of the program's.
    if (hasUnref(timer)) timer.unref();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
  async pause() {
    if (performance.now() - rested < MOST_MS) return;
    await new Promise<void>(next);
    rested = performance.now();
  },
};

/** Calls back when what has waited so far is done. Timers would not do: a page out of sight gets one a second. */
function next(callback: () => void): void {
  if (typeof setImmediate === "function") {
    setImmediate(callback);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

/** Timers are objects in Node and numbers in a browser. */
const hasUnref = (timer: unknown): timer is { unref(): void } => typeof timer === "object" && timer !== null;
