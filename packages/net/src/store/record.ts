import { sameBytes } from "../bytes.ts";
import { pause } from "../pause.ts";

/**
 * The bytes of everything the store keeps, little-endian. A database may drop or turn a record without a word, so each
 * record names its place and carries the link of the record before it:
 *
 *     0  u8   version                16  16 bytes  link of the record before
 *     1  u8   role, + 128 if `more`  32  kind, then body
 *     2  u16  length of the kind     end - 16      link = first 16 bytes of hash(all bytes before)
 *     4  u32  incarnation
 *     8  f64  sequence
 *
 * 128 bits guard against accidents. They guard against nobody who can write to the disk.
 */

export const RECORD_VERSION = 1;
export const LINK_BYTES = 16;
const HEADER_BYTES = 32;
const MORE = 128;
export const RECORD_OVERHEAD = HEADER_BYTES + LINK_BYTES;

/** The first `length` bytes, or all, to a digest of at least 16 bytes; given by the host, because each has another fast one. */
export interface Hash {
  (bytes: Uint8Array, length?: number): Uint8Array;
  /** The same, beside the thread: for many bytes, where the thread would stand still for long. */
  beside?(bytes: Uint8Array, length: number): Promise<Uint8Array>;
}

/** Entry and beginning (of an incarnation) stand in the log; a snapshot and a witness stand beside it. */
export const ROLES = ["entry", "beginning", "snapshot", "witness"] as const;
export type Role = (typeof ROLES)[number];

export interface StoreRecord {
  readonly role: Role;
  /** The next record belongs to the same append: without that one, this one counts for nothing. */
  readonly more: boolean;
  readonly incarnation: number;
  /** The place in the log, from 1; beside the log, the place up to which it speaks. */
  readonly sequence: number;
  /** Of the record before; beside the log, of the record at `sequence`. */
  readonly previous: Uint8Array;
  readonly kind: string;
  readonly body: Uint8Array;
}

interface Linked {
  readonly bytes: Uint8Array;
  readonly link: Uint8Array;
}

/** A record as it lies on the disk. */
export interface WrittenRecord extends StoreRecord, Linked {}

/** Where a sequence becomes its bytes; a view of its own for each record would cost more than the record. */
const scratch = new DataView(new ArrayBuffer(8));
const NOTHING = new Uint8Array(0);

/** `tail`: what follows the body, as a part of it. */
export function write(record: StoreRecord, hash: Hash, tail: Uint8Array = NOTHING): Linked {
  const bytes = unlinked(record, tail);
  return linked(bytes, linkOf(bytes, hash));
}

/** `write`, with the hash beside the thread where there is such a one. */
export async function writeBeside(record: StoreRecord, hash: Hash): Promise<Linked> {
  if (hash.beside === undefined) return write(record, hash);
  await pause();
  const bytes = unlinked(record, NOTHING);
  return linked(bytes, linkIn(await hash.beside(bytes, bytes.length - LINK_BYTES)));
}

/** The bytes of a record with room for its link. */
function unlinked(record: StoreRecord, tail: Uint8Array): Uint8Array {
  const { kind, body, incarnation } = record;
  const bytes = new Uint8Array(RECORD_OVERHEAD + kind.length + body.length + tail.length);
  bytes[0] = RECORD_VERSION;
  bytes[1] = ROLES.indexOf(record.role) + (record.more ? MORE : 0);
  bytes[2] = kind.length;
  bytes[3] = kind.length >>> 8;
  for (let k = 0; k < 4; k++) bytes[4 + k] = incarnation >>> (8 * k);
  scratch.setFloat64(0, record.sequence, true);
  for (let k = 0; k < 8; k++) bytes[8 + k] = scratch.getUint8(k);
  for (let k = 0; k < LINK_BYTES; k++) bytes[16 + k] = record.previous[k]!;
  for (let i = 0; i < kind.length; i++) bytes[HEADER_BYTES + i] = kind.charCodeAt(i);
  if (body.length > 0) bytes.set(body, HEADER_BYTES + kind.length);
  if (tail.length > 0) bytes.set(tail, HEADER_BYTES + kind.length + body.length);
  return bytes;
}

function linked(bytes: Uint8Array, link: Uint8Array): Linked {
  for (let k = 0, at = bytes.length - LINK_BYTES; k < LINK_BYTES; k++) bytes[at + k] = link[k]!;
  return { bytes, link };
}

const linkOf = (bytes: Uint8Array, hash: Hash): Uint8Array => linkIn(hash(bytes, bytes.length - LINK_BYTES));

function linkIn(digest: Uint8Array): Uint8Array {
  return digest.length === LINK_BYTES ? digest : new Uint8Array(digest.subarray(0, LINK_BYTES));
}

/** The record, or what is wrong with it, as the end of "record 7 …". */
export function read(stored: Uint8Array, hash: Hash): WrittenRecord | string {
  // Databases hand out Buffers, and a Buffer's `slice` is no copy.
  const bytes =
    stored.constructor === Uint8Array ? stored : new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  if (bytes.length < RECORD_OVERHEAD) return `has ${bytes.length} bytes, fewer than any record`;
  const end = bytes.length - LINK_BYTES;
  const link = linkOf(bytes, hash);
  for (let k = 0; k < LINK_BYTES; k++) if (bytes[end + k] !== link[k]) return "does not match its hash";
  const version = bytes[0]!;
  if (version !== RECORD_VERSION) return `is of version ${version}, and this program reads version ${RECORD_VERSION}`;
  const marks = bytes[1]!;
  const role = ROLES[marks % MORE];
  const body = HEADER_BYTES + (bytes[2]! | (bytes[3]! << 8));
  for (let k = 0; k < 8; k++) scratch.setUint8(k, bytes[8 + k]!);
  const sequence = scratch.getFloat64(0, true);
  if (role === undefined || body > end || !Number.isSafeInteger(sequence)) return "has a header that makes no sense";
  return {
    role,
    more: marks >= MORE,
    incarnation: (bytes[4]! | (bytes[5]! << 8) | (bytes[6]! << 16) | (bytes[7]! << 24)) >>> 0,
    sequence,
    previous: bytes.slice(16, HEADER_BYTES),
    kind: letters(bytes, HEADER_BYTES, body),
    // The owner of the store may do with it what it likes.
    body: bytes.slice(body, end),
    bytes,
    link,
  };
}

/**
 * The version of a whole record that another program wrote; null for ours, and for what is no whole record. Every version
 * ends in the hash of all before it: so a byte that has turned does not look like another version.
 */
export function otherVersion(bytes: Uint8Array, hash: Hash): number | null {
  const version = bytes[0];
  if (version === undefined || version === RECORD_VERSION || bytes.length < RECORD_OVERHEAD) return null;
  const link = linkOf(bytes, hash);
  return sameBytes(bytes.subarray(bytes.length - LINK_BYTES), link) ? version : null;
}

/** Kinds met before. A log has thousands of records of a dozen kinds, and a text costs more to make than to find. */
const kinds: string[] = [];
const MOST_KINDS = 64;

function letters(bytes: Uint8Array, from: number, end: number): string {
  for (const known of kinds) if (known.length === end - from && spells(bytes, from, known)) return known;
  let text = "";
  for (let i = from; i < end; i++) text += String.fromCharCode(bytes[i]!);
  if (kinds.length < MOST_KINDS) kinds.push(text);
  return text;
}

function spells(bytes: Uint8Array, from: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false;
  return true;
}
