import { closeSync, existsSync, readdirSync } from "node:fs";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KeyChange, logKey, parseKey, snapshotKey } from "../backend.ts";
import { type Hash, read } from "../record.ts";
import {
  codeOf,
  contentsOf,
  ifThere,
  NotRegular,
  names,
  openRegular,
  readRegular,
  remove,
  syncDirectory,
} from "./files.ts";
import { frame, framed, framesIn } from "./frame.ts";
import { Segment } from "./segment.ts";

/**
 * The files of one incarnation. Each snapshot has a file of its own, and so has the log since each snapshot and since
 * each opening: one damaged file never takes more with it than itself.
 *
 *     snapshot-0000000000051f   one record
 *     log-00000000000520        frames (frame.ts), the first record is 0x520
 *
 * A file that an earlier opening wrote is never appended to, only deleted, or cut back where a write is in doubt. One that a crash ended may
 * have zeros behind its frames (segment.ts).
 */
const nameOf = (key: string): string => key.replace("/", "-");
const placeOf = (name: string): ReturnType<typeof parseKey> => parseKey(name.replace("-", "/"));

/** What the files of an incarnation hold. */
export interface Found {
  readonly pairs: Map<string, Uint8Array>;
  /** What no chain of records would show: a file that cannot be read, or holds what belongs in another one. */
  readonly fault: string | null;
}

/** The files of an incarnation by name: a path, or a file that is open. */
export type Files = ReadonlyMap<string, string | number>;

export async function pathsIn(directory: string): Promise<Files> {
  return filesNamed(directory, await names(directory));
}

function filesNamed(directory: string, all: readonly string[]): Map<string, string | number> {
  const ours = all.filter((name) => placeOf(name) !== null).sort();
  return new Map(ours.map((name) => [name, join(directory, name)]));
}

/**
 * The same, opened, as they are at one moment; null where one came or went meanwhile. A file that is open can be read
 * after its peer has dropped it. Synchronous, because the moment must be short: a peer may be writing.
 */
export function openFiles(directory: string): Files | null {
  const files = filesNamed(directory, namesNow(directory));
  try {
    for (const [name, path] of files) files.set(name, openIfReadable(path as string));
  } catch (error) {
    closeFiles(files);
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  const after = filesNamed(directory, namesNow(directory));
  if ([...after.keys()].join() === [...files.keys()].join()) return files;
  closeFiles(files);
  return null;
}

function namesNow(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

export function closeFiles(files: Files): void {
  for (const file of files.values()) if (typeof file === "number") closeSync(file);
}

/** A file that the disk cannot open stays a path: `readFiles` then says what the disk said. */
function openIfReadable(path: string): string | number {
  try {
    return openRegular(path);
  } catch (error) {
    if (damageIn(error) !== null) return path;
    throw error;
  }
}

/** Reads every file. Records say themselves what they are: files whose contents were swapped still give them all. */
export async function readFiles(files: Files, hash: Hash): Promise<Found> {
  const pairs = new Map<string, Uint8Array>();
  const faults: string[] = [];
  for (const [name, file] of files) {
    const bytes = await readable(file);
    if (typeof bytes === "string") faults.push(`the file ${name} cannot be read (${bytes})`);
    else if (bytes !== null && !sortInto(pairs, placeOf(name)!, bytes, hash))
      faults.push(`the file ${name} holds another's records`);
  }
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return { pairs, fault: faults.length === 0 ? null : `${faults[0]}${more}` };
}

/** What a disk says of damage, and not of permissions. */
const DAMAGE = ["EIO", "EISDIR", "EBADMSG", "EUCLEAN"];

function damageIn(error: unknown): string | null {
  if (error instanceof NotRegular) return "it is not a regular file";
  const code = String(codeOf(error));
  return DAMAGE.includes(code) ? code : null;
}

/** Its bytes, null where it is gone meanwhile, or what the disk said of its damage. */
async function readable(file: string | number): Promise<Uint8Array | string | null> {
  try {
    return await ifThere(typeof file === "number" ? contentsOf(file) : readRegular(file), null);
  } catch (error) {
    const damage = damageIn(error);
    if (damage === null) throw error;
    return damage;
  }
}

/** False where the file's records are not those that its name promises. */
function sortInto(
  pairs: Map<string, Uint8Array>,
  { kind, sequence }: NonNullable<ReturnType<typeof parseKey>>,
  bytes: Uint8Array,
  hash: Hash,
): boolean {
  const snapshot = read(bytes, hash);
  if (typeof snapshot !== "string" && snapshot.role === "snapshot") {
    pairs.set(snapshotKey(snapshot.sequence), bytes);
    return kind === "snapshot" && sequence === snapshot.sequence;
  }
  // A whole record of another role stands in no file of ours but the witness: whatever belonged here is elsewhere.
  if (typeof snapshot !== "string") return false;
  const framed = framesIn(bytes, hash);
  let first = true;
  let right = kind === "log" || framed.length === 0;
  for (const { record, bytes } of framed) {
    if (record === null) pairs.set(logKey(sequence), bytes);
    else if (!pairs.has(logKey(record.sequence))) pairs.set(logKey(record.sequence), bytes);
    if (first && record !== null) right &&= record.sequence >= sequence;
    first = false;
  }
  // What is no record any more is left for the records' own check to name.
  if (kind === "snapshot" && framed.length === 0) pairs.set(snapshotKey(sequence), bytes);
  return right;
}

const DURABLE = { flush: true, mode: 0o600 } as const;

async function cut(file: string, length: number): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.truncate(length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes on behind what `readFiles` found. */
export class RecordFiles {
  readonly #directory: string;
  readonly #hash: Hash;
  /** Of this opening; null until something is written, and after each snapshot. */
  #segment: Segment | null = null;

  constructor(directory: string, hash: Hash) {
    this.#directory = directory;
    this.#hash = hash;
  }

  /** All log records of one call are there afterwards, or none; a snapshot before anything that it replaces goes. */
  async write(changes: readonly KeyChange[]): Promise<void> {
    const added: KeyChange[] = [];
    const gone: string[] = [];
    let snapshot: KeyChange | null = null;
    for (const change of changes) {
      if (change.value === null) gone.push(change.key);
      else if (change.key.startsWith("snapshot/")) snapshot = change;
      else added.push(change);
    }
    if (added.length > 0) await this.#append(added);
    if (snapshot !== null) await this.#snapshot(snapshot.key, snapshot.value!);
    if (gone.length > 0) await (snapshot === null ? this.#cutBack(gone) : this.#drop(gone));
  }

  /** The first contents of a directory that nothing points to yet. A frame for each record: damage shall take few. */
  async fill(pairs: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const frames: Uint8Array[] = [];
    let first: string | null = null;
    for (const [key, value] of [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (key.startsWith("snapshot/")) await this.#snapshot(key, value);
      else frames.push(frame([value]));
      if (key.startsWith("log/")) first ??= key;
    }
    if (first !== null) await writeFile(join(this.#directory, nameOf(first)), Buffer.concat(frames), DURABLE);
    await syncDirectory(this.#directory);
  }

  async close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    await segment?.close();
  }

  async #append(added: readonly KeyChange[]): Promise<void> {
    if (this.#segment === null) {
      this.#segment = await Segment.open(join(this.#directory, nameOf(added[0]!.key)));
      await syncDirectory(this.#directory);
    }
    await this.#segment.write(framed(added.map(({ value }) => value!)));
  }

  async #snapshot(key: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#directory, nameOf(key));
    await writeFile(`${file}.new`, bytes, DURABLE);
    await rename(`${file}.new`, file);
    await syncDirectory(this.#directory);
    // The log goes on in another file.
    await this.close();
  }

  /** Snapshots first: a log that reaches further back than the oldest snapshot does no harm. */
  async #drop(gone: readonly string[]): Promise<void> {
    let kept = 0;
    for (const key of gone) {
      if (key.startsWith("snapshot/")) await remove(join(this.#directory, nameOf(key)));
      else kept = Math.max(kept, parseKey(key)!.sequence + 1);
    }
    const segments = await this.#segments();
    for (const [k, { name }] of segments.entries()) {
      const next = segments[k + 1]?.first;
      if (next !== undefined && next <= kept) await remove(join(this.#directory, name));
    }
  }

  /** Takes away the end of the log, which nobody was told of. */
  async #cutBack(gone: readonly string[]): Promise<void> {
    await this.close();
    const from = gone.reduce((least, key) => Math.min(least, parseKey(key)!.sequence), Number.POSITIVE_INFINITY);
    for (const { name } of await this.#segments()) {
      const file = join(this.#directory, name);
      const framed = framesIn(await readFile(file), this.#hash);
      const last = framed.filter(({ record }) => record !== null && record.sequence < from).at(-1);
      if (last === undefined) await remove(file);
      else if (last !== framed.at(-1)) await cut(file, last.end);
    }
    await syncDirectory(this.#directory);
  }

  async #segments(): Promise<{ readonly name: string; readonly first: number }[]> {
    const all = (await names(this.#directory)).sort().map((name) => ({ name, place: placeOf(name) }));
    return all.flatMap(({ name, place }) => (place?.kind === "log" ? [{ name, first: place.sequence }] : []));
  }
}
