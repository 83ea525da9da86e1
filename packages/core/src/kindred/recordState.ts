import type { Reader, Writer } from "../numbers/bytes.ts";
import { openRecord, type PeerRecord } from "./record.ts";

/** A record in a snapshot, as it travels; null is an empty one. */
export function writeRecord(out: Writer, record: PeerRecord | null): void {
  out.u32(record?.body.length ?? 0);
  if (record === null) return;
  out.raw(record.body);
  out.u8(record.signature?.length ?? 0);
  if (record.signature !== null) out.raw(record.signature);
}

export function readRecord(from: Reader, dimension: number): PeerRecord | null {
  const size = from.u32("record");
  if (size === 0) return null;
  const body = from.raw("record", size);
  const length = from.u8("record");
  return openRecord("record", body, length === 0 ? null : from.raw("record", length), dimension);
}
