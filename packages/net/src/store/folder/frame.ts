import { type Hash, otherVersion, read, type WrittenRecord } from "../record.ts";

/**
 * A batch of records in a file of the log, little-endian. A batch is there as a whole or not at all: a write that was cut
 * short leaves a frame that is too short or whose records do not match their hashes, and such a frame counts for nothing.
 *
 *     0  u32  mark, "CFR1"
 *     4  u32  bytes that follow
 *     8  for each record: u32 its length, then the record
 */
const MARK = 0x31524643;
const HEADER_BYTES = 8;

export const frame = (records: readonly Uint8Array[]): Uint8Array => framed(records, Number.POSITIVE_INFINITY)[0]!;

/** Bytes from which a record stays where it is: a copy would cost more than one more piece of a write. */
const LONG = 8192;

/** A frame in pieces, for one write. */
export function framed(records: readonly Uint8Array[], long = LONG): Uint8Array[] {
  const isLong = (record: Uint8Array): boolean => record.length >= long;
  const all = records.reduce((sum, { length }) => sum + 4 + length, 0);
  const bytes = new Uint8Array(HEADER_BYTES + records.reduce((sum, it) => sum + 4 + (isLong(it) ? 0 : it.length), 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MARK, true);
  view.setUint32(4, all, true);
  const pieces: Uint8Array[] = [];
  let from = 0;
  let at = HEADER_BYTES;
  for (const record of records) {
    view.setUint32(at, record.length, true);
    at += 4;
    if (isLong(record)) {
      pieces.push(bytes.subarray(from, at), record);
      from = at;
    } else {
      bytes.set(record, at);
      at += record.length;
    }
  }
  if (from < at) pieces.push(from === 0 ? bytes : bytes.subarray(from, at));
  return pieces;
}

/** A record as it was found; null for one of another version, of which nothing but its bytes is known. */
export interface Framed {
  readonly bytes: Uint8Array;
  readonly record: WrittenRecord | null;
  /** Where its frame ends in the file. */
  readonly end: number;
}

/**
 * Every record of every whole frame. Behind bytes that make no frame the next mark is looked for: what is missing in
 * between is for the records' chain to tell.
 */
export function framesIn(bytes: Uint8Array, hash: Hash): Framed[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Framed[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const whole = view.getUint32(at, true) === MARK ? frameAt(bytes, view, at, hash) : null;
    if (whole === null) {
      at = nextMark(bytes, at + 1);
      continue;
    }
    found.push(...whole);
    at += HEADER_BYTES + view.getUint32(at + 4, true);
  }
  return found;
}

function frameAt(bytes: Uint8Array, view: DataView, start: number, hash: Hash): Framed[] | null {
  const end = start + HEADER_BYTES + view.getUint32(start + 4, true);
  if (end > bytes.length) return null;
  const found: Framed[] = [];
  for (let at = start + HEADER_BYTES; at < end; ) {
    const length = at + 4 <= end ? view.getUint32(at, true) : 0;
    if (length === 0 || at + 4 + length > end) return null;
    const stored = bytes.subarray(at + 4, at + 4 + length);
    const record = read(stored, hash);
    if (typeof record === "string" && otherVersion(stored, hash) === null) return null;
    found.push({ bytes: stored, record: typeof record === "string" ? null : record, end });
    at += 4 + length;
  }
  return found;
}

function nextMark(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MARK & 0xff, from); at >= 0; at = bytes.indexOf(MARK & 0xff, at + 1)) {
    if (bytes[at + 1] === 0x46 && bytes[at + 2] === 0x52 && bytes[at + 3] === 0x31) return at;
  }
  return bytes.length;
}
