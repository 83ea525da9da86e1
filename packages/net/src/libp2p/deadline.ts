import { onAbort } from "../link/onAbort.ts";

/**
 * Does something with a signal that aborts after `ms`, if that is given, or when `parent` does. The timer and the listener are gone when
 * the work is done: signals that live on until their time is up, or as long as their parent, add up.
 */
export async function withDeadline<T>(
  ms: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  parent?.throwIfAborted();
  if (ms === undefined && parent !== undefined) return work(parent);
  const controller = new AbortController();
  const timer = ms === undefined ? undefined : setTimeout(() => controller.abort(timedOut(ms)), ms);
  const forget = onAbort(parent, () => controller.abort(parent?.reason));
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    forget();
  }
}

export const timedOut = (ms: number): DOMException => new DOMException(`not done within ${ms} ms`, "TimeoutError");
