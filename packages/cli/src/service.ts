import type { Running } from "@coterie/server";

/** From the signal to the end of the process. Acknowledged rewards are on the disk before, whatever is cut off. */
const MOST_STOP_MS = 1_900;

/** What a signal's end of a service counts as: asked to stop, it did; interrupted, it was. */
const CODES = { SIGTERM: 0, SIGINT: 130 } as const;

/**
 * Runs a hub or a peer: says where it is once it is up, and stops when a signal comes, also while it starts. A second
 * signal ends it at once.
 */
export async function serve(start: (signal: AbortSignal) => Promise<Running>, json: boolean): Promise<void> {
  const controller = new AbortController();
  const stopped = new Promise<number>((resolve) => {
    for (const [name, code] of Object.entries(CODES)) {
      process.once(name, () => {
        process.once(name, () => process.exit(code));
        setTimeout(() => process.exit(code), MOST_STOP_MS).unref();
        resolve(code);
        controller.abort();
      });
    }
  });
  const running = await start(controller.signal).catch(async (error: unknown) => {
    if (!controller.signal.aborted) throw error;
    process.exit(await stopped);
  });
  process.stdout.write(`${json ? JSON.stringify(running.ready) : running.sentence}\n`);
  const code = await stopped;
  await running.close();
  process.exit(code);
}
