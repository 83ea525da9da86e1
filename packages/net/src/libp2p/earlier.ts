import type { Connection, Stream } from "@libp2p/interface";
import { withDeadline } from "./deadline.ts";
import { RefusedError, type Watch } from "./events.ts";
import { encodeGreeting } from "./frames.ts";
import { GREETING_BYTES, GREETING_MS } from "./limits.ts";
import { Wire } from "./wire.ts";

/** Answers those who speak an earlier version of the protocol, in its words: the two do not fit together. */
export function turnAway(watch: Watch): (stream: Stream, connection: Connection) => Promise<void> {
  return async (stream, { remotePeer }) => {
    const [wire, peer] = [new Wire(stream, GREETING_BYTES), remotePeer.toString()];
    try {
      await withDeadline(GREETING_MS, async (signal) => {
        await wire.read(signal);
        await wire.write([encodeGreeting({ kind: "refuse", reason: "another-agreement" })], signal);
        await stream.close({ signal });
      });
      watch.violation(peer, "another-version");
      watch.tell({ kind: "refused", peer, by: "us", reason: "another-version" });
    } catch (error) {
      wire.abort(error instanceof Error ? error : new RefusedError("another-version", "us"));
    }
  };
}
