import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFile as readFileThen } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** The few things that files can do and Node does not do in one call. */

export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** What `of` gives, or `otherwise` where there is no such file. */
export async function ifThere<T, U>(of: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await of;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return otherwise;
    throw error;
  }
}

export const names = (directory: string): Promise<string[]> => ifThere(readdir(directory), []);
export const readIfThere = (file: string): Promise<Uint8Array | null> => ifThere(readRegular(file), null);
export const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** A pipe, a socket or a device stands where a file should be. */
export class NotRegular extends Error {
  constructor(file: string) {
    super(`${file} is not a regular file`);
  }
}

/** At once, whatever is there: a pipe would be waited for until somebody writes to it, and a device may never end. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file that is open for reading. Synchronous, because of those who need many at one moment. */
export function openRegular(file: string): number {
  let handle: number;
  try {
    handle = openSync(file, READ_AT_ONCE);
  } catch (error) {
    throw codeOf(error) === "ENXIO" ? new NotRegular(file) : error;
  }
  const kind = fstatSync(handle);
  // A directory says so itself when it is read.
  if (kind.isFile() || kind.isDirectory()) return handle;
  closeSync(handle);
  throw new NotRegular(file);
}

export const contentsOf: (file: number) => Promise<Uint8Array> = promisify(readFileThen);

export async function readRegular(file: string): Promise<Uint8Array> {
  const handle = openRegular(file);
  try {
    return await contentsOf(handle);
  } finally {
    closeSync(handle);
  }
}

/** A name in a directory is durable only when the directory is synced. Some systems cannot; theirs is the risk. */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP"].includes(String(codeOf(error)))) throw error;
  }
}

/** The old text or the new one, whatever happens on the way. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { flush: true });
  await rename(draft, file);
  await syncDirectory(dirname(file));
}

/** A file that was not there, whole and on the disk, for its owner alone; false where there is one already. */
export async function createFile(file: string, bytes: Uint8Array): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, bytes, { flush: true, mode: 0o600 });
    await link(draft, file);
    await syncDirectory(dirname(file));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await remove(draft);
  }
}

/**
 * The files of a directory under a second name. Nothing is written to the files of an incarnation in which damage was
 * found, so a hard link keeps them as they were at no cost; where there are none, a copy does.
 */
export async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await filesIn(from)) {
    await link(join(from, name), join(to, name)).catch(() => copyFile(join(from, name), join(to, name)));
  }
}

export async function filesIn(directory: string): Promise<string[]> {
  const entries = await ifThere(readdir(directory, { withFileTypes: true }), []);
  return entries.filter((it) => it.isFile()).map((it) => it.name);
}
