import type { Reader, Writer } from "@coterie/core";
import { idOf, KEY_BYTES, keyOf } from "./name.ts";

/**
 * Addresses in few bytes. An address is a path of parts, `/ip4/1.2.3.4/tcp/4001/ws`; each becomes a code and, where it
 * has one, a value: four bytes of an IPv4 address, two of a port, a key, or a text. The parts that it begins with alike
 * with the address before are only counted: those of a tab all begin with its hub.
 *
 *     address  parts in common with the one before u8 | parts that follow u8 | per part: code u8, value
 */
type Value = "none" | "ip4" | "port" | "key" | "text";

/** The place in the list is the code. Append only. */
const PARTS: readonly (readonly [name: string, value: Value])[] = [
  // What no other code spells, without the first slash.
  ["", "text"],
  ["ip4", "ip4"],
  ["tcp", "port"],
  ["udp", "port"],
  ["ws", "none"],
  ["wss", "none"],
  ["tls", "none"],
  ["p2p", "key"],
  ["p2p-circuit", "none"],
  ["webrtc", "none"],
  ["webrtc-direct", "none"],
  ["certhash", "text"],
  ["dns", "text"],
  ["dns4", "text"],
  ["dns6", "text"],
  ["dnsaddr", "text"],
  ["sni", "text"],
  ["ip6", "text"],
  ["quic-v1", "none"],
  ["webtransport", "none"],
];
const CODES = new Map(PARTS.map(([name], code) => [name, code]));
const LATIN = new TextDecoder("latin1");

/** A part as it is spelled, and how. */
interface Part {
  readonly code: number;
  readonly value: string;
}

export function writeAddresses(out: Writer, addresses: readonly string[]): void {
  let before: readonly Part[] = [];
  for (const address of addresses) {
    const parts = partsOf(address);
    let common = 0;
    while (common < parts.length && common < before.length && same(parts[common]!, before[common]!)) common += 1;
    out.u8(common);
    out.u8(parts.length - common);
    for (const part of parts.slice(common)) writePart(out, part);
    before = parts;
  }
}

/** Null where no address can be spelled so. Bounds on lengths are the caller's. */
export function readAddresses(from: Reader, field: string, count: number): string[] | null {
  const addresses: string[] = [];
  let before: readonly Part[] = [];
  for (let left = count; left > 0; left--) {
    const common = from.u8(field);
    if (common > before.length) return null;
    const parts = before.slice(0, common);
    for (let more = from.u8(field); more > 0; more--) {
      const part = readPart(from, field);
      if (part === null) return null;
      parts.push(part);
    }
    addresses.push(parts.map(spell).join(""));
    before = parts;
  }
  return addresses;
}

/** What cannot be spelled part by part, and would not come back the same, is one text. */
function partsOf(address: string): readonly Part[] {
  const parts = split(address);
  if (parts !== null && parts.map(spell).join("") === address) return parts;
  return [{ code: 0, value: address }];
}

function split(address: string): Part[] | null {
  const words = address.split("/");
  if (words[0] !== "") return null;
  const parts: Part[] = [];
  for (let k = 1; k < words.length; k++) {
    const code = CODES.get(words[k]!);
    if (code === undefined || code === 0) return null;
    const [, kind] = PARTS[code]!;
    const value = kind === "none" ? "" : words[++k];
    if (value === undefined || !fits(kind, value)) return null;
    parts.push({ code, value });
  }
  return parts;
}

function fits(kind: Value, value: string): boolean {
  if (kind === "ip4")
    return /^\d{1,3}(\.\d{1,3}){3}$/.test(value) && value.split(".").every((n) => `${+n}` === n && +n < 256);
  if (kind === "port") return /^\d{1,5}$/.test(value) && `${+value}` === value && +value < 0x10000;
  if (kind === "key") return keyOf(value) !== null;
  return kind === "none" || (value.length > 0 && value.length < 256);
}

function writePart(out: Writer, { code, value }: Part): void {
  out.u8(code);
  const [, kind] = PARTS[code]!;
  if (kind === "ip4") for (const byte of value.split(".")) out.u8(Number(byte));
  else if (kind === "port") out.u16(Number(value));
  else if (kind === "key") out.raw(keyOf(value)!);
  else if (kind === "text") {
    out.u8(value.length);
    for (let k = 0; k < value.length; k++) out.u8(value.charCodeAt(k));
  }
}

function readPart(from: Reader, field: string): Part | null {
  const code = from.u8(field);
  const kind = PARTS[code]?.[1];
  if (kind === undefined) return null;
  if (kind === "none") return { code, value: "" };
  if (kind === "ip4") return { code, value: Array.from(from.view(field, 4)).join(".") };
  if (kind === "port") return { code, value: `${from.u16(field)}` };
  if (kind === "key") return { code, value: idOf(from.view(field, KEY_BYTES)) };
  return { code, value: LATIN.decode(from.view(field, from.u8(field))) };
}

function spell({ code, value }: Part): string {
  const [name, kind] = PARTS[code]!;
  if (code === 0) return value;
  return kind === "none" ? `/${name}` : `/${name}/${value}`;
}

const same = (a: Part, b: Part): boolean => a.code === b.code && a.value === b.value;
