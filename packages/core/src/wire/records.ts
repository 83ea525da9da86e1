import { MOST_REWARD } from "../bandit/reward.ts";
import { ProtocolViolation } from "../errors.ts";
import type { Greeting } from "../kindred/greeting.ts";
import { originHash, type Record } from "../kindred/record.ts";
import { type Reader, Writer } from "../numbers/bytes.ts";
import { slotSize } from "../numbers/packed.ts";
import { HEADER_BYTES, readFrame, type WireLimits, writeFrame } from "./frame.ts";
import { SlotValidator } from "./validity.ts";

/** The frames of versioned records: the greeting that asks for them, and the records. Always 4 bytes a number. */

/** The longest name of a peer that is read from a stranger. */
const LONGEST_ID = 128;

/** flags u8 | worst rank f64 | peer | entries u16 | per entry: hash u32, code u16. */
export function encodeRecordGreeting(greeting: Greeting, dimension: number): Uint8Array {
  return writeFrame("record-greeting", 4, dimension, (out) => {
    out.u8((greeting.due ? 1 : 0) + (greeting.settled ? 2 : 0));
    out.f64(greeting.worst);
    out.text(greeting.peer);
    out.u16(greeting.known.size);
    for (const [hash, code] of greeting.known) {
      out.u32(hash);
      out.u16(code);
    }
  });
}

export const recordGreetingBytes = (greeting: Greeting): number =>
  HEADER_BYTES + 1 + 8 + textBytes(greeting.peer) + 2 + 6 * greeting.known.size;

export function decodeRecordGreeting(bytes: Uint8Array, limits: WireLimits): Greeting {
  return readFrame(bytes, "record-greeting", limits, (from) => {
    const flags = from.u8("greeting.flags");
    if (flags > 3) throw new ProtocolViolation("out-of-range", "greeting.flags", flags, "be at most 3");
    const worst = from.f64("greeting.worst");
    if (!(worst >= 0)) throw new ProtocolViolation("out-of-range", "greeting.worst", worst, "be at least 0");
    const peer = readId(from, "greeting.peer");
    const size = from.u16("greeting.known");
    if (size > limits.most) {
      throw new ProtocolViolation("out-of-range", "greeting.known", size, `be at most ${limits.most}`);
    }
    const known = new Map<number, number>();
    for (let k = 0; k < size; k++) {
      const hash = from.u32("greeting.known");
      known.set(hash, from.u16("greeting.known"));
    }
    return { peer, due: (flags & 1) !== 0, settled: (flags & 2) !== 0, worst, known };
  });
}

/** What an origin signs: all of a record but the signature. */
export function recordBody(record: Record): Uint8Array {
  const out = new Writer();
  writeBody(out, record);
  return out.bytes();
}

/** origin | version u32 | count u32 | squares f32 | gram and moment f32. */
function writeBody(out: Writer, record: Record): void {
  out.text(record.origin);
  out.u32(record.version);
  out.u32(record.count);
  out.f32(record.squares);
  out.f32s(record.slot);
}

/** records u16 | per record: body | length of the signature u8 | signature. */
export function encodeRecords(records: readonly Record[], dimension: number): Uint8Array {
  return writeFrame("records", 4, dimension, (out) => {
    out.u16(records.length);
    for (const record of records) {
      writeBody(out, record);
      out.u8(record.signature?.length ?? 0);
      if (record.signature !== null) out.raw(record.signature);
    }
  });
}

export function recordsBytes(records: readonly Record[], dimension: number): number {
  let bytes = HEADER_BYTES + 2;
  for (const { origin, signature } of records) {
    bytes += textBytes(origin) + 12 + 4 * slotSize(dimension) + 1 + (signature?.length ?? 0);
  }
  return bytes;
}

/** The numbers are checked here; a signature is the host's to check, before the record is used. */
export function decodeRecords(bytes: Uint8Array, limits: WireLimits): Record[] {
  return readFrame(bytes, "records", limits, (from) => {
    const length = from.u16("records");
    if (length > limits.most) {
      throw new ProtocolViolation("out-of-range", "records", length, `be at most ${limits.most}`);
    }
    const validator = new SlotValidator(limits);
    return Array.from({ length }, (_, k) => readRecord(from, `records[${k}]`, limits, validator));
  });
}

function readRecord(from: Reader, field: string, limits: WireLimits, validator: SlotValidator): Record {
  const origin = readId(from, `${field} origin`);
  const version = positive(from, `${field} version`);
  const count = positive(from, `${field} count`);
  const numbers = new Float64Array(1 + slotSize(limits.dimension));
  from.f32s(field, numbers);
  const squares = numbers[0]!;
  const slot = numbers.slice(1);
  const most = count * Math.min(limits.reward, MOST_REWARD) ** 2 * (1 + 1e-5);
  if (!(squares >= 0 && squares <= most)) {
    throw new ProtocolViolation("out-of-range", `${field} squares`, squares, `lie from 0 to ${most}`);
  }
  validator.check(field, slot, 0, count, 4);
  const length = from.u8(`${field} signature`);
  const signature = length === 0 ? null : from.raw(`${field} signature`, length);
  return { origin, version, hash: originHash(origin), slot, squares, count, signature };
}

function positive(from: Reader, field: string): number {
  const value = from.u32(field);
  if (value < 1) throw new ProtocolViolation("out-of-range", field, value, "be at least 1");
  return value;
}

function readId(from: Reader, field: string): string {
  const id = from.text(field);
  if (id === "" || id.length > LONGEST_ID) {
    throw new ProtocolViolation("out-of-range", field, id.length, `have 1 to ${LONGEST_ID} letters`);
  }
  return id;
}

const textBytes = (text: string): number => 4 + 2 * text.length;
