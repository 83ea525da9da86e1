import type { Reader, Writer } from "../numbers/bytes.ts";
import { slotSize } from "../numbers/packed.ts";
import { originHash, type Record } from "./record.ts";

/** A record in a snapshot; null is a byte. */
export function writeRecord(out: Writer, record: Record | null): void {
  out.u8(record === null ? 0 : 1);
  if (record === null) return;
  out.text(record.origin);
  out.u32(record.version);
  out.f64(record.count);
  out.f64(record.squares);
  out.f64s(record.slot);
  out.u8(record.signature?.length ?? 0);
  if (record.signature !== null) out.raw(record.signature);
}

export function readRecord(from: Reader, dimension: number): Record | null {
  if (from.u8("record") === 0) return null;
  const origin = from.text("record");
  const version = from.u32("record");
  const count = from.f64("record");
  const squares = from.f64("record");
  const slot = new Float64Array(slotSize(dimension));
  from.f64s("record", slot);
  const length = from.u8("record");
  const signature = length === 0 ? null : from.raw("record", length);
  return { origin, version, hash: originHash(origin), slot, squares, count, signature };
}
