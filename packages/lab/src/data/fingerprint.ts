import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sha256Of } from "./files.ts";
import type { Loader } from "./loaders/loader.ts";

/** What the files that a loader reads are, by name, size and contents: SHA-256 in hexadecimal. */
export async function fingerprintOf(loader: Loader, directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await loader.files(directory)).sort()) {
    const path = join(directory, file);
    // The contents first: a missing file is reported there.
    const contents = await sha256Of(path);
    hash.update(JSON.stringify([file, (await stat(path)).size, contents]));
  }
  return hash.digest("hex");
}
