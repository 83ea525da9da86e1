import { MOST_REWARD } from "../bandit/reward.ts";
import { within } from "../errors.ts";
import { WIDENING } from "../kindred/compact.ts";
import type { Greeting } from "../kindred/greeting.ts";
import { readProfile, writeProfile } from "../kindred/profile.ts";
import { openRecord, type PeerRecord } from "../kindred/record.ts";
import { readWants, wantsBytes, writeWants } from "../kindred/wants.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import { slotSize } from "../numbers/packed.ts";
import { HEADER_BYTES, readFrame, type WireLimits, writeFrame } from "./frame.ts";

/** What a record has besides its sums: a name, version, count. */
const MOST_BESIDES = 512;

/** The frames of versioned records: the greeting that asks for them, and the records. */

/** flags u8 | worst rank u32 | least u8 | salt u32 | peer | entries u16 | wants | profile, if the flags say so. */
export function encodeRecordGreeting(greeting: Greeting, dimension: number): Uint8Array {
  return writeFrame("record-greeting", dimension, (out) => {
    out.u8((greeting.due ? 1 : 0) + (greeting.profile === null ? 0 : 2) + (greeting.lost === true ? 4 : 0));
    out.u32(greeting.worst);
    out.u8(greeting.least);
    out.u32(greeting.salt);
    out.name(greeting.peer);
    out.u16(greeting.wants.size);
    writeWants(out, greeting.wants);
    if (greeting.profile !== null) writeProfile(out, greeting.profile);
  });
}

export const recordGreetingBytes = (greeting: Greeting): number =>
  HEADER_BYTES +
  1 +
  9 +
  nameBytes(greeting.peer) +
  2 +
  wantsBytes(greeting.wants) +
  (greeting.profile === null ? 0 : 3 + greeting.profile.steps.length);

export function decodeRecordGreeting(bytes: Uint8Array, limits: WireLimits): Greeting {
  return readFrame(bytes, "record-greeting", limits, (from) => {
    const flags = within("greeting.flags", from.u8("greeting.flags"), 0, 7);
    const worst = from.u32("greeting.worst");
    const least = from.u8("greeting.least");
    const salt = from.u32("greeting.salt");
    const peer = from.name("greeting.peer");
    const size = within("greeting.wants", from.u16("greeting.wants"), 0, limits.most);
    const wants = readWants(from, "greeting.wants", size);
    const profile = (flags & 2) === 0 ? null : readProfile(from, "greeting.profile", limits.dimension);
    const greeting = { peer, due: (flags & 1) === 1, worst, least, salt, wants, profile };
    return (flags & 4) === 4 ? { ...greeting, lost: true } : greeting;
  });
}

/** What an origin signs: all of a record but the signature. */
export const recordBody = (record: PeerRecord): Uint8Array => record.body;

/** records u16 | per record: length of the body varint | body | length of the signature u8 | signature. */
export function encodeRecords(records: readonly PeerRecord[], dimension: number): Uint8Array {
  const write = (out: Writer): void => {
    out.u16(records.length);
    for (const { body, signature } of records) {
      out.varint(body.length);
      out.raw(body);
      out.u8(signature?.length ?? 0);
      if (signature !== null) out.raw(signature);
    }
  };
  return writeFrame("records", dimension, write, recordsBytes(records));
}

export function recordsBytes(records: readonly PeerRecord[]): number {
  let bytes = HEADER_BYTES + 2;
  for (const { body, signature } of records) {
    bytes += (body.length > 0x3fff ? 3 : body.length > 0x7f ? 2 : 1) + body.length + 1 + (signature?.length ?? 0);
  }
  return bytes;
}

/** The numbers are checked here; a signature is the host's to check, before the record is used. */
export function decodeRecords(bytes: Uint8Array, limits: WireLimits): PeerRecord[] {
  return readFrame(bytes, "records", limits, (from) => {
    const length = within("records", from.u16("records"), 0, limits.most);
    return Array.from({ length }, (_, k) => readRecord(from, `records[${k}]`, limits));
  });
}

/**
 * Could these be the sums of `count` observations with ‖x‖ <= 1 and |r| <= reward? That they are a covariance, and the
 * moment fits it, their form sees to; so what is left is how large they are. A liar can still pass.
 */
function readRecord(from: Reader, field: string, limits: WireLimits): PeerRecord {
  const size = from.varint(field);
  // Numbers are as long as they are large; nobody shall pass on what is longer than it need ever be.
  within(() => `${field} bytes`, size, 0, 4 * slotSize(limits.dimension) + MOST_BESIDES);
  const body = from.kept(field, size);
  const length = from.u8(() => `${field} signature`);
  const signature = length === 0 ? null : from.kept(() => `${field} signature`, length);
  const record = openRecord(field, body, signature, limits.dimension, WIDENING);
  const most = record.count * Math.min(limits.reward, MOST_REWARD) ** 2 * WIDENING;
  within(() => `${field} squares`, record.squares, 0, most);
  return record;
}

const nameBytes = (text: string): number => {
  let wide = 1;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) wide = 2;
  return 1 + wide * text.length;
};
