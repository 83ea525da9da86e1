import { ProtocolViolation, Reader, Writer } from "@coterie/core";
import type { ViolationReason } from "@coterie/core/internal";
import { type Notary, SIGNATURE_BYTES } from "../identity/signature.ts";
import { readAddresses, writeAddresses } from "./address.ts";
import type { Claim, News, SignedEntry } from "./entry.ts";
import { MEMBERSHIP_LIMITS } from "./limits.ts";
import { idOf, KEY_BYTES, keyOf } from "./name.ts";
import { seenEntry } from "./seen.ts";
import { readTicket, writeTicket } from "./ticket.ts";

/**
 * Claims and entries as bytes: about 120 for a peer with one address. Everything has a limit, and lengths are checked
 * before room is made for them.
 *
 *     claim  version u8 = 2 | flags u8 | key 32 bytes, or name | incarnation u48 | heartbeat varint | count u8 | addresses
 *            version u8 = 3 | the same | ticket 72 bytes (`ticket.ts`)
 *     name   length u8 | printable ASCII (where the flag says that it is no key)
 *     news   count u8 | per entry: age u16, in 10 ms | length u16 | claim | signature 64 bytes
 */
export const CLAIM_VERSION = 2;
/** A claim with a ticket. Whoever has none writes what earlier programs read. */
const TICKETED_VERSION = 3;
const SERVES = 1;
const LEAVING = 2;
const NAMED = 4;
/** A byte is a letter; those beyond ASCII become letters that are not printable ASCII either. */
const LATIN = new TextDecoder("latin1");
const PRINTABLE = /^[!-~]+$/;
const HALF = 0x100000000;
const MOST_INCARNATION = 0xffff * HALF + HALF - 1;
const AGE_STEP_MS = 10;

export function encodeClaim(claim: Claim): Uint8Array {
  const out = new Writer();
  const key = keyOf(claim.id);
  out.u8(claim.ticket === undefined ? CLAIM_VERSION : TICKETED_VERSION);
  out.u8((claim.serves ? SERVES : 0) | (claim.leaving ? LEAVING : 0) | (key === null ? NAMED : 0));
  if (key === null) writeText(out, claim.id);
  else out.raw(key);
  const incarnation = Math.min(Math.max(0, Math.floor(claim.incarnation)), MOST_INCARNATION);
  out.u16(Math.floor(incarnation / HALF));
  out.u32(incarnation % HALF);
  out.varint(claim.heartbeat);
  out.u8(claim.addresses.length);
  writeAddresses(out, claim.addresses);
  if (claim.ticket !== undefined) writeTicket(out, claim.ticket);
  return out.bytes();
}

export function decodeClaim(bytes: Uint8Array): Claim {
  const from = reader(bytes);
  const version = from.u8("claim.version");
  if (version !== CLAIM_VERSION && version !== TICKETED_VERSION)
    throw bad("version", "claim.version", version, `be ${CLAIM_VERSION} or ${TICKETED_VERSION}`);
  const flags = from.u8("claim.flags");
  if (flags > (SERVES | LEAVING | NAMED)) throw bad("out-of-range", "claim.flags", flags, "have known bits only");
  const id = (flags & NAMED) === 0 ? idOf(from.view("claim.id", KEY_BYTES)) : readName(from);
  const incarnation = from.u16("claim.incarnation") * HALF + from.u32("claim.incarnation");
  const heartbeat = from.varint("claim.heartbeat");
  const addresses = readPlaces(from);
  const ticket = version === TICKETED_VERSION ? { ticket: readTicket(from, "claim.ticket") } : undefined;
  from.end("claim");
  const [serves, leaving] = [(flags & SERVES) !== 0, (flags & LEAVING) !== 0];
  return { id, addresses, incarnation, heartbeat, serves, leaving, ...ticket };
}

function readPlaces(from: Reader): string[] {
  const { addresses: most, addressLength } = MEMBERSHIP_LIMITS;
  const count = from.u8("claim.addresses");
  if (count > most) throw bad("out-of-range", "claim.addresses", count, `be at most ${most}`);
  const addresses = readAddresses(from, "claim.addresses", count);
  if (addresses === null) throw bad("out-of-range", "claim.addresses", "a part of no kind", "be addresses");
  for (const [k, address] of addresses.entries()) checkText(`claim.addresses[${k}]`, address, addressLength);
  return addresses;
}

/** What `writeNews` will write. */
export const newsBytes = (news: readonly News[]): number =>
  news.reduce((sum, { entry }) => sum + 4 + entry.bytes.length + entry.signature.length, 1);

export function writeNews(out: Writer, news: readonly News[]): void {
  out.u8(news.length);
  for (const { entry, ageMs } of news) {
    // Rounded up: on no way does an entry become younger.
    out.u16(Math.min(Math.max(0, Math.ceil(ageMs / AGE_STEP_MS)), 0xffff));
    out.u16(entry.bytes.length);
    out.raw(entry.bytes);
    out.raw(entry.signature);
  }
}

/** Entries in memory of their own, not that of the message. */
export function readNews(from: Reader): News[] {
  const count = from.u8("news");
  const { entries, entryBytes } = MEMBERSHIP_LIMITS;
  if (count > entries) throw bad("out-of-range", "news", count, `be at most ${entries}`);
  return Array.from({ length: count }, (_, k) => {
    const ageMs = from.u16(`news[${k}].age`) * AGE_STEP_MS;
    const length = from.u16(`news[${k}]`);
    if (length > entryBytes) throw bad("too-long", `news[${k}]`, length, `be at most ${entryBytes} bytes`);
    const bytes = from.view(`news[${k}]`, length);
    const signature = from.view(`news[${k}].signature`, SIGNATURE_BYTES);
    return { ageMs, entry: seenEntry(bytes, signature, decodeClaim) };
  });
}

/** What we say about ourselves, signed. */
export async function signedBy(notary: Notary, claim: Claim): Promise<SignedEntry> {
  const bytes = encodeClaim(claim);
  return { claim, bytes, signature: await notary.sign(bytes) };
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

function readName(from: Reader): string {
  const name = LATIN.decode(from.view("claim.id", from.u8("claim.id")));
  checkText("claim.id", name, MEMBERSHIP_LIMITS.idLength);
  // One name has one spelling: else an entry could be signed twice, and differ.
  if (keyOf(name) !== null) throw bad("out-of-range", "claim.id", name, "be spelled as the key that it is");
  return name;
}

function checkText(field: string, text: string, longest: number): void {
  if (text.length < 1 || text.length > longest) {
    throw bad("out-of-range", field, text.length, `have 1 to ${longest} letters`);
  }
  if (!PRINTABLE.test(text)) throw bad("out-of-range", field, text, "be printable ASCII");
}
