import { onAbort } from "./onAbort.ts";

export interface Waiting {
  /** Ends the waiting, never what has begun: that goes on, and its outcome stands. */
  readonly signal?: AbortSignal | undefined;
}

/** The promise's outcome, unless the signal comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    const forget = onAbort(signal, stop);
    const done = (settle: () => void): void => {
      forget();
      settle();
    };
    promise.then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error)),
    );
    if (signal.aborted) stop();
  });
}
