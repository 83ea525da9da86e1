import type { MessageStream } from "@libp2p/interface";
import { withDeadline } from "./deadline.ts";
import { LOOK_MS, PULSE_MS, SILENT_MS } from "./limits.ts";

/**
 * Ends a connection whose other side is gone without a word. Where anything came lately it is there; else it is asked, which takes a
 * frame each way. One late answer must not end a connection: who is alive is the membership's question.
 */
export function keepPulse(
  ask: (signal: AbortSignal) => Promise<unknown>,
  connection: Pick<MessageStream, "abort" | "addEventListener">,
  clock: () => number = () => performance.now(),
): { heard(): void } {
  let last = clock();
  let asking = false;
  const look = async (): Promise<void> => {
    if (asking || clock() - last < SILENT_MS) return;
    asking = true;
    try {
      await withDeadline(PULSE_MS, ask);
    } catch (error) {
      connection.abort(error instanceof Error ? error : new Error("no sign of life"));
    }
    asking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  connection.addEventListener("close", () => clearInterval(timer));
  return {
    heard: () => {
      last = clock();
    },
  };
}
