/** So long at most one works without a pause: a page that shows 60 pictures a second draws one in 16 ms. */
const MOST_MS = 4;
/** When the last pause was over. */
let rested = 0;

/** Lets others have their turn, where they have waited for a while; for pages, which must not stand still. */
export async function pause(): Promise<void> {
  if (performance.now() - rested < MOST_MS) return;
  await new Promise<void>(next);
  rested = performance.now();
}

/** Calls back when what has waited so far is done. Timers would not do: a page out of sight gets one a second. */
function next(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}
