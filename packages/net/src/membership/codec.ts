import { ProtocolViolation, Reader, type ViolationReason, Writer } from "@coterie/core";
import { digitsOf, wordOf } from "../hex.ts";
import { SIGNATURE_BYTES } from "../identity/signature.ts";
import type { Claim, News, SignedEntry } from "./entry.ts";
import { MEMBERSHIP_LIMITS } from "./limits.ts";
import type { Pulse, Tag } from "./pulse.ts";

/**
 * Claims and entries as bytes. Everything has a limit, and lengths are checked before room is made for them.
 *
 *     claim: version u8 | flags u8 | id | incarnation f64 | heartbeat u32 | count u8 | addresses
 *     text:  length u8 | printable ASCII
 *     news:  count u8 | per entry: age u32 | length u16 | claim | signature 64 bytes
 *     pulses: count u16 | per pulse: tag 10 bytes | age u16, in 10 ms | hops u8
 */
const VERSION = 1;
const SERVES = 1;
const LEAVING = 2;
/** A byte is a letter; those beyond ASCII become letters that are not printable ASCII either. */
const LATIN = new TextDecoder("latin1");
const PRINTABLE = /^[!-~]+$/;

export function encodeClaim(claim: Claim): Uint8Array {
  const out = new Writer();
  out.u8(VERSION);
  out.u8((claim.serves ? SERVES : 0) | (claim.leaving ? LEAVING : 0));
  writeText(out, claim.id);
  out.f64(claim.incarnation);
  out.u32(claim.heartbeat);
  out.u8(claim.addresses.length);
  for (const address of claim.addresses) writeText(out, address);
  return out.bytes();
}

export function decodeClaim(bytes: Uint8Array): Claim {
  const from = reader(bytes);
  const version = from.u8("claim.version");
  if (version !== VERSION) throw bad("version", "claim.version", version, `be ${VERSION}`);
  const flags = from.u8("claim.flags");
  if (flags > (SERVES | LEAVING)) throw bad("out-of-range", "claim.flags", flags, "have known bits only");
  const id = readText(from, "claim.id", MEMBERSHIP_LIMITS.idLength);
  const incarnation = from.f64("claim.incarnation");
  if (!Number.isSafeInteger(incarnation) || incarnation < 0) {
    throw bad("out-of-range", "claim.incarnation", incarnation, "be a whole number of at least 0");
  }
  const heartbeat = from.u32("claim.heartbeat");
  const count = from.u8("claim.addresses");
  const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
  if (count > most) throw bad("out-of-range", "claim.addresses", count, `be at most ${most}`);
  const addresses = Array.from({ length: count }, (_, k) => readText(from, `claim.addresses[${k}]`, addressLength));
  from.end("claim");
  return { id, addresses, incarnation, heartbeat, serves: (flags & SERVES) !== 0, leaving: (flags & LEAVING) !== 0 };
}

/** What `writeNews` will write. */
export const newsBytes = (news: readonly News[]): number =>
  news.reduce((sum, { entry }) => sum + 6 + entry.bytes.length + entry.signature.length, 1);

export function writeNews(out: Writer, news: readonly News[]): void {
  out.u8(news.length);
  for (const { entry, ageMs } of news) {
    out.u32(Math.min(Math.max(0, Math.round(ageMs)), 0xffffffff));
    out.u16(entry.bytes.length);
    out.raw(entry.bytes);
    out.raw(entry.signature);
  }
}

/** Entries as they lie in the message: most say nothing new, so only what is kept is copied (`keep`). */
export function readNews(from: Reader): News[] {
  const count = from.u8("news");
  const { entries, entryBytes } = MEMBERSHIP_LIMITS;
  if (count > entries) throw bad("out-of-range", "news", count, `be at most ${entries}`);
  return Array.from({ length: count }, (_, k) => {
    const ageMs = from.u32(`news[${k}].age`);
    const length = from.u16(`news[${k}]`);
    if (length > entryBytes) throw bad("too-long", `news[${k}]`, length, `be at most ${entryBytes} bytes`);
    const bytes = from.view(`news[${k}]`, length);
    const signature = from.view(`news[${k}].signature`, SIGNATURE_BYTES);
    return { ageMs, entry: { claim: decodeClaim(bytes), bytes, signature } };
  });
}

const PULSE_BYTES = 13;
const PULSE_STEP_MS = 10;

/** What `writePulses` will write. */
export const pulsesBytes = (pulses: readonly Pulse[]): number => 2 + PULSE_BYTES * pulses.length;

export function writePulses(out: Writer, pulses: readonly Pulse[]): void {
  out.u16(pulses.length);
  for (const { tag, ageMs, hops } of pulses) {
    out.u32(wordOf(tag, 0));
    out.u32(wordOf(tag, 8));
    out.u16(wordOf(tag, 16, 4));
    // Rounded up: on no way does a peer become younger.
    out.u16(Math.min(Math.max(0, Math.ceil(ageMs / PULSE_STEP_MS)), 0xffff));
    out.u8(Math.min(hops, 0xff));
  }
}

export function readPulses(from: Reader): Pulse[] {
  const count = from.u16("pulses");
  const { pulses: most } = MEMBERSHIP_LIMITS;
  if (count > most) throw bad("out-of-range", "pulses", count, `be at most ${most}`);
  const pulses: Pulse[] = [];
  for (let left = count; left > 0; left--) {
    const tag = tagIn(from);
    pulses.push({ tag, ageMs: from.u16("pulse.age") * PULSE_STEP_MS, hops: from.u8("pulse.hops") });
  }
  return pulses;
}

/** Tags met before, by their words: each comes in every message, and is made into digits once. */
const tags = new Map<
  number,
  { readonly tag: Tag; readonly one: number; readonly two: number; readonly half: number }
>();
const MOST_TAGS = 1024;

function tagIn(from: Reader): Tag {
  const one = from.u32("pulse.tag");
  const two = from.u32("pulse.tag");
  const half = from.u16("pulse.tag");
  const key = one ^ Math.imul(two ^ half, 0x01000193);
  const known = tags.get(key);
  if (known !== undefined && known.one === one && known.two === two && known.half === half) return known.tag;
  const tag = digitsOf(one) + digitsOf(two) + digitsOf(half).slice(4);
  if (tags.size >= MOST_TAGS) tags.clear();
  tags.set(key, { tag, one, two, half });
  return tag;
}

/** An entry in memory of its own. */
export function keep({ claim, bytes, signature }: SignedEntry): SignedEntry {
  return { claim, bytes: new Uint8Array(bytes), signature: new Uint8Array(signature) };
}

/** A reader of what another peer sent. */
export function reader(bytes: Uint8Array): Reader {
  return new Reader(bytes, bad);
}

function bad(reason: ViolationReason, field: string, value: unknown, bound: string): ProtocolViolation {
  return new ProtocolViolation(reason, field, value, bound);
}

function writeText(out: Writer, text: string): void {
  out.u8(text.length);
  for (let k = 0; k < text.length; k++) out.u8(text.charCodeAt(k));
}

function readText(from: Reader, field: string, longest: number): string {
  const length = from.u8(field);
  if (length < 1 || length > longest) throw bad("out-of-range", field, length, `have 1 to ${longest} letters`);
  const text = LATIN.decode(from.view(field, length));
  if (!PRINTABLE.test(text)) throw bad("out-of-range", field, text, "be printable ASCII");
  return text;
}
