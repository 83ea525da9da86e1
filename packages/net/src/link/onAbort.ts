/** Those who wait for each signal. */
const waiting = new WeakMap<AbortSignal, { readonly calls: Set<() => void>; readonly hear: () => void }>();

/**
 * Calls back when the signal comes; returns a way to stop that. Whoever waits for a signal shares one listener on it, however many
 * they are: Node warns of a leak at the eleventh, and an app may have one signal for all that it asks.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (signal === undefined) return () => {};
  const those = waiting.get(signal) ?? begin(signal);
  // A function of its own: the same one may wait twice.
  const own = (): void => call();
  those.calls.add(own);
  return () => {
    if (!those.calls.delete(own) || those.calls.size > 0) return;
    signal.removeEventListener("abort", those.hear);
    if (waiting.get(signal) === those) waiting.delete(signal);
  };
}

function begin(signal: AbortSignal): { readonly calls: Set<() => void>; readonly hear: () => void } {
  const calls = new Set<() => void>();
  const hear = (): void => {
    waiting.delete(signal);
    for (const call of [...calls]) call();
  };
  signal.addEventListener("abort", hear, { once: true });
  const those = { calls, hear };
  waiting.set(signal, those);
  return those;
}
