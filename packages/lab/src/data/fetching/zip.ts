import type { FileHandle } from "node:fs/promises";
import { FetchError } from "./errors.ts";

/** One file of a zip archive, as its central directory describes it. */
export interface ZipEntry {
  /** With forward slashes; ends with one for a directory. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES = 65535;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** In a field of 16 or 32 bits: look in the zip64 extension, which no archive here needs. */
const ZIP64_16 = 0xffff;
const ZIP64_32 = 0xffffffff;
const ENCRYPTED = 1;
const UTF8_NAME = 1 << 11;
const SYMLINK = 0xa000;
const MODE_MASK = 0xf000;
const DIRECTORY_BYTES = 64 << 20;

/** The entries of an archive, read from the central directory at its end: what is not listed there is not in it. */
export async function readEntries(file: FileHandle, fileBytes: number): Promise<ZipEntry[]> {
  const tail = await readAt(file, Math.max(0, fileBytes - END_BYTES - COMMENT_BYTES), fileBytes);
  const at = findEnd(tail);
  const count = tail.readUInt16LE(at + 10);
  const size = tail.readUInt32LE(at + 12);
  const offset = tail.readUInt32LE(at + 16);
  if (count === ZIP64_16 || size === ZIP64_32 || offset === ZIP64_32)
    throw new FetchError("a zip64 archive is not read");
  if (size > DIRECTORY_BYTES) throw new FetchError(`the directory of the archive has ${size} bytes`);
  if (offset + size > fileBytes) throw new FetchError("the archive is cut off: its directory points beyond its end");
  const directory = await readAt(file, offset, offset + size);
  const entries: ZipEntry[] = [];
  for (let from = 0; entries.length < count; ) {
    const end = from + CENTRAL_BYTES;
    if (end > directory.length || directory.readUInt32LE(from) !== CENTRAL)
      throw new FetchError("the directory of the archive is damaged");
    const nameEnd = end + directory.readUInt16LE(from + 28);
    entries.push(entryAt(directory, from, nameEnd));
    from = nameEnd + directory.readUInt16LE(from + 30) + directory.readUInt16LE(from + 32);
  }
  return entries;
}

function entryAt(directory: Buffer, from: number, nameEnd: number): ZipEntry {
  const flags = directory.readUInt16LE(from + 8);
  const name = directory.toString(flags & UTF8_NAME ? "utf8" : "latin1", from + CENTRAL_BYTES, nameEnd);
  if (flags & ENCRYPTED) throw new FetchError(`the archive holds ${JSON.stringify(name)}, which is encrypted`);
  if (((directory.readUInt32LE(from + 38) >>> 16) & MODE_MASK) === SYMLINK) {
    throw new FetchError(`the archive holds ${JSON.stringify(name)}, which is a link`);
  }
  return {
    name,
    isDirectory: name.endsWith("/"),
    method: directory.readUInt16LE(from + 10),
    crc32: directory.readUInt32LE(from + 16),
    packedBytes: directory.readUInt32LE(from + 20),
    bytes: directory.readUInt32LE(from + 24),
    offset: directory.readUInt32LE(from + 42),
  };
}

/** Where the packed bytes of an entry begin: after its local header, whose name and extra field have lengths of their own. */
export async function dataOffset(file: FileHandle, entry: ZipEntry): Promise<number> {
  const header = await readAt(file, entry.offset, entry.offset + LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) {
    throw new FetchError(`the archive is damaged at ${JSON.stringify(entry.name)}`);
  }
  return entry.offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** The end record stands last, followed only by a comment of the length it states. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  throw new FetchError("the file is not a whole zip archive: it has no directory at its end");
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
