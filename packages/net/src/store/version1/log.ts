import { crc32c, masked } from "./crc32c.ts";
import { Cursor, textOf, type Version } from "./cursor.ts";

const BLOCK_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * The batches of a log of LevelDB: blocks of 32 KiB with fragments in them (u32 checksum, u16 length, u8 which part it
 * is). Where a fragment does not match its checksum the rest of its block is passed over.
 */
export function readLog(bytes: Uint8Array): { readonly versions: Version[]; readonly damaged: boolean } {
  const versions: Version[] = [];
  let parts: Uint8Array[] = [];
  let damaged = false;
  for (let block = 0; block < bytes.length; block += BLOCK_BYTES) {
    const end = Math.min(block + BLOCK_BYTES, bytes.length);
    for (let at = block; at + HEADER_BYTES <= end; ) {
      const fragment = fragmentAt(bytes, at, end);
      if (fragment === null) {
        damaged ||= bytes.subarray(at, end).some((byte) => byte !== 0);
        break;
      }
      at += HEADER_BYTES + fragment.data.length;
      if (fragment.part === FULL || fragment.part === FIRST) parts = [];
      parts.push(fragment.data);
      if (fragment.part !== FULL && fragment.part !== LAST) continue;
      damaged = !readBatch(Buffer.concat(parts), versions) || damaged;
      parts = [];
    }
  }
  return { versions, damaged };
}

function fragmentAt(bytes: Uint8Array, at: number, end: number): { part: number; data: Uint8Array } | null {
  const head = new Cursor(bytes, at, end);
  const checksum = head.u32();
  const length = head.u8() | (head.u8() << 8);
  const part = head.u8();
  const data = head.raw(length);
  if (head.broken || part < FULL || part > LAST || part > MIDDLE + 1) return null;
  return masked(crc32c(bytes.subarray(at + 6, at + HEADER_BYTES + length))) === checksum ? { part, data } : null;
}

/** u64 sequence of its first change | u32 how many | for each: u8 1 key value, or u8 0 key. */
function readBatch(bytes: Uint8Array, into: Version[]): boolean {
  const from = new Cursor(bytes);
  let sequence = from.u32() + 2 ** 32 * from.u32();
  for (let left = from.u32(); left > 0; left--) {
    const put = from.u8() === 1;
    const key = textOf(from.raw(from.varint()));
    const value = put ? from.raw(from.varint()) : null;
    if (from.broken) return false;
    into.push({ key, sequence: sequence++, value });
  }
  return true;
}
