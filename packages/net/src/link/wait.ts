export interface Waiting {
  /** Ends the waiting, never what has begun: that goes on, and its outcome stands. */
  readonly signal?: AbortSignal | undefined;
}

/** The promise's outcome, unless the signal comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    const done = (settle: () => void): void => {
      signal.removeEventListener("abort", stop);
      settle();
    };
    promise.then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error)),
    );
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
}
