import { crc32c, masked } from "./crc32c.ts";
import { Cursor, textOf, type Version } from "./cursor.ts";

const FOOTER_BYTES = 48;
const MAGIC = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];
/** Behind each block: u8 how it is compressed, u32 checksum. Ours never were. */
const TRAILER_BYTES = 5;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** The entries of a table of LevelDB, block by block; a block that does not match its checksum is passed over. */
export function readTable(bytes: Uint8Array): { readonly versions: Version[]; readonly damaged: boolean } {
  const versions: Version[] = [];
  const index = indexOf(bytes);
  const blocks = index === null ? null : entriesIn(bytes, index);
  if (blocks === null) return { versions, damaged: true };
  let damaged = false;
  for (const { value } of blocks) {
    const entries = entriesIn(bytes, handleIn(new Cursor(value)));
    if (entries === null) damaged = true;
    for (const { key, value } of entries ?? []) {
      const version = versionOf(key, value);
      if (version === null) damaged = true;
      else versions.push(version);
    }
  }
  return { versions, damaged };
}

function indexOf(bytes: Uint8Array): Handle | null {
  const magic = bytes.subarray(-MAGIC.length);
  if (bytes.length < FOOTER_BYTES || MAGIC.some((byte, k) => magic[k] !== byte)) return null;
  const footer = new Cursor(bytes, bytes.length - FOOTER_BYTES);
  handleIn(footer);
  return handleIn(footer);
}

const handleIn = (from: Cursor): Handle => ({ offset: from.varint(), size: from.varint() });

/** A block's keys and values: each key says how much it shares with the one before; where they begin anew stands behind. */
function entriesIn(bytes: Uint8Array, { offset, size }: Handle): { key: Uint8Array; value: Uint8Array }[] | null {
  const end = offset + size;
  if (end + TRAILER_BYTES > bytes.length || size < 4 || bytes[end] !== 0) return null;
  if (masked(crc32c(bytes.subarray(offset, end + 1))) !== new Cursor(bytes, end + 1).u32()) return null;
  const restarts = new Cursor(bytes, end - 4).u32();
  const from = new Cursor(bytes, offset, end - 4 - 4 * restarts);
  const entries: { key: Uint8Array; value: Uint8Array }[] = [];
  let before = new Uint8Array();
  while (from.at < from.end) {
    const [shared, own, length] = [from.varint(), from.varint(), from.varint()];
    const key = new Uint8Array(Buffer.concat([before.subarray(0, shared), from.raw(own)]));
    const value = from.raw(length);
    if (from.broken || shared > before.length) return null;
    entries.push({ key, value });
    before = key;
  }
  return entries;
}

/** Behind each key: u8 1 for a value and 0 for its end, then the sequence in seven bytes. */
function versionOf(key: Uint8Array, value: Uint8Array): Version | null {
  if (key.length < 8) return null;
  const tail = new Cursor(key, key.length - 8);
  const put = tail.u8() === 1;
  let sequence = 0;
  for (let scale = 1; scale < 2 ** 56; scale *= 256) sequence += tail.u8() * scale;
  return { key: textOf(key.subarray(0, key.length - 8)), sequence, value: put ? value : null };
}
