/**
 * A planted bug for real processes: every fifth reward is acknowledged and not written down. A process that loads this file
 * first has it, and so have all that it starts; nothing in the shipped code knows of it.
 *
 *     NODE_OPTIONS="--import ./packages/storm/src/chaos/testing/forgetful.mjs" coterie chaos --peers 3 --seconds 10
 */
import { memoryDisk } from "@coterie/net";
import * as parts from "@coterie/net/internal";

/** The store under every peer. */
const shipped = Object.getPrototypeOf(parts.durable(parts.memoryBackend(memoryDisk()), parts.sha256));
const { append } = shipped;
let rewards = 0;

shipped.append = function (entries, options) {
  const kept = entries.filter(({ kind }) => kind !== "observe" || ++rewards % 5 !== 0);
  return append.call(this, kept, options);
};
