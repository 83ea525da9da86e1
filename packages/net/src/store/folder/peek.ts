import type { Contents } from "../backend.ts";
import { StoreBusy, StoreError } from "../errors.ts";
import { names, readIfThere } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import * as layout from "./layout.ts";
import { closeFiles, type Found, openFiles, readFiles } from "./recordFiles.ts";
import { requireVersion } from "./version.ts";

const TRIES = 20;

/**
 * What a store holds, read without a trace; a peer may be running on it meanwhile. A damaged copy (`v2/damaged-2` in a
 * store) can be read in the same way.
 */
export async function peek(place: string): Promise<Contents> {
  const found = await names(place);
  const bare = found.some((name) => /^(log|snapshot)-[0-9a-f]{14}$/.test(name));
  if (bare) return { ...(await still(place, place)), witness: null, known: true, incarnation: 1 };
  if (found.length === 0) throw new StoreError("foreign", `there is no store at ${place}`);
  await requireVersion(place);
  const home = layout.homeOf(place);
  const { known, incarnation } = await layout.locate(home);
  // Read before the records, so that a peer that goes on writing cannot make the log look too short.
  const witness = await layout.ifFile(readIfThere(layout.witnessFile(home)));
  return { ...(await still(place, layout.filesOf(home, incarnation))), witness, known, incarnation };
}

/** The files' records at one moment. The log may grow while it is read: cut short it is the log of a moment ago. */
async function still(place: string, directory: string): Promise<Found> {
  for (let n = 0; n < TRIES; n++) {
    const files = openFiles(directory);
    if (files === null) continue;
    try {
      return await readFiles(files, nodeSha256);
    } finally {
      closeFiles(files);
    }
  }
  throw new StoreBusy(place);
}
