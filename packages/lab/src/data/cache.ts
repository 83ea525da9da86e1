import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { writeWhole } from "./files.ts";
import type { Note } from "./interactions.ts";
import type { Prepared } from "./prepared.ts";

/** What a prepared dataset depends on. */
export interface CacheKey {
  readonly dataset: string;
  readonly dimension: number;
  /** Of the source files: fingerprint.ts. */
  readonly fingerprint: string;
}

/** To be raised with every change of what is computed or how it is laid out; older entries are then not found. */
const VERSION = 2;
const CHECKSUM_BYTES = 32;

/*
 * An entry: SHA-256 of all that follows (32 bytes), length of the header (4 bytes, little-endian), header (JSON),
 * then features (float64), itemIds, userIds, starts, items, times (int32; none where `timed` is false), one after the
 * other.
 */
interface Header {
  readonly key: string;
  readonly itemCount: number;
  readonly userCount: number;
  readonly pairCount: number;
  readonly timed: boolean;
  readonly zeroRows: number;
  readonly notes: readonly Note[];
}

const nameOf = (key: CacheKey): string =>
  JSON.stringify([VERSION, endianness(), key.dataset, key.dimension, key.fingerprint]);

const pathOf = (directory: string, key: CacheKey): string => {
  const hash = createHash("sha256").update(nameOf(key)).digest("hex");
  return join(directory, "datasets", `${key.dataset}-${key.dimension}-${hash.slice(0, 32)}.bin`);
};

/** The entry, or undefined where there is none or none that can be trusted. */
export async function readCache(directory: string, key: CacheKey): Promise<Prepared | undefined> {
  try {
    return decode(await readFile(pathOf(directory, key)), key);
  } catch {
    // A cache that cannot be read is as good as none.
    return undefined;
  }
}

export async function writeCache(directory: string, key: CacheKey, prepared: Prepared): Promise<void> {
  await writeWhole(pathOf(directory, key), encode(prepared, key));
}

function encode(prepared: Prepared, key: CacheKey): Uint8Array {
  const header: Header = {
    key: nameOf(key),
    itemCount: prepared.itemIds.length,
    userCount: prepared.userIds.length,
    pairCount: prepared.items.length,
    timed: prepared.times !== null,
    zeroRows: prepared.zeroRows,
    notes: prepared.notes,
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const { features, itemIds, userIds, starts, items, times } = prepared;
  const arrays = [features, itemIds, userIds, starts, items, times ?? new Int32Array(0)];
  const body = Buffer.concat([
    length,
    text,
    ...arrays.map((a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength)),
  ]);
  return Buffer.concat([checksumOf(body), body]);
}

function decode(entry: Buffer, key: CacheKey): Prepared | undefined {
  const body = entry.subarray(CHECKSUM_BYTES);
  if (entry.length < CHECKSUM_BYTES + 4 || !checksumOf(body).equals(entry.subarray(0, CHECKSUM_BYTES)))
    return undefined;
  let at = 4 + body.readUInt32LE(0);
  const header = JSON.parse(body.toString("utf8", 4, at)) as Header;
  if (header.key !== nameOf(key)) return undefined;
  const take = (bytes: number): ArrayBuffer => {
    const copy = new Uint8Array(bytes);
    copy.set(body.subarray(at, at + bytes));
    at += bytes;
    return copy.buffer;
  };
  const { itemCount, userCount, pairCount, timed, zeroRows, notes } = header;
  return {
    dimension: key.dimension,
    features: new Float64Array(take(itemCount * key.dimension * 8)),
    itemIds: new Int32Array(take(itemCount * 4)),
    userIds: new Int32Array(take(userCount * 4)),
    starts: new Int32Array(take((userCount + 1) * 4)),
    items: new Int32Array(take(pairCount * 4)),
    times: timed ? new Int32Array(take(pairCount * 4)) : null,
    zeroRows,
    notes,
  };
}

const checksumOf = (body: Uint8Array): Buffer => createHash("sha256").update(body).digest();
