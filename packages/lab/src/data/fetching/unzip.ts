import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { FetchError } from "./errors.ts";
import { dataOffset, readEntries, type ZipEntry } from "./zip.ts";

export interface UnzipLimits {
  /** Of all files together, unpacked. */
  readonly bytes: number;
  readonly entries: number;
}

/** MovieLens 25M, the largest, unpacks to 1.2 GB. */
const LIMITS: UnzipLimits = { bytes: 4 * 2 ** 30, entries: 10_000 };

const STORED = 0;
const DEFLATED = 8;

/** Unpacks an archive into a directory. All names and sizes are looked at before the first byte is written. */
export async function unzip(
  archive: string,
  into: string,
  options: { limits?: UnzipLimits; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const file = await open(archive);
  try {
    const { size } = await file.stat();
    const entries = await readEntries(file, size);
    vet(entries, options.limits ?? LIMITS);
    for (const entry of entries) {
      const path = join(into, entry.name);
      await mkdir(entry.isDirectory ? path : dirname(path), { recursive: true });
      if (!entry.isDirectory) await extract(archive, await dataOffset(file, entry), entry, path, options.signal);
    }
  } finally {
    await file.close();
  }
}

function vet(entries: readonly ZipEntry[], limits: UnzipLimits): void {
  if (entries.length > limits.entries) {
    throw new FetchError(`the archive holds ${entries.length} files, more than ${limits.entries}`);
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > limits.bytes) throw new FetchError(`the archive unpacks to ${bytes} bytes, more than ${limits.bytes}`);
  const seen = new Set<string>();
  for (const { name, method } of entries) {
    const shown = JSON.stringify(name);
    if (!staysInside(name))
      throw new FetchError(`the archive holds ${shown}, which would be written outside its directory`);
    if (seen.has(name)) throw new FetchError(`the archive holds ${shown} twice`);
    seen.add(name);
    if (method !== STORED && method !== DEFLATED)
      throw new FetchError(`the archive packs ${shown} by unknown method ${method}`);
  }
}

/** A plain relative path: no root, no drive, no backslash, no NUL, no empty part and no `.` or `..`. */
function staysInside(name: string): boolean {
  if (name === "" || /[\\:\0]/.test(name)) return false;
  const parts = name.replace(/\/$/, "").split("/");
  return parts.every((part) => part !== "" && part !== "." && part !== "..");
}

async function extract(
  archive: string,
  offset: number,
  entry: ZipEntry,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const verify = new Verify(entry);
  // Reading nothing cannot be said as a range.
  const packed =
    entry.packedBytes === 0
      ? emptyStream()
      : createReadStream(archive, { start: offset, end: offset + entry.packedBytes - 1 });
  const unpack = entry.method === DEFLATED ? createInflateRaw() : new PassThrough();
  try {
    await pipeline(packed, unpack, verify, createWriteStream(path, { flags: "wx" }), { signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("Z_"))
      throw new FetchError(`the archive is damaged at ${JSON.stringify(entry.name)}: ${code}`);
    throw error;
  }
}

const emptyStream = (): PassThrough => new PassThrough().end();

/** Lets bytes through and holds them to the size and checksum that the archive states, at the first byte too many. */
class Verify extends Transform {
  #bytes = 0;
  #crc = 0;

  constructor(readonly entry: ZipEntry) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#crc = crc32(chunk, this.#crc);
    if (this.#bytes > this.entry.bytes) done(this.#fault("is longer than it states"));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.#bytes !== this.entry.bytes) done(this.#fault("is shorter than it states"));
    else done(this.#crc === this.entry.crc32 ? null : this.#fault("does not match its checksum"));
  }

  #fault(what: string): FetchError {
    return new FetchError(`the archive is damaged: ${JSON.stringify(this.entry.name)} ${what}`);
  }
}
