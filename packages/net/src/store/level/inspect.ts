import { copyFile, mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StoreBusy, StoreError } from "../errors.ts";
import type { Contents } from "../shelf.ts";
import { type Summary, summarise } from "../summary.ts";
import { refused } from "./errors.ts";
import { databaseFiles, ifThere, names, readIfThere, remove } from "./files.ts";
import { nodeSha256 } from "./hash.ts";
import * as layout from "./layout.ts";
import { salvage } from "./salvage.ts";

/** What a store holds. */
export interface Inspection extends Summary {
  readonly path: string;
  /** Damaged copies that are kept in the store. */
  readonly damaged: readonly string[];
}

/**
 * Reads a store without a trace: LevelDB cannot open anything without writing to it, so it gets a copy. A peer may be
 * running on the store meanwhile. A damaged copy (`damaged-2` in a store) can be inspected in the same way.
 */
export async function inspect(path: string): Promise<Inspection> {
  const place = resolve(path);
  try {
    const contents = await peek(place);
    return { path: place, ...summarise(contents, nodeSha256), damaged: await layout.damagedIn(place) };
  } catch (error) {
    throw refused(place, error);
  }
}

async function peek(place: string): Promise<Contents> {
  const bare = (await names(place)).some((name) => /^(CURRENT|MANIFEST-.*|.*\.ldb)$/.test(name));
  const { known, incarnation } = await layout.locate(place);
  const directory = bare ? place : layout.databaseOf(place, incarnation);
  if (!bare && !known && (await names(directory)).length === 0) {
    throw new StoreError("foreign", `there is no store at ${place}`);
  }
  // Read before the database, so that a peer that goes on writing cannot make the log look too short.
  const witness = bare ? null : await readIfThere(layout.witnessFile(place));
  const scratch = await mkdtemp(join(tmpdir(), "coterie-inspect-"));
  try {
    const copy = await copyStill(place, directory, scratch);
    return { ...(await salvage(copy)), witness, known, incarnation };
  } finally {
    await remove(scratch);
  }
}

const TRIES = 20;

/** A copy during which no file came, went or changed. Logs may grow: a log cut short is a log of a moment ago. */
async function copyStill(place: string, from: string, scratch: string): Promise<string> {
  for (let n = 0; n < TRIES; n++) {
    const copy = join(scratch, `${n}`);
    await mkdir(copy);
    const before = await listing(from);
    const whole = await Promise.all((await databaseFiles(from)).map((name) => copyIfThere(from, copy, name)));
    if (whole.every((it) => it) && (await listing(from)) === before) return copy;
  }
  throw new StoreBusy(place);
}

const copyIfThere = (from: string, to: string, name: string): Promise<boolean> =>
  ifThere(
    copyFile(join(from, name), join(to, name)).then(() => true),
    false,
  );

async function listing(directory: string): Promise<string> {
  const lines = (await databaseFiles(directory)).map(async (name) => {
    const file = await ifThere(stat(join(directory, name)), null);
    return `${name} ${name.endsWith(".log") ? "" : file?.size}`;
  });
  return (await Promise.all(lines)).sort().join("\n");
}
