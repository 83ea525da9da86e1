import { readFileSync } from "node:fs";

/** What this thread has had of a processor so far, in nanoseconds, is the first number here; on Linux only. */
const THREAD = "/proc/thread-self/schedstat";

/**
 * Seconds that this thread has used; where the system does not tell, seconds of the wall. What a run costs does not depend
 * on what else the machine does meanwhile.
 */
export function secondsUsed(): number {
  const used = usedByThread();
  return used === null ? performance.now() / 1000 : used / 1e9;
}

function usedByThread(): number | null {
  try {
    const nanoseconds = Number(readFileSync(THREAD, "utf8").split(" ")[0]);
    return nanoseconds > 0 ? nanoseconds : null;
  } catch {
    return null;
  }
}
