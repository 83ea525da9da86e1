import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifThere, NotRegular, names, readIfThere, replaceFile, syncDirectory } from "./files.ts";
import { requireVersion, VERSION_FOLDER } from "./version.ts";

/**
 * A store is a folder of its own. All of it lies in one folder named after the version of this layout, so that a program
 * of another version finds nothing that it could take for its own (version.ts):
 *
 *     v2/current          which incarnation counts; replaced in one step when a new one is complete
 *     v2/witness          how far the log has come, overwritten behind every batch
 *     v2/incarnation-3/   the files of its records (recordFiles.ts)
 *     v2/damaged-2/       what incarnation 2 was when damage was found
 *     v2/lock/            against a second process (lock.ts)
 *     v1/                 what `upgrade` found and keeps
 */
export const homeOf = (path: string): string => join(path, VERSION_FOLDER);
export const current = (home: string): string => join(home, "current");
export const witnessFile = (home: string): string => join(home, "witness");
export const lockOf = (home: string): string => join(home, "lock");
export const filesOf = (home: string, incarnation: number): string => join(home, `incarnation-${incarnation}`);

const FILES = /^incarnation-([1-9]\d{0,9})$/;
const DAMAGED = /^damaged-\d+(?:-\d+)?$/;

export async function damagedIn(home: string): Promise<string[]> {
  return (await names(home)).filter((name) => DAMAGED.test(name)).map((name) => join(home, name));
}

export interface FolderState {
  /** Whether `current` is there, whatever it says. */
  readonly known: boolean;
  readonly incarnation: number;
  /** Whether `current` says so. */
  readonly pointed: boolean;
}

/**
 * The incarnation that counts: the one that `current` names, if it is there; else the highest that is. A turned digit
 * must not make good records look missing.
 */
export async function locate(home: string): Promise<FolderState> {
  const pointer = await ifFile(readIfThere(current(home)));
  const known = pointer !== null;
  const said = Number(pointer && /^incarnation ([1-9]\d{0,9})\n$/.exec(new TextDecoder().decode(pointer))?.[1]);
  const there = await incarnationsIn(home);
  if (said > 0 && (there.length === 0 || there.includes(said))) return { known, incarnation: said, pointed: true };
  return { known, incarnation: Math.max(1, ...there), pointed: false };
}

/** What the disk cannot give of a small file that the records can do without. */
export async function ifFile(bytes: Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  try {
    return await bytes;
  } catch (error) {
    if (error instanceof NotRegular) return new Uint8Array();
    if (error instanceof Error && /EIO|EISDIR/.test(error.message)) return new Uint8Array();
    throw error;
  }
}

export async function incarnationsIn(home: string): Promise<number[]> {
  return (await names(home)).flatMap((name) => FILES.exec(name)?.[1] ?? []).map(Number);
}

export const point = (home: string, incarnation: number): Promise<void> =>
  replaceFile(current(home), `incarnation ${incarnation}\n`);

/** A folder for us: made if missing, ours or empty if not. A mistyped path must not fill somebody's home. */
export async function claim(path: string): Promise<void> {
  // What a peer knows of its owner is nobody else's business.
  if ((await ifThere(stat(path), null)) === null) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // Its name is durable only now; where we may not look at the folder above, that is left to the system.
    await syncDirectory(dirname(path)).catch(() => {});
  }
  await requireVersion(path);
  if (await ifThere(stat(homeOf(path)), null)) return;
  await mkdir(homeOf(path), { recursive: true, mode: 0o700 });
  await syncDirectory(path).catch(() => {});
}

/** More than one only where a repair failed half-way, as on a full disk; a peer restarted every second must not go on. */
const MOST_COPIES = 9;

/** The next name for a damaged copy, or the last one if there are enough. */
export async function damagedName(home: string, incarnation: number): Promise<{ file: string; free: boolean }> {
  const taken = await names(home);
  let name = `damaged-${incarnation}`;
  for (let n = 2; taken.includes(name) && n <= MOST_COPIES; n++) name = `damaged-${incarnation}-${n}`;
  return { file: join(home, name), free: !taken.includes(name) };
}
